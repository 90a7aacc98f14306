"""Names, rows and manifests of backups; pure."""
