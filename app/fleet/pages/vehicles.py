"""The list of vehicles, and a vehicle's own page."""

from app.web.navigation import Screen

SCREENS: list[Screen] = []
