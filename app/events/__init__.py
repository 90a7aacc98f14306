"""Events: the changes of stock, keys, vehicles, assets and accounts, with their users."""
