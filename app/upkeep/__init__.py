"""What keeps vehicles on the road: defects, repairs, off the road, and what is due."""
