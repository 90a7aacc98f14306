"""The list of defects with its export, and the form that reports one by hand."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.errors import Invalid
from app.fleet.rules.findings import Severity
from app.fleet.rules.plates import MAX_PLATES
from app.fleet.rules.versions import UPKEEP
from app.records.record import csv_lines
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.pages.vehicle_filters import vehicle_problems
from app.upkeep.queries import defect_list as queries
from app.upkeep.queries.defect_list import NOT_ASSESSED, DefectFilters
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules.defect_fields import DEFECT_ORDERS, SEVERITY, DefectTab
from app.upkeep.schemas.defect_files import DEFECT_FILE
from app.versions import version_of
from app.web import caching
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx, is_htmx_for
from app.web.limits import CostlyRequest, costly
from app.web.list_query import SORT, typed_values
from app.web.navigation import Screen
from app.web.paging import requested_page
from app.web.sorting import Sorting

SCREENS = [Screen(division, "Defects", "upkeep.defects") for division in DIVISIONS]

CHOICES: Mapping[str, Collection[str]] = {
    "state": [*DefectTab],
    "severity": [NOT_ASSESSED, *Severity],
}
"""The possible values of the list's filters."""


@bp.get("/fleet/defects")
@for_fleet
@failure_message("Failed to load defects")
def defects() -> ResponseReturnValue:
    """Show a page of the defects of a tab; a search for a number leads to that defect."""
    values = _values(request.args)
    search = values.get("q", "")
    number = queries.find_number(search)
    if number is not None and not is_htmx() and not queries.may_be_plate(search):
        return redirect(url_for("upkeep.defect", number=number))
    today = dates.today()
    unchanged = caching.not_modified(version_of(UPKEEP), today)
    if unchanged is not None:
        return unchanged
    filters = _filters(values)
    problems = _problems(request.args, filters)
    orders = DEFECT_ORDERS[filters.tab or DefectTab.OPEN]
    order = orders.parse(request.args.get(SORT, ""))
    page = queries.defect_page(filters, order, requested_page())
    address = partial(url_for, "upkeep.defects")
    context = {
        **row_context(),
        "filters": filters,
        "problems": problems,
        "values": values,
        "page": page,
        "totals": queries.tab_totals(filters),
        "sorting": Sorting(orders, order, page.total, address, values),
        "found": number,
    }
    status = 422 if problems else 200
    if is_htmx_for("list"):
        return render_template("upkeep/_defects_list.html", is_fragment=True, **context), status
    # Nobody scrolls through more; then the registration is typed.
    plates = queries.plates_with_defects(MAX_PLATES + 1)
    return render_template(
        "upkeep/defects.html",
        plates=plates if len(plates) <= MAX_PLATES else None,
        severities={**{each: each.label for each in SEVERITY.members}, NOT_ASSESSED: SEVERITY.none},
        **context,
    ), status


@bp.get("/fleet/defects.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Export failed")
def defects_csv() -> Response:
    """Stream the defects that match the filters as CSV."""
    filters = _filters(_values(request.args))
    for problem in _problems(request.args, filters):
        raise Invalid(problem)
    with transaction():
        record(Event.EXPORT, "defects")
    return download("defects.csv", csv_lines(DEFECT_FILE, queries.all_defects(filters)), "text/csv")


def row_context() -> Mapping[str, Any]:
    """Return the functions of a row's template."""
    today = dates.today()
    return {
        "severity_label": texts.severity_label,
        "severity_tone": texts.severity_tone,
        "standing": partial(texts.standing_of, today=today),
        "describe_seen": texts.seen_after_repair,
        "age": lambda defect: (today - defect.day).days,
    }


def _values(args: Mapping[str, str]) -> dict[str, str]:
    """Return the filters in an address, without invalid ones."""
    values = typed_values(args, ("state", "q", "vehicle", "severity"))
    return {
        name: text for name, text in values.items() if name not in CHOICES or text in CHOICES[name]
    }


def _problems(args: Mapping[str, str], filters: DefectFilters) -> Sequence[str]:
    values = typed_values(args, CHOICES)
    unknown = [name for name, text in values.items() if text not in CHOICES[name]]
    return [*(f"There is no such {name}." for name in unknown), *vehicle_problems(filters.vehicle)]


def _filters(values: Mapping[str, str]) -> DefectFilters:
    return DefectFilters(
        tab=DefectTab(values.get("state", DefectTab.OPEN)),
        search=values.get("q", ""),
        vehicle=values.get("vehicle", ""),
        severity=values.get("severity", ""),
    )
