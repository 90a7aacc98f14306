"""Assets: the register of what the company owns, where it stands, and how it moved."""
