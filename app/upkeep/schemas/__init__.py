"""JSON and files of upkeep."""
