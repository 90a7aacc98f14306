"""The pages of odometer readings."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, request

from app.fleet.acts import DIVISIONS, fleet_page, for_fleet, plates
from app.fleet.rules.vehicles import UPKEEP, FleetList, plate_key
from app.fleet.schemas.vehicles import vehicle_problem
from app.mileage import acts, queries
from app.mileage.schemas import READING_FILE
from app.records.acts import serve
from app.records.lists import file_view
from app.web import caching, rendered
from app.web.list_query import requested_page
from app.web.navigation import shared_screens

bp = Blueprint("mileage", __name__)
BLUEPRINTS = (bp,)
SCREENS = shared_screens(DIVISIONS, "Readings", "mileage.readings", is_more=True, key="l")


@fleet_page(bp, "/fleet/readings", "Failed to load readings")
@caching.by_versions(UPKEEP, *FleetList)
@rendered.kept("mileage/readings.html")
def readings() -> Mapping[str, Any]:
    """Show the readings that wait for a decision, and a vehicle's readings."""
    vehicle = request.args.get("vehicle", "").strip()
    key = plate_key(vehicle)
    page = queries.reading_page(key, requested_page()) if key else None
    problem = "" if page and page.total else vehicle_problem(vehicle)
    key = "" if problem else key
    return {
        "vehicle": vehicle,
        "problem": problem,
        "doubtful": [] if problem else queries.doubtful_readings(key),
        "waiting": 0 if key else queries.count_doubtful(),
        "current": queries.current_mileage(key) if key else None,
        "page": page if key else None,
        **plates(),
    }


file_view(bp, for_fleet, "/fleet/readings.csv", "readings", READING_FILE, queries.all_readings)

serve(bp, *acts.ACTS)
