"""Defects of vehicles, their repairs, and times off the road."""
