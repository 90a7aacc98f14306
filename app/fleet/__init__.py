"""Vehicles, their checks with photos, and their history; Fleet and GPM share them."""
