"""The dashboard of each division; it only reads."""
