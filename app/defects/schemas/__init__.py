"""JSON and files of defects, repairs and times off the road."""
