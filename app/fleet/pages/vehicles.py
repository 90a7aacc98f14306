"""The list of vehicles, and the page of one."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, current_app, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.fleet.acts import DIVISIONS, VEHICLE, fleet_page, for_fleet
from app.fleet.models import Check
from app.fleet.queries import overview, vehicles
from app.fleet.queries.checks import checks_of, latest_checks
from app.fleet.rules.charts import odometer_chart
from app.fleet.rules.vehicles import status_tone, statuses
from app.fleet.schemas.lists import VEHICLE_PAGE
from app.fleet.services.upkeep import upkeep
from app.records.lists import list_view
from app.sums import count_each
from app.web import caching, rendered
from app.web.list_query import requested_page
from app.web.navigation import back_link, shared_screens

SCREENS = shared_screens(DIVISIONS, "Vehicles", "fleet.vehicles", key="v")

MAX_CHECKS = 10
"""The most checks on a vehicle's page."""

bp = Blueprint("fleet", __name__)

list_view(bp, for_fleet, VEHICLE_PAGE, "/vehicles", status_tone=status_tone, statuses=statuses)


@fleet_page(bp, VEHICLE, "Failed to load vehicles")
def vehicle(vehicle_id: int) -> ResponseReturnValue:
    """Show a vehicle with its history, checks, odometer and upkeep."""
    back = back_link("/vehicles") or url_for("fleet.vehicles")
    today = dates.today()
    if unchanged := caching.not_modified(*overview.data_versions(), today, back):
        return unchanged

    def load() -> Mapping[str, Any]:
        vehicle = vehicles.get_vehicle(vehicle_id)
        events = vehicles.events_of(vehicle)
        total, check_total = count_each(events, checks_of(vehicle.reg_key))
        page = vehicles.event_page(events, total, requested_page())
        unused = upkeep().is_odometer_unused(Check.id)
        panels: dict[str, Mapping[str, Any]] = {}
        for name, panel in current_app.extensions["panels"]["vehicle"].items():
            panels[name] = panel(vehicle.reg_key, panels)
        return {
            "vehicle": vehicle,
            "page": page,
            "checks": latest_checks(vehicle.reg_key, MAX_CHECKS),
            "check_total": check_total,
            "odometer": odometer_chart(vehicles.odometer_readings(vehicle.reg_key, but=unused)),
            "check_form_url": url_for("fleet.check_form", vehicle=vehicle.reg),
            "checks_url": url_for("fleet.checks", vehicle=vehicle.reg),
            "back": back,
            "status_tone": status_tone,
            "statuses": statuses,
            **panels,
        }

    return rendered.page("fleet/vehicle.html", load)
