"""Events: what happened to stock, keys, vehicles, assets and accounts, and who did it."""
