"""Changes of accounts, login sessions and tokens."""
