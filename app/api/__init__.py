"""What the JSON calls share: bodies, fields, lists, errors, and their description."""
