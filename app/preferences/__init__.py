"""What a person prefers on all their devices: the columns of lists, and the keys."""
