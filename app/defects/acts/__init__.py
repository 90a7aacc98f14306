"""The acts on defects, repairs and times off the road."""
