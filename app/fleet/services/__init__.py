"""Changes of the fleet."""
