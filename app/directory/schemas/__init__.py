"""The directory as JSON and as CSV files."""
