"""Backups of an installation, and how one comes back from them."""
