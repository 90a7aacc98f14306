"""The pages of upkeep."""

from collections.abc import Sequence

from app.upkeep.pages import costs, defect, defects, off_road, record, repairs
from app.upkeep.pages.blueprint import bp
from app.web.navigation import Screen

__all__ = ["BLUEPRINTS", "SCREENS", "defect"]

BLUEPRINTS = (bp,)
SCREENS: Sequence[Screen] = [
    *defects.SCREENS,
    *off_road.SCREENS,
    *repairs.SCREENS,
    *costs.SCREENS,
    *record.SCREENS,
]
