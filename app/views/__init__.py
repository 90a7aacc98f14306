"""Saved views of lists: an address with a name, for its owner or for a division."""
