"""Reads of vehicles."""
