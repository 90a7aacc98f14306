"""Reads of the fleet."""
