"""Forms of upkeep."""
