"""Changes of due items and plans."""
