"""The DVSA file of a vehicle: one page to print, and files of one vehicle or the whole fleet."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask import Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.config import Settings
from app.db import transaction
from app.errors import Invalid
from app.fleet.queries.checks import plates_checked
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.plates import MAX_PLATES, clean_plate, plate_key
from app.money import parse_whole_number
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import record as queries
from app.upkeep.queries.record_reader import RecordFilters
from app.upkeep.rules import record as rules
from app.upkeep.schemas.record import CSV_COLUMNS, csv_rows
from app.upkeep.schemas.vehicle_filter import vehicle_problems
from app.web.access import current_user
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.limits import CostlyRequest, costly
from app.web.list_query import typed_values
from app.web.navigation import Screen

SCREENS = [Screen(division, "DVSA file", "upkeep.vehicle_record") for division in DIVISIONS]


@dataclass(frozen=True)
class RecordQuery:
    """The vehicle and months in an address as typed, their meaning, and the errors in them."""

    values: Mapping[str, str]
    reg: str
    months: int
    start: date
    end: date
    problems: tuple[str, ...] = ()

    @property
    def filters(self) -> RecordFilters:
        """Return the filters; raises Invalid with the first error in them."""
        if self.problems:
            raise Invalid(self.problems[0])
        return RecordFilters(self.start, self.end, plate_key(self.reg))


@bp.get("/fleet/record")
@for_fleet
@failure_message("Failed to load the record")
def vehicle_record() -> ResponseReturnValue:
    """Show all that is on record about a vehicle in some months, to be printed.

    A vehicle that left the lists is found by its registration.
    """
    query = _record_query(request.args)
    context: dict[str, Any] = {
        "query": query,
        "plates": plates_checked(MAX_PLATES),
    }
    if query.reg and not query.problems:
        context |= _record_context(query)
    return render_template("upkeep/record.html", **context), 422 if query.problems else 200


@bp.get("/fleet/record/vehicle.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Failed to load the record")
def vehicle_record_csv() -> Response:
    """Stream the record of one vehicle as CSV."""
    query = _record_query(request.args)
    filters = query.filters
    if not filters.reg_key:
        raise Invalid("Which vehicle? Enter its registration.")
    with transaction():
        record(Event.EXPORT, f"record of {query.reg}", months=query.months)
    name = f"record-{filters.reg_key}-{query.end.isoformat()}.csv"
    return _download(name if name.isascii() else "record.csv", filters)


@bp.get("/fleet/record/fleet.csv")
@for_fleet.to_change.by_managers
@costly(CostlyRequest.EXPORTS)
@failure_message("Failed to load the record")
def fleet_record_csv() -> Response:
    """Stream the record of all vehicles, also former ones, as one CSV, for managers."""
    query = _record_query({name: text for name, text in request.args.items() if name == "months"})
    filters = query.filters
    with transaction():
        record(Event.EXPORT, "record of the fleet", months=query.months)
    return _download(f"record-of-the-fleet-{query.end.isoformat()}.csv", filters)


def _download(name: str, filters: RecordFilters) -> Response:
    return csv_download(name, CSV_COLUMNS, csv_rows(queries.record_entries(filters)))


def _record_query(args: Mapping[str, str]) -> RecordQuery:
    values = typed_values(args, ("vehicle", "months"))
    settings: Settings = current_app.config["QUARTERMASTER"]
    vehicle = values.get("vehicle", "")
    problems = [*vehicle_problems(vehicle)]
    default = rules.default_months(settings.retention_months)
    reg, months = "", default
    if vehicle and not problems:
        reg = stored_plate(plate_key(vehicle)) or clean_plate(vehicle)
    try:
        months = parse_whole_number(values["months"]) if "months" in values else months
        if not 1 <= months <= rules.MAX_MONTHS:
            problems.append(f"Choose 1 to {rules.MAX_MONTHS} months.")
            months = default
    except Invalid as error:
        problems.append(error.message)
    end = dates.today()
    start = rules.first_day(end, months)
    return RecordQuery(values, reg, months, start, end, tuple(problems))


def _record_context(query: RecordQuery) -> dict[str, Any]:
    entries = list(queries.record_entries(query.filters))
    # A vehicle that left the lists is written as in its record.
    query = replace(query, reg=entries[0].reg if entries else query.reg)
    sections = rules.sections(entries)
    checks = Counter(entry.outcome for entry in sections["Checks"])
    return {
        "query": query,
        "sections": sections,
        "nothing_open": rules.NOTHING_OPEN,
        "checks": {each.label: checks[each.label] for each in CheckOutcome if checks[each.label]},
        "vehicle": queries.listed_vehicle(plate_key(query.reg)),
        "made_at": dates.utc_now(),
        "made_by": current_user().username,
        "csv_url": url_for("upkeep.vehicle_record_csv", vehicle=query.reg, months=query.months),
    }
