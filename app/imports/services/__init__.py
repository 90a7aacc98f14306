"""Keep files on their way into a list, compare them, apply them, and take imports back."""
