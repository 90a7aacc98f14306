"""Changes of the directory."""
