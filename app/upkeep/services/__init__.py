"""Changes of upkeep."""
