"""Changes of stock and its history."""
