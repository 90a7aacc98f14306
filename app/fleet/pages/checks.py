"""The checks list, its exports, and the review of a check."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.api.lists import json_array
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.errors import AlreadyUndone, Conflict, NotFound
from app.fleet.forms import ReviewCheckForm
from app.fleet.pages.scope import DIVISIONS, bp, for_fleet
from app.fleet.queries import checks as queries
from app.fleet.queries.checks import CheckFilters, CheckRow, ReviewState
from app.fleet.queries.templates import check_templates
from app.fleet.rules.checks import already_reviewed_message, labelled_values
from app.fleet.schemas.checks import CSV_COLUMNS, check_json, csv_rows, photo_urls
from app.fleet.services import checks as services
from app.fleet.services import templates as template_services
from app.fleet.services.checks import ReviewResult, UndoReviewResult
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.date_filters import parse_date_range
from app.web.downloads import csv_download, download
from app.web.error_pages import failure_message
from app.web.form_handling import flash_message, handle_form, handle_undo, render_dialog
from app.web.forms import UndoForm
from app.web.htmx import is_htmx, is_htmx_for
from app.web.list_query import ListQuery, typed_values
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(division, "Checks list", "fleet.checks") for division in DIVISIONS]

FLAGGED = "flagged"
UNREVIEWED_FIRST = "unreviewed"
FILTERS = ("q", "vehicle", "from", "to", "flags", "review", "sort")
RELOAD_EVENT = "checks-changed"

MAX_PLATES = 300
"""The most registrations that the filter lists."""


@bp.get("/fleetChecksList")
@for_fleet
@failure_message("Failed to load checks")
def checks() -> ResponseReturnValue:
    """Show a page of the checks, newest first or those without a review first."""
    unchanged = caching.not_modified(version_of(services.LIST), version_of(template_services.LIST))
    if unchanged is not None:
        return unchanged
    query = _list_query(request.args)
    page = None if query.problems else queries.check_page(query.filters, requested_page())
    context = {"query": query, "page": page, **_row_context()}
    status = 422 if query.problems else 200
    if is_htmx_for("list"):
        return render_template("fleet/_checks_list.html", is_fragment=True, **context), status
    # Nobody scrolls through more; then the registration is typed.
    plates = queries.plates_checked(MAX_PLATES + 1)
    listed = plates if len(plates) <= MAX_PLATES else None
    return render_template("fleet/checks.html", plates=listed, **context), status


@bp.get("/fleetChecksList/vehicle-checks.csv")
@for_fleet
@failure_message("Failed to load checks")
def checks_csv() -> Response:
    """Stream the checks that match the filters as CSV."""
    with transaction():
        record(Event.EXPORT, "vehicle checks")
    rows = csv_rows(queries.all_checks(_list_query(request.args).valid_filters))
    return csv_download("vehicle-checks.csv", CSV_COLUMNS, rows, quotes_all=True)


@bp.get("/fleetChecksList/vehicle-checks.json")
@for_fleet
@failure_message("Failed to load checks")
def checks_json() -> Response:
    """Stream the checks that match the filters as JSON, as the API writes them."""
    with transaction():
        record(Event.EXPORT, "vehicle checks")
    rows = map(check_json, queries.all_checks(_list_query(request.args).valid_filters))
    return download("vehicle-checks.json", json_array(rows), "application/json")


@bp.route("/fleetChecksList/<int(max=2147483647):check_id>/review", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def review_check(check_id: int) -> ResponseReturnValue:
    """Mark a check as reviewed, with a remark."""
    form = ReviewCheckForm()

    def action() -> ReviewResult:
        by = current_user().user_id
        return services.review_check(check_id, remark=form.remark.data, by=by)

    def render() -> str:
        check = queries.get_check(check_id)
        if check.review and not form.is_submitted():
            raise Conflict(already_reviewed_message(check.review.username, check.review.at))
        return render_dialog(
            "fleet/review_check.html",
            form=form,
            default_back=url_for("fleet.checks"),
            check=check,
        )

    return handle_form(
        form,
        ReviewResult,
        action,
        render=render,
        respond=lambda result: _respond_reviewed(form, result),
        reload_on=Conflict,
        reload_event=RELOAD_EVENT,
    )


def _respond_reviewed(form: ReviewCheckForm, result: ReviewResult) -> ResponseReturnValue:
    """Reply with the check's row; the list reloads if the row no longer matches its filters."""
    check = queries.get_check(result.check_id)
    message = f"Reviewed: {check.reg}."
    back = form.back_to or url_for("fleet.checks")
    is_standing = check.review and check.review_number == result.number
    undo = _undo_url(check) if is_standing else None
    if not is_htmx():
        flash_message(message, undo=undo)
        return redirect(back, 303)
    query = _list_query(dict(parse_qsl(urlsplit(back).query)))
    rows = [check] if queries.matches(check.id, query.filters) else []
    response = make_response(
        render_template(
            "fleet/_reviewed_check.html", rows=rows, message=message, undo=undo, **_row_context()
        )
    )
    if not rows:
        response.headers["HX-Trigger"] = RELOAD_EVENT
    return response


@bp.route(
    "/fleetChecksList/<int(max=2147483647):check_id>/reviews/<int(max=2147483647):number>/undo",
    methods=["GET", "POST"],
)
@for_fleet
@failure_message("Update failed")
def undo_review(check_id: int, number: int) -> ResponseReturnValue:
    """Take a check's review back after a confirmation; the Undo of a message posts at once."""
    form = UndoForm()
    back = url_for("fleet.checks")

    def render() -> str:
        check = queries.get_check(check_id)
        if number <= len(check.undone_reviews):
            raise AlreadyUndone
        if not check.review or number != check.review_number:
            raise NotFound("There is no such review.")
        return render_dialog("fleet/undo_review.html", form=form, default_back=back, check=check)

    def describe(result: UndoReviewResult) -> tuple[str, str | None]:
        check = queries.get_check(result.check_id)
        return f"Undone: {check.reg} is to be reviewed again.", None

    return handle_undo(
        form,
        UndoReviewResult,
        lambda: services.undo_review(check_id, number, by=current_user().user_id),
        render=render,
        describe=describe,
        back=form.back_to or back,
        reload_event=RELOAD_EVENT,
    )


def _undo_url(check: CheckRow) -> str:
    return url_for("fleet.undo_review", check_id=check.id, number=check.review_number)


def _row_context() -> dict[str, Any]:
    """Return what the template of a row calls."""
    templates = {template.key: template for template in check_templates()}
    return {
        "values_of": lambda row: labelled_values(
            row.items, templates.get(row.form_type), row.notes
        ),
        "photo_urls": photo_urls,
        "undo_url": _undo_url,
    }


def _list_query(args: Mapping[str, str]) -> ListQuery[CheckFilters]:
    values = typed_values(args, FILTERS)
    start, end, problems = parse_date_range(values)
    choices: dict[str, Sequence[str]] = {
        "flags": [FLAGGED],
        "review": list(ReviewState),
        "sort": [UNREVIEWED_FIRST],
    }
    for name, options in choices.items():
        if name in values and values[name] not in options:
            problems.append(f'There is no choice "{values[name][:40]}" of {name}.')
    filters = CheckFilters(
        search=values.get("q", ""),
        vehicle=values.get("vehicle", ""),
        start=start,
        end=end,
        flagged="flags" in values,
        review=next((state for state in ReviewState if state == values.get("review")), None),
        unreviewed_first="sort" in values,
    )
    return ListQuery(values, filters, tuple(problems))
