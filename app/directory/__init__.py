"""Teams, services, keys and suppliers: GPM's directory."""
