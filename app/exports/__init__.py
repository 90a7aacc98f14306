"""Files of whole lists, and of everything that a division has."""
