"""The pages of upkeep."""

from collections.abc import Sequence

from app.records.acts import serve
from app.upkeep.acts import defects as defect_acts
from app.upkeep.pages import (
    calendar,
    costs,
    defect,
    defects,
    due,
    due_changes,
    off_road,
    plans,
    readings,
    record,
    repairs,
)
from app.upkeep.pages.blueprint import bp
from app.upkeep.pages.vehicle_panels import vehicle_panels
from app.web.navigation import Screen

__all__ = [
    "BLUEPRINTS",
    "SCREENS",
    "calendar",
    "defect",
    "due_changes",
    "plans",
    "vehicle_panels",
]

BLUEPRINTS = (bp,)

serve(bp, *defect_acts.ACTS)
SCREENS: Sequence[Screen] = [
    *defects.SCREENS,
    *off_road.SCREENS,
    *due.SCREENS,
    *repairs.SCREENS,
    *readings.SCREENS,
    *costs.SCREENS,
    *record.SCREENS,
]
