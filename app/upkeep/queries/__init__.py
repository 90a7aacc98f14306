"""Reads of upkeep."""
