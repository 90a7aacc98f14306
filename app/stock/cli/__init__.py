"""The commands of stock."""
