"""Imports of lists on screen: a file is read, looked at, mended, applied and taken back."""
