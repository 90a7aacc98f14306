"""Upkeep: checks of the data (`flask verify`) and of the installation (`flask doctor`)."""
