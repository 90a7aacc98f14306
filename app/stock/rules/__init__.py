"""The rules of stock and its history; pure."""
