"""Pages of checks and reviews."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.api.lists import json_array
from app.errors import AlreadyUndone, Conflict, Invalid, NotFound
from app.fleet.acts import DIVISIONS, fleet_page, for_fleet
from app.fleet.forms import ReviewCheckForm
from app.fleet.pages.vehicles import bp
from app.fleet.queries import checks as queries
from app.fleet.queries.check_form import templates_by_key
from app.fleet.queries.checks import CheckRow
from app.fleet.queries.review_queue import count_to_review, review_queue
from app.fleet.rules.check_answers import FieldRole, field_roles
from app.fleet.rules.checks import (
    MAX_REMARK_LENGTH,
    already_reviewed_message,
    damage_text,
    labelled_values,
)
from app.fleet.rules.templates import Template
from app.fleet.rules.vehicles import CHECK_TEMPLATES, CHECKS, MAX_PLATES
from app.fleet.schemas.checks import CHECK_FILE, CheckReply, photo_urls
from app.fleet.schemas.lists import CHECK_LIST
from app.fleet.services import checks as services
from app.fleet.services.checks import ReviewResult, UndoReviewResult
from app.paging import MAX_ID
from app.records.acts import Act, Target
from app.records.lists import export_file, exports, find_page, keeps_filters
from app.records.reading import is_match
from app.sorting import SORT, SortOrder
from app.versions import version_of
from app.web import caching, rendered
from app.web.access import current_user
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.form_handling import Undone, handle_undo, render_form, respond_done
from app.web.forms import UndoForm
from app.web.htmx import is_htmx, is_htmx_for, wants_json
from app.web.navigation import shared_screens
from app.web.remembered import VIEW


def all_checks_url(**arguments: Any) -> str:
    """Return the address of the list of all checks: a filter that is empty is one, too."""
    return url_for("fleet.checks", **{"review": ""} | arguments)


def is_queue(args: Mapping[str, str]) -> bool:
    """Return whether these arguments lead to the review queue; a view is always of the list."""
    return not any(name in args for name in (*CHECK_LIST.arguments, SORT, VIEW, "page"))


def queue_place(args: Mapping[str, str]) -> int:
    """Return the id of the check at which the queue opens, 0 for its beginning."""
    text = args.get("check", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 11 else 0
    return number if number <= MAX_ID else 0


_IN_HEADING = {FieldRole.PLATE, FieldRole.MILEAGE, FieldRole.DATE}


def undo_url(check: CheckRow) -> str:
    """Return the address that takes the review of a check back."""
    return url_for("fleet.undo_review", check_id=check.id, number=check.review_number)


def row_context() -> dict[str, Any]:
    """Return the context of a row's template."""
    templates = templates_by_key()
    return {
        "values_of": lambda row: labelled_values(
            row.items, templates.get(row.form_type), row.notes
        ),
        "photo_urls": photo_urls,
        "undo_url": undo_url,
    }


def _arguments_of(address: str) -> Mapping[str, str]:
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def _answers(check: CheckRow, template: Template | None) -> list[tuple[str, str]]:
    roles: Mapping[str, FieldRole] = field_roles(template) if template else {}
    items = {
        name: value for name, value in check.items.items() if roles.get(name) not in _IN_HEADING
    }
    return labelled_values(items, template, check.notes)


RELOAD_EVENT = "checks-changed"


def render_queue(
    from_id: int, *, is_fragment: bool = False, message: str = "", undo: str | None = None
) -> str:
    """Render the queue of checks to review at the place of a check, or its content for htmx."""
    templates = templates_by_key()
    return render_template(
        "fleet/_queue_reply.html" if is_fragment else "fleet/review_queue.html",
        queue=review_queue(from_id),
        place=from_id,
        all_url=all_checks_url(),
        max_remark_length=MAX_REMARK_LENGTH,
        message=message,
        undo=undo,
        is_fragment=is_fragment,
        answers_of=lambda row: _answers(row, templates.get(row.form_type)),
        damage_of=lambda row: damage_text(row.items),
        photo_urls=photo_urls,
    )


def _unreviewed(form: ReviewCheckForm, check: CheckRow) -> Mapping[str, Any]:
    if form.is_submitted() and is_htmx_for("list"):
        # The queue keeps its form as typed, below the message.
        raise form.refusal or Invalid(form.problems()[0][1])
    if check.review and not form.is_submitted():
        raise Conflict(already_reviewed_message(check.review.username, check.review.at))
    return {"check": check}


def _respond_reviewed(form: ReviewCheckForm, result: ReviewResult, _: Any) -> ResponseReturnValue:
    """Reply with the queue, or the check's row; without a match the list loads again."""
    check = queries.get_check(result.check_id)
    message = f"Reviewed: {check.reg}."
    back = form.back_to or url_for("fleet.checks")
    is_standing = check.review and check.review_number == result.number
    undo = undo_url(check) if is_standing else None
    if wants_json() or not is_htmx():
        return respond_done(message, back=back, undo=undo)
    args = _arguments_of(back)
    if is_htmx_for("list"):
        queue = render_queue(queue_place(args), is_fragment=True, message=message, undo=undo)
        return queue, 200, {"HX-Replace-Url": back}
    rows = [check] if is_match(CHECK_LIST, CHECK_LIST.parse(args), check.id) else []
    context = {"rows": rows, "to_review": count_to_review(), **row_context()}
    row = render_template("fleet/_reviewed_check.html", message=message, undo=undo, **context)
    return row, 200, {} if rows else {"HX-Trigger": RELOAD_EVENT}


REVIEW = Act(
    "review_check",
    "/fleetChecksList/<row_id:check_id>/review",
    for_fleet,
    ReviewCheckForm,
    services.review_check,
    "",
    Target[CheckRow](
        queries.get_check,
        lambda _: url_for("fleet.checks"),
        reload_event=RELOAD_EVENT,
        respond=_respond_reviewed,
    ),
    shows=_unreviewed,
)
"""The act that marks a check as reviewed, with a remark."""


@bp.route(
    "/fleetChecksList/<row_id:check_id>/reviews/<row_id:number>/undo", methods=["GET", "POST"]
)
@for_fleet
@failure_message("Update failed")
def undo_review(check_id: int, number: int) -> ResponseReturnValue:
    """Take a check's review back after a confirmation; the Undo of a message posts at once."""
    form = UndoForm()
    back = form.back_to or url_for("fleet.checks")
    if back.partition("?")[0] == url_for("fleet.checks") and is_queue(_arguments_of(back)):
        back = url_for("fleet.checks", check=check_id)

    def render() -> str:
        check = queries.get_check(check_id)
        if number <= len(check.undone_reviews):
            raise AlreadyUndone
        if not check.review or number != check.review_number:
            raise NotFound("There is no such review. Load the list again.")
        return render_form("fleet/undo_review.html", form=form, default_back=back, check=check)

    def describe(result: UndoReviewResult) -> Undone:
        check = queries.get_check(result.check_id)
        return Undone(f"Undone: {check.reg} is to be reviewed again.")

    return handle_undo(
        form,
        UndoReviewResult,
        lambda: services.undo_review(check_id, number, by=current_user().user_id),
        render=render,
        describe=describe,
        back=back,
        reload_event=RELOAD_EVENT,
    )


SCREENS = shared_screens(DIVISIONS, "Checks list", "fleet.checks", menu_label="Checks", key="c")


@fleet_page(bp, "/fleetChecksList", "Failed to load checks")
@keeps_filters(CHECK_LIST, remembered=())
def checks() -> ResponseReturnValue:
    """Show the queue of checks to review, or with filters a page of the checks."""
    version = version_of(CHECKS)
    if unchanged := caching.not_modified(version, version_of(CHECK_TEMPLATES)):
        return unchanged
    if is_queue(request.args):
        return render_queue(queue_place(request.args), is_fragment=is_htmx_for("list"))
    query = CHECK_LIST.parse(request.args)
    is_fragment = is_htmx_for("list")

    def load() -> Mapping[str, Any]:
        context = {
            "query": query,
            "all_url": all_checks_url(),
            "to_review": count_to_review(),
            **row_context(),
            "is_fragment": is_fragment,
        }
        if not query.problems:
            context |= find_page(CHECK_LIST, query, version, all_checks_url)
        if not is_fragment:
            plates = queries.plates_checked(MAX_PLATES + 1)
            # Nobody scrolls through more; then the registration is typed.
            context["plates"] = plates if len(plates) <= MAX_PLATES else None
        return context

    template = "fleet/_checks_list.html" if is_fragment else "fleet/checks.html"
    page = rendered.page(template, load, is_kept=not query.problems)
    return page, 422 if query.problems else 200


@bp.get("/fleetChecksList/vehicle-checks.csv")
@for_fleet
@exports("vehicle checks", "Failed to load checks")
def checks_csv() -> Response:
    """Stream the checks that match the filters as a file."""
    return export_file("vehicle-checks.csv", CHECK_FILE, _stream_matches(), quotes_all=True)


@bp.get("/fleetChecksList/vehicle-checks.json")
@for_fleet
@exports("vehicle checks", "Failed to load checks")
def checks_json() -> Response:
    """Stream the checks that match the filters as JSON, as the API writes them."""
    rows = map(CheckReply.write, _stream_matches())
    return download("vehicle-checks.json", json_array(rows), "application/json")


def _stream_matches() -> Iterator[CheckRow]:
    query = CHECK_LIST.parse(request.args)
    query.check()
    is_by_review = query.order == SortOrder("unreviewed")
    return queries.stream_checks(CHECK_LIST.where(query), unreviewed_first=is_by_review)
