"""Reads of vehicle files and costs."""
