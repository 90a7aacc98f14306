"""The parts about upkeep on a vehicle's page, which is fleet's."""

from collections.abc import Mapping
from typing import Any

from app.upkeep.pages import costs, defect, off_road
from app.upkeep.queries import due


def vehicle_panels(reg_key: str) -> Mapping[str, Any]:
    """Return the context of templates/upkeep/_vehicle.html and _vehicle_costs.html."""
    return {
        "defects": defect.panel(reg_key),
        "off_road": off_road.panel(reg_key),
        "costs": costs.panel(reg_key),
        "due": due.vehicle_due(reg_key),
    }
