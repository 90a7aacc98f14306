"""Changes of defects, repairs and times off the road."""
