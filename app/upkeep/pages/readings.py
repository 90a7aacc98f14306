"""Odometer readings: the doubtful ones first, a vehicle's, and managers' decisions."""

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from app import dates
from app.fleet.rules.plates import plate_key
from app.fleet.rules.versions import UPKEEP
from app.records.exports import csv_file, exports
from app.upkeep.acts.due import plates
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import reading_lists as lists
from app.upkeep.queries import readings as queries
from app.upkeep.schemas.files import READING_FILE
from app.upkeep.schemas.vehicle_filter import vehicle_problems
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import requested_page
from app.web.navigation import Screen

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
@exports("readings")
def readings_csv() -> Response:
    """Export the readings that aren't void, as the import reads them."""
    return csv_file("readings.csv", READING_FILE, lists.all_readings())
