"""The upkeep of vehicles: defects, repairs, times off the road, and due items."""
