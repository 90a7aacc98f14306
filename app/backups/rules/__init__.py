"""The rules of backups; pure."""
