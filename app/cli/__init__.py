"""What the commands share: errors, progress bars and the server."""
