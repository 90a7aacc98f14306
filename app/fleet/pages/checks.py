"""The list for reviewing checks."""

from app.web.navigation import Screen

SCREENS: list[Screen] = []
