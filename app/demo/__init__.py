"""Demo accounts and stock, to try the product with."""
