"""The pages of upkeep."""

from collections.abc import Sequence

from app.upkeep.pages import costs, off_road, record
from app.upkeep.pages.blueprint import bp
from app.web.navigation import Screen

BLUEPRINTS = (bp,)
SCREENS: Sequence[Screen] = [*off_road.SCREENS, *costs.SCREENS, *record.SCREENS]
