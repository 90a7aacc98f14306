"""The commands of stock and its history."""
