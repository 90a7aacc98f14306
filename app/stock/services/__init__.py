"""Changes of stock."""
