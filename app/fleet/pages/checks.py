"""The checks list and its exports; without filters its address opens the review queue."""

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from app.api.lists import json_array
from app.fleet.acts import DIVISIONS, for_fleet
from app.fleet.pages.check_filters import (
    all_checks_url,
    check_list_query,
    is_queue,
    list_url,
    queue_place,
)
from app.fleet.pages.check_rows import row_context
from app.fleet.pages.reviews import render_queue
from app.fleet.pages.scope import bp
from app.fleet.queries import checks as queries
from app.fleet.queries.review_queue import count_to_review
from app.fleet.rules.plates import MAX_PLATES
from app.fleet.rules.sorting import CHECK_ORDERS
from app.fleet.rules.versions import CHECK_TEMPLATES, CHECKS
from app.fleet.schemas.checks import CSV_COLUMNS, check_json, csv_rows
from app.records.exports import exports
from app.versions import version_of
from app.web import caching
from app.web.downloads import csv_download, download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.list_query import requested_page
from app.web.navigation import Screen
from app.web.sorting import Sorting

SCREENS = [Screen(division, "Checks list", "fleet.checks") for division in DIVISIONS]


@bp.get("/fleetChecksList")
@for_fleet
@failure_message("Failed to load checks")
def checks() -> ResponseReturnValue:
    """Show the queue of checks to review, or with filters a page of the checks."""
    unchanged = caching.not_modified(version_of(CHECKS), version_of(CHECK_TEMPLATES))
    if unchanged is not None:
        return unchanged
    if is_queue(request.args):
        return render_queue(queue_place(request.args), is_fragment=is_htmx_for("list"))
    query = check_list_query(request.args)
    page = None if query.problems else queries.check_page(query.filters, requested_page())
    sorting = None
    if page:
        sorting = Sorting(
            CHECK_ORDERS, query.filters.order, page.total, list_url, query.without_order
        )
    context = {
        "query": query,
        "page": page,
        "sorting": sorting,
        "all_url": all_checks_url(),
        "to_review": count_to_review(),
        **row_context(),
    }
    status = 422 if query.problems else 200
    if is_htmx_for("list"):
        return render_template("fleet/_checks_list.html", is_fragment=True, **context), status
    # Nobody scrolls through more; then the registration is typed.
    plates = queries.plates_checked(MAX_PLATES + 1)
    listed = plates if len(plates) <= MAX_PLATES else None
    return render_template("fleet/checks.html", plates=listed, **context), status


@bp.get("/fleetChecksList/vehicle-checks.csv")
@for_fleet
@exports("vehicle checks", "Failed to load checks")
def checks_csv() -> Response:
    """Stream the checks that match the filters as CSV."""
    rows = csv_rows(queries.all_checks(check_list_query(request.args).valid_filters))
    return csv_download("vehicle-checks.csv", CSV_COLUMNS, rows, quotes_all=True)


@bp.get("/fleetChecksList/vehicle-checks.json")
@for_fleet
@exports("vehicle checks", "Failed to load checks")
def checks_json() -> Response:
    """Stream the checks that match the filters as JSON, as the API writes them."""
    rows = map(check_json, queries.all_checks(check_list_query(request.args).valid_filters))
    return download("vehicle-checks.json", json_array(rows), "application/json")
