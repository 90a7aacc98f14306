"""Stock and its history as JSON and in files."""
