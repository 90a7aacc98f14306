"""Changes of photos and of the store of their files."""
