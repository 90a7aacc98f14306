"""Photos and documents that belong to a defect, a repair or another record."""
