"""Changes of accounts, login sessions and tokens; the caller's transaction keeps them."""
