"""Teams, services, keys and suppliers: what GPM works with."""
