"""Fill an empty database with the demo."""
