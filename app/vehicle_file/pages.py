"""Pages of the maintenance file and costs."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.config import Settings
from app.db import transaction
from app.due.rules.next_due import add_months
from app.errors import Invalid
from app.fleet.acts import DIVISIONS, fleet_page, for_fleet
from app.fleet.models import Vehicle
from app.fleet.queries.checks import plates_checked
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.vehicles import MAX_PLATES, clean_plate, plate_key
from app.fleet.schemas.vehicles import vehicle_problem
from app.money import count_of, format_number, format_pence
from app.periods import Period, first_day, periods
from app.records.lists import export_file, exports
from app.records.reports import Answer, Figure, Report, ReportPicture, ReportTable, bars_by_period
from app.vehicle_file import rules
from app.vehicle_file.queries import costs as cost_queries
from app.vehicle_file.queries import record as record_queries
from app.vehicle_file.queries.cost_sources import CostFilters, CostSource
from app.vehicle_file.queries.reader import RecordFilters
from app.vehicle_file.schemas import COST_FILE, KIND_COLUMNS, RECORD_FILE, VEHICLE_COLUMNS
from app.web import caching, rendered
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.limits import CostlyRequest, costly
from app.web.list_query import ListQuery, requested_page, typed_values
from app.web.navigation import shared_screens

bp = Blueprint("vehicle_file", __name__)
BLUEPRINTS = (bp,)

SCREENS = [
    *shared_screens(DIVISIONS, "Costs", "vehicle_file.costs", key="o"),
    *shared_screens(DIVISIONS, "DVSA file", "vehicle_file.vehicle_record", is_more=True, key="a"),
]


@dataclass(frozen=True, kw_only=True)
class RecordQuery(ListQuery[RecordFilters]):
    """The vehicle and months in an address, and what they mean."""

    reg: str
    listed: Vehicle | None
    months: int

    def download(self, name: str, subject: str) -> Response:
        """Return the file of its entries, noted in the audit trail; raises its first error."""
        filters = self.valid_filters
        with transaction():
            record(Event.EXPORT, subject, months=self.months)
        entries = record_queries.record_entries(filters)
        return export_file(name if name.isascii() else "record.csv", RECORD_FILE, entries)


@fleet_page(bp, "/fleet/record", "Failed to load the record")
def vehicle_record() -> ResponseReturnValue:
    """Show all that is on record about a vehicle, also a former one, in some months, to print."""
    query, context = _record_query(request.args), dict[str, Any]()
    if query.reg and not query.problems:
        entries = list(record_queries.record_entries(query.filters))
        # A vehicle that left the lists is written as in its record.
        query = replace(query, reg=entries[0].reg if entries else query.reg)
        sections = rules.sections(entries)
        found = Counter(entry.outcome for entry in sections["Checks"])
        checks = {each.label: found[each.label] for each in CheckOutcome if found[each.label]}
        context = {
            "sections": sections,
            "nothing_open": rules.NOTHING_OPEN,
            "checks": checks,
            "made_at": dates.utc_now(),
            "made_by": current_user().username,
        }
    context |= {"query": query, "plates": plates_checked(MAX_PLATES)}
    return render_template("vehicle_file/record.html", **context), 422 if query.problems else 200


@bp.get("/fleet/record/vehicle.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Failed to load the record")
def vehicle_record_csv() -> Response:
    """Stream the record of one vehicle as a file."""
    query = _record_query(request.args)
    key = query.filters.reg_key
    if not (key or query.problems):
        raise Invalid("Which vehicle? Enter its registration.")
    return query.download(f"record-{key}-{query.filters.end}.csv", f"record of {query.reg}")


@bp.get("/fleet/record/fleet.csv")
@for_fleet.to_change.by_managers
@costly(CostlyRequest.EXPORTS)
@failure_message("Failed to load the record")
def fleet_record_csv() -> Response:
    """Stream the record of all vehicles, also former ones, as one file, for managers."""
    query = _record_query({name: text for name, text in request.args.items() if name == "months"})
    return query.download(f"record-of-the-fleet-{query.filters.end}.csv", "record of the fleet")


def _record_query(args: Mapping[str, str]) -> RecordQuery:
    values = typed_values(args, ("vehicle", "months"))
    settings: Settings = current_app.config["QUARTERMASTER"]
    vehicle = values.get("vehicle", "")
    listed = record_queries.listed_vehicle(plate_key(vehicle)) if vehicle else None
    problem = "" if listed else vehicle_problem(vehicle)
    problems = {"vehicle": problem} if problem else {}
    months = min(settings.retention_months, rules.MAX_MONTHS)
    reg = listed.reg if listed else clean_plate(vehicle) if vehicle and not problems else ""
    try:
        months = rules.MONTHS.parse(values.get("months", "")) or months
    except Invalid as error:
        problems["months"] = error.message
    today = dates.today()
    filters = RecordFilters(add_months(today, -months), today, plate_key(reg))
    return RecordQuery(values, filters, problems, reg=reg, listed=listed, months=months)


@fleet_page(bp, "/fleet/costs", "Failed to load costs")
@caching.by_versions(*cost_queries.VERSIONS)
@rendered.kept("vehicle_file/costs.html")
def costs() -> Mapping[str, Any]:
    """Show the costs of vehicles by month, kind, vehicle and mile."""
    query = _cost_query(request.args)
    return COSTS.page(
        query,
        plates=plates_checked(MAX_PLATES),
        address=partial(url_for, "vehicle_file.costs"),
        file_address=partial(url_for, "vehicle_file.costs_csv", **_shared_values(query)),
    )


@fleet_page(bp, "/fleet/costs/rows", "Failed to load costs")
@caching.by_versions(*cost_queries.VERSIONS)
@rendered.kept("vehicle_file/cost_rows.html")
def cost_rows() -> Mapping[str, Any]:
    """Show the repairs, checks and done items that costs are made of, newest first."""
    query, page, pence = _cost_query(request.args), None, 0
    if not query.problems:
        page, pence = cost_queries.cost_page(query.filters, requested_page())
    return {
        "query": query,
        "problem": query.problems,
        "page": page,
        "pence": pence,
        "source_url": _source_url,
        "address": partial(url_for, "vehicle_file.cost_rows"),
    }


@bp.get("/fleet/costs/costs.csv")
@for_fleet
@exports("vehicle costs", "Failed to load costs")
def costs_csv() -> Response:
    """Stream the costs that match the filters as a file."""
    return COSTS.file(_cost_query(request.args))


def _cost_query(args: Mapping[str, str]) -> ListQuery[CostFilters]:
    """Return the filters in an address; without days they are the last twelve months."""
    values = typed_values(args, ("vehicle", "kind", "from", "to", dates.RANGE))
    start, end, problems = dates.parse_range(values)
    for name, day in (("from", start), ("to", end)):
        try:
            if day:
                dates.check_day(day)
        except Invalid as error:
            problems[name] = error.message
    end = end or dates.today()
    start = start or first_day(end)
    vehicle = values.get("vehicle", "")
    if problem := vehicle_problem(vehicle):
        problems["vehicle"] = problem
    try:
        kinds = [rules.CostKind(name) for name in values.get("kind", "").split(",") if name]
    except ValueError:
        kinds, problems["kind"] = [], "There is no such kind of cost."
    filters = CostFilters(start, end, plate_key(vehicle), kinds)
    return ListQuery(values, filters, problems)


def _answer(query: ListQuery[CostFilters]) -> Answer:
    report = cost_queries.cost_report(query.filters)
    values = _shared_values(query)
    picture = _picture(report, query.filters, query.values.get("vehicle", ""))
    if picture is None:
        return Answer(nothing="No costs in these days.")
    # To build each address would take half the time of the page.
    page, rows = url_for("vehicle_file.costs"), url_for("vehicle_file.cost_rows")

    def of_vehicle(url: str) -> Callable[[cost_queries.VehicleCost], str]:
        return lambda each: f"{url}?{urlencode({**values, 'vehicle': each.reg})}"

    miles = f"No vehicle has two accepted readings and {rules.MIN_MILES} miles in these days."
    if report.miles:
        driven = f"{format_number(report.miles)} miles of {count_of(report.measured, 'vehicle')}"
        miles = f"{format_pence(report.measured_pence)} for {driven}"
    return Answer(
        figures=[
            Figure(format_pence(report.pence), "", "Show the rows", f"{rows}?{urlencode(values)}"),
            Figure(rules.format_per_mile(report.per_mile), "a mile", miles),
        ],
        picture=picture,
        notes=[f"{rules.WHICH_COSTS} {rules.WHICH_MILES}"],
        tables=[
            ReportTable(
                "Costs by kind",
                KIND_COLUMNS,
                rules.kind_costs(report.months),
                {"cost": lambda total: f"{rows}?{urlencode({**values, 'kind': total[0]})}"},
                heading="By kind",
                kind="log pairs",
            ),
            ReportTable(
                "Costs by vehicle, the highest first",
                VEHICLE_COLUMNS,
                report.vehicles,
                {"reg": of_vehicle(page), "pence": of_vehicle(rows)},
                heading="By vehicle",
                kind="log by-vehicle",
            ),
        ],
        layout="split even",
    )


def _shared_values(query: ListQuery[CostFilters]) -> dict[str, Any]:
    of_vehicle = {name: query.values[name] for name in ("vehicle",) if name in query.values}
    return {**of_vehicle, "from": query.filters.start, "to": query.filters.end}


COSTS = Report(
    name="vehicle-costs",
    title="Costs",
    columns=lambda _: COST_FILE,
    rows=cost_queries.all_costs,
    answer=_answer,
)


def _picture(
    report: cost_queries.CostReport, filters: CostFilters, vehicle: str
) -> ReportPicture | None:
    each = periods(filters.start, filters.end)
    rows = url_for("vehicle_file.cost_rows")

    def link(kinds: Sequence[rules.CostKind], period: Period) -> str:
        values = {"vehicle": vehicle, "kind": ",".join(kinds)}
        filled = {name: text for name, text in values.items() if text}
        return f"{rows}?{urlencode({**filled, 'from': period.first, 'to': period.last})}"

    series = rules.series(report.months, each)
    return bars_by_period("Costs by month and kind", series, each, link, is_money=True)


def _panel(reg_key: str, _: Mapping[str, Any]) -> Mapping[str, Any]:
    today = dates.today()
    filters = CostFilters(first_day(today), today, reg_key)
    report = cost_queries.cost_report(filters)
    reg = report.vehicles[0].reg if report.vehicles else ""
    return {
        "picture": _picture(report, filters, reg),
        "per_mile": rules.format_per_mile(report.per_mile),
        "which_costs": rules.WHICH_COSTS,
    }


def _source_url(row: cost_queries.CostRow) -> str:
    if row.source is CostSource.REPAIR:
        return url_for("defects.repair", number=row.number)
    if row.source is CostSource.CHECK:
        return f"{url_for('fleet.checks', vehicle=row.reg)}#c{row.source_id}"
    return "/fleet/due"


PANELS = {"costs": _panel}
