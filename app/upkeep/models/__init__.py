"""The tables of upkeep."""
