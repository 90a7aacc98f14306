"""The parts about upkeep on a vehicle's page, which is fleet's."""

from collections.abc import Mapping
from typing import Any

from app.upkeep.pages import costs, defect, off_road
from app.upkeep.queries.due import items_of
from app.upkeep.queries.readings import current_mileage


def vehicle_panels(reg_key: str) -> Mapping[str, Any]:
    """Return the context of templates/upkeep/_vehicle.html and _vehicle_costs.html."""
    return {
        "defects": defect.panel(reg_key),
        "off_road": off_road.panel(reg_key),
        "costs": costs.panel(reg_key),
        "due": {"rows": items_of([reg_key]), "mileage": current_mileage(reg_key)},
    }
