"""The fleet as JSON and files hold it."""
