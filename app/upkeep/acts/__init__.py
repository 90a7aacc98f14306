"""The acts of upkeep on defects, due items, readings and times off the road."""
