"""Tables in files: CSV and JSON, read and written."""
