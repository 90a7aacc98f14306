"""Reads of odometer readings."""
