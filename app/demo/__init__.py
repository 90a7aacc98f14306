"""Demo accounts, stock and a fleet, to try the product with."""
