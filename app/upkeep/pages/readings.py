"""Odometer readings: the doubtful ones first, a vehicle's, and managers' decisions."""

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.fleet.rules.plates import plate_key
from app.fleet.rules.versions import UPKEEP
from app.upkeep.acts.due import plates
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.pages.vehicle_filters import vehicle_problems
from app.upkeep.queries import reading_lists as lists
from app.upkeep.queries import readings as queries
from app.upkeep.schemas.files import READING_COLUMNS, reading_rows
from app.versions import version_of
from app.web import caching
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.limits import CostlyRequest, costly
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(division, "Readings", "upkeep.readings") for division in DIVISIONS]


@bp.get("/fleet/readings")
@for_fleet
@failure_message("Failed to load readings")
def readings() -> ResponseReturnValue:
    """Show the readings that wait for a decision, and a vehicle's readings."""
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    vehicle = request.args.get("vehicle", "").strip()
    problems = vehicle_problems(vehicle)
    key = "" if problems else plate_key(vehicle)
    return render_template(
        "upkeep/readings.html",
        vehicle=vehicle,
        problems=problems,
        doubtful=[] if problems else lists.doubtful_readings(key),
        waiting=lists.count_doubtful(),
        current=queries.current_mileage(key) if key else None,
        page=lists.reading_page(key, requested_page()) if key else None,
        **plates(),
    ), 422 if problems else 200


@bp.get("/fleet/readings.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Export failed")
def readings_csv() -> Response:
    """Export the readings that aren't void, as the import reads them."""
    with transaction():
        record(Event.EXPORT, "readings")
    return csv_download("readings.csv", READING_COLUMNS, reading_rows(lists.all_readings()))
