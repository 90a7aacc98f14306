"""The directory as JSON and files hold it."""
