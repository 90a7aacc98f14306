"""Demo accounts, stock, a fleet and assets, to try the product with."""
