"""The commands `verify`, `doctor` and `counts`."""
