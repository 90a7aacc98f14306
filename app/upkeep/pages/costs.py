"""The costs of vehicles: sums with a picture, the rows behind them, and their file."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.charts import stacked_bars
from app.errors import Invalid
from app.fleet.queries.checks import plates_checked
from app.fleet.rules.plates import MAX_PLATES, plate_key
from app.money import format_pence
from app.paging import Page, clamp_page
from app.records.exports import csv_file, exports
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import costs as queries
from app.upkeep.queries.cost_sources import CostFilters, CostSource
from app.upkeep.queries.costs import CostReport, CostRow
from app.upkeep.rules import costs as rules
from app.upkeep.rules.costs import CostKind
from app.upkeep.schemas.costs import COST_FILE
from app.upkeep.schemas.vehicle_filter import vehicle_problems
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import ListQuery, requested_page, typed_values
from app.web.navigation import Screen

SCREENS = [Screen(division, "Costs", "upkeep.costs") for division in DIVISIONS]

FILTERS = ("vehicle", "kind", "from", "to")
VEHICLES_PER_PAGE = 100


@bp.get("/fleet/costs")
@for_fleet
@failure_message("Failed to load costs")
def costs() -> ResponseReturnValue:
    """Show the costs of vehicles by month, kind, vehicle and mile."""
    today = dates.today()
    unchanged = caching.not_modified(*queries.data_versions(), today)
    if unchanged is not None:
        return unchanged
    query = cost_query(request.args, today)
    report = queries.cost_report(query.filters) if not query.problems else None
    page = None
    if report:
        number, pages = clamp_page(
            requested_page(), total=len(report.vehicles), per_page=VEHICLES_PER_PAGE
        )
        first = (number - 1) * VEHICLES_PER_PAGE
        rows = report.vehicles[first : first + VEHICLES_PER_PAGE]
        page = Page(rows, number, pages, len(report.vehicles))
    context = {"query": query, "report": report, "page": page, "plates": plates_checked(MAX_PLATES)}
    if report:
        context |= picture_context(report, query.filters)
    return render_template("upkeep/costs.html", **context), 422 if query.problems else 200


@bp.get("/fleet/costs/rows")
@for_fleet
@failure_message("Failed to load costs")
def cost_rows() -> ResponseReturnValue:
    """Show the repairs, checks and done items that costs are made of, newest first."""
    today = dates.today()
    unchanged = caching.not_modified(*queries.data_versions(), today)
    if unchanged is not None:
        return unchanged
    query = cost_query(request.args, today)
    page = None if query.problems else queries.cost_page(query.filters, requested_page())
    return render_template(
        "upkeep/cost_rows.html",
        query=query,
        page=page,
        pence=sum(cost.pence for cost in queries.month_costs(query.filters)) if page else 0,
        source_url=_source_url,
        address=partial(url_for, "upkeep.cost_rows"),
    ), 422 if query.problems else 200


@bp.get("/fleet/costs/costs.csv")
@for_fleet
@exports("vehicle costs", "Failed to load costs")
def costs_csv() -> Response:
    """Stream the costs that match the filters as CSV."""
    filters = cost_query(request.args, dates.today()).valid_filters
    return csv_file("vehicle-costs.csv", COST_FILE, queries.all_costs(filters))


def cost_query(args: Mapping[str, str], today: date) -> ListQuery[CostFilters]:
    """Return the filters in an address; without days they are the last twelve months."""
    values = typed_values(args, FILTERS)
    start, end, found = dates.parse_range(values)
    problems = [*found.values()]
    for day in (start, end):
        try:
            dates.check_day(day or today)
        except Invalid as error:
            problems.append(error.message)
    end = end or today
    start = start or rules.first_day(end)
    vehicle = values.get("vehicle", "")
    problems += vehicle_problems(vehicle)
    try:
        kinds = _parse_kinds(values.get("kind", ""))
    except Invalid as error:
        kinds = []
        problems.append(error.message)
    filters = CostFilters(start, end, plate_key(vehicle), kinds)
    return ListQuery(values, filters, tuple(problems))


def picture_context(report: CostReport, filters: CostFilters) -> dict[str, Any]:
    """Return the context of the picture and its table."""
    periods = rules.periods(filters.start, filters.end)
    series = rules.series(report.months, periods)
    return {
        "periods": periods,
        "series": series,
        "kinds": rules.kind_costs(report.months),
        "picture": stacked_bars(
            [period.label for period in periods], [each.pence for each in series], unit=100
        ),
        "sum_text": lambda pence: format_pence(round(pence, -2)).removesuffix(".00"),
        "per_mile": rules.format_per_mile,
        "which_costs": rules.WHICH_COSTS,
        "min_miles": rules.MIN_MILES,
        "rows_url": partial(url_for, "upkeep.cost_rows"),
    }


def panel(reg_key: str) -> Mapping[str, Any]:
    """Return the costs of the last twelve months for a vehicle's page."""
    today = dates.today()
    filters = CostFilters(rules.first_day(today), today, reg_key)
    report = queries.cost_report(filters)
    return {"report": report, "filters": filters, **picture_context(report, filters)}


def _parse_kinds(text: str) -> list[CostKind]:
    try:
        return [CostKind(name) for name in text.split(",") if name]
    except ValueError:
        raise Invalid("There is no such kind of cost.") from None


def _source_url(row: CostRow) -> str:
    if row.source is CostSource.REPAIR:
        return url_for("upkeep.repair", number=row.number)
    if row.source is CostSource.CHECK:
        return f"{url_for('fleet.checks', vehicle=row.reg)}#c{row.source_id}"
    return "/fleet/due"
