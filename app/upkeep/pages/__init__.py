"""The pages of upkeep."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.records.acts import serve
from app.upkeep.acts import defects as defect_acts
from app.upkeep.acts import due as due_acts
from app.upkeep.acts import imports as import_acts
from app.upkeep.acts import off_road as off_road_acts
from app.upkeep.acts import readings as reading_acts
from app.upkeep.pages import defects, due, off_road, record
from app.upkeep.pages.blueprint import bp
from app.upkeep.queries.due import items_of
from app.upkeep.queries.readings import current_mileage
from app.web.navigation import Screen

__all__ = ["BLUEPRINTS", "SCREENS", "vehicle_panels"]

BLUEPRINTS = (bp,)
SCREENS: Sequence[Screen] = [
    *defects.SCREENS,
    *off_road.SCREENS,
    *due.SCREENS,
    *defects.REPAIR_SCREENS,
    *due.READING_SCREENS,
    *record.COST_SCREENS,
    *record.SCREENS,
]

for each in (
    defect_acts,
    due_acts,
    import_acts,
    off_road_acts,
    reading_acts,
):
    serve(bp, *each.ACTS)


def vehicle_panels(reg_key: str) -> Mapping[str, Any]:
    """Return the context of templates/upkeep/_vehicle.html and _vehicle_costs.html."""
    return {
        "defects": defects.panel(reg_key),
        "off_road": off_road.panel(reg_key),
        "costs": record.panel(reg_key),
        "due": {"rows": items_of([reg_key]), "mileage": current_mileage(reg_key)},
    }
