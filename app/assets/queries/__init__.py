"""Reads of the register."""
