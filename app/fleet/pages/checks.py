"""The list for reviewing checks, its exports, and the review."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.api.lists import json_array
from app.db import transaction
from app.errors import Conflict, QuartermasterError
from app.fleet.forms import ReviewForm
from app.fleet.pages.addresses import OWNERS, bp, for_owners
from app.fleet.queries import checks as queries
from app.fleet.queries.checks import CheckFilter, ReviewState
from app.fleet.queries.templates import form_templates
from app.fleet.rules.checks import labelled, say_reviewed_before
from app.fleet.schemas.checks import CSV_COLUMNS, check_json, csv_rows, photo_urls
from app.fleet.services import checks as services
from app.fleet.services import templates as template_services
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.date_filters import parse_date_range
from app.web.downloads import csv_download, download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx, is_htmx_for
from app.web.idempotency import exactly_once
from app.web.list_query import ListQuery, typed_values
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(division, "Checks list", "fleet.checks") for division in OWNERS]

FLAGGED = "flagged"
UNREVIEWED_FIRST = "unreviewed"
FILTERS = ("q", "vehicle", "from", "to", "flags", "review", "sort")


@bp.get("/fleetChecksList")
@for_owners
@failure_message("Failed to load checks")
def checks() -> ResponseReturnValue:
    """Show the checks, 20 at a time, newest first or those that nobody has reviewed yet."""
    same = caching.not_modified(version_of(services.LIST), version_of(template_services.LIST))
    if same is not None:
        return same
    asked = _asked(request.args)
    page = None if asked.problems else queries.check_page(asked.filters, requested_page())
    context = {"asked": asked, "page": page, **_shows_rows()}
    status = 422 if asked.problems else 200
    if is_htmx_for("list"):
        return render_template("fleet/_checks_list.html", is_fragment=True, **context), status
    plates = queries.plates_checked()
    return render_template("fleet/checks.html", plates=plates, **context), status


@bp.get("/fleetChecksList/vehicle-checks.csv")
@for_owners
@failure_message("Failed to load checks")
def checks_csv() -> Response:
    """Send all checks that the filters show as CSV, while they are read."""
    rows = csv_rows(queries.all_checks(_asked(request.args).valid_filters))
    return csv_download("vehicle-checks.csv", CSV_COLUMNS, rows, quotes_all=True)


@bp.get("/fleetChecksList/vehicle-checks.json")
@for_owners
@failure_message("Failed to load checks")
def checks_json() -> Response:
    """Send all checks that the filters show as the calls give them, while they are read."""
    rows = map(check_json, queries.all_checks(_asked(request.args).valid_filters))
    return download("vehicle-checks.json", json_array(rows), "application/json")


@bp.route("/fleetChecksList/<int(max=2147483647):check_id>/review", methods=["GET", "POST"])
@for_owners
@access.redisplays_form
@failure_message("Update failed")
def review(check_id: int) -> ResponseReturnValue:
    """Ask for a remark, then mark a check as reviewed."""
    form = ReviewForm()
    status = 200
    if form.is_submitted():
        status = 422
        if form.validate():
            try:
                with transaction():
                    exactly_once(
                        form.submission(),
                        services.Reviewed,
                        lambda: services.review_check(
                            check_id, remark=form.remark.data, by=current_user().user_id
                        ),
                    )
                return _reviewed(form, check_id)
            except QuartermasterError as error:
                form.refuse(error)
                status = error.status
    check = queries.check(check_id)
    if check.review and not form.is_submitted():
        raise Conflict(say_reviewed_before(check.review.by, check.review.at))
    fragment = "_" if is_htmx() else ""
    back = form.back_to or url_for("fleet.checks")
    page = render_template(f"fleet/{fragment}review.html", check=check, form=form, back=back)
    response = make_response(page, status)
    if isinstance(form.refusal, Conflict):
        response.headers["HX-Trigger"] = "checks-changed"
    return response


def _reviewed(form: ReviewForm, check_id: int) -> ResponseReturnValue:
    """Show the row anew; one that the filters no longer show leaves the list."""
    check = queries.check(check_id)
    said = f"Reviewed: {check.reg}."
    back = form.back_to or url_for("fleet.checks")
    if not is_htmx():
        flash(said)
        return redirect(back, 303)
    asked = _asked(dict(parse_qsl(urlsplit(back).query)))
    rows = [check] if queries.is_shown(check_id, asked.filters) else []
    response = make_response(
        render_template("fleet/_reviewed.html", rows=rows, said=said, **_shows_rows())
    )
    if not rows:
        response.headers["HX-Trigger"] = "checks-changed"
    return response


def _shows_rows() -> dict[str, Any]:
    """Return what rows need to show fields under their labels, and photos."""
    forms = {form.key: form for form in form_templates()}
    return {
        "fields_of": lambda row: labelled(row.items, forms.get(row.form_type), row.notes),
        "photo_urls": photo_urls,
    }


def _asked(args: Mapping[str, str]) -> ListQuery[CheckFilter]:
    values = typed_values(args, FILTERS)
    start, end, problems = parse_date_range(values)
    choices: dict[str, Sequence[str]] = {
        "flags": [FLAGGED],
        "review": list(ReviewState),
        "sort": [UNREVIEWED_FIRST],
    }
    for name, offered in choices.items():
        if name in values and values[name] not in offered:
            problems.append(f'There is no choice "{values[name][:40]}" of {name}.')
    shown = CheckFilter(
        search=values.get("q", ""),
        vehicle=values.get("vehicle", ""),
        start=start,
        end=end,
        flagged="flags" in values,
        review=next((state for state in ReviewState if state == values.get("review")), None),
        unreviewed_first="sort" in values,
    )
    return ListQuery(values, shown, tuple(problems))
