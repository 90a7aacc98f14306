"""Changes of the register."""
