"""The commands' shared parts: errors, progress bars and the server."""
