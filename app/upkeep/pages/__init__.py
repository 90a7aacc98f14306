"""The pages of upkeep."""

from collections.abc import Sequence

from app.upkeep.pages import calendar, due, due_changes, off_road, plans, readings
from app.upkeep.pages.blueprint import bp
from app.web.navigation import Screen

__all__ = ["BLUEPRINTS", "SCREENS", "calendar", "due_changes", "plans"]

BLUEPRINTS = (bp,)
SCREENS: Sequence[Screen] = [*off_road.SCREENS, *due.SCREENS, *readings.SCREENS]
