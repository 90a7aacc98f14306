"""The acts of upkeep: what people change of defects, dues, readings and times off the road."""
