"""Reads of due items and plans."""
