"""The check form, which a widget fills."""

from app.web.navigation import Screen

SCREENS: list[Screen] = []
