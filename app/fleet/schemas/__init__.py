"""The fleet as JSON and as files."""
