"""The list of defects with its export, and the form that reports one by hand."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.errors import Invalid
from app.fleet.rules.plates import MAX_PLATES
from app.fleet.rules.versions import UPKEEP
from app.records.exports import csv_file, exports
from app.records.reading import read_page
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import defect_list as queries
from app.upkeep.queries.defect_list import NOT_ASSESSED
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules.defect_fields import DEFECT_ORDERS, SEVERITY, DefectTab
from app.upkeep.schemas.defect_files import DEFECT_FILE
from app.upkeep.schemas.defects import tab_list
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx, is_htmx_for
from app.web.list_query import requested_page
from app.web.navigation import Screen
from app.web.sorting import Sorting

SCREENS = [Screen(division, "Defects", "upkeep.defects") for division in DIVISIONS]


@bp.get("/fleet/defects")
@for_fleet
@failure_message("Failed to load defects")
def defects() -> ResponseReturnValue:
    """Show a page of the defects of a tab; a search for a number leads to that defect."""
    tab = _tab(request.args)
    record, orders = tab_list(tab), DEFECT_ORDERS[tab]
    query = record.parse(request.args)
    search = query.filters.get("q", "")
    number = queries.find_number(search)
    if number is not None and not is_htmx() and not queries.may_be_plate(search):
        return redirect(url_for("upkeep.defect", number=number))
    version = version_of(UPKEEP)
    unchanged = caching.not_modified(version, dates.today())
    if unchanged is not None:
        return unchanged
    page = read_page(record, query, requested_page(), version)
    order = query.order or orders.default
    address = partial(url_for, "upkeep.defects")
    context = {
        **row_context(),
        "tab": tab,
        "query": query,
        "values": query.filters,
        "page": page,
        "totals": queries.tab_totals(record.where(replace(query, scope=()))),
        "sorting": Sorting(orders, order, page.total, address, query.filters),
        "found": number,
    }
    status = 422 if query.problems else 200
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
@exports("defects")
def defects_csv() -> Response:
    """Stream the defects that match the filters as CSV."""
    record = tab_list(_tab(request.args))
    query = record.parse(request.args)
    for problem in query.problems.values():
        raise Invalid(problem)
    return csv_file("defects.csv", DEFECT_FILE, queries.all_defects(record.where(query)))


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


def _tab(args: Mapping[str, str]) -> DefectTab:
    text = args.get("state", "").strip()
    return DefectTab(text) if text in list(DefectTab) else DefectTab.OPEN
