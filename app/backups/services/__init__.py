"""The services of backups."""
