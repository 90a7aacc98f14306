"""The queue of checks to review, the review of a check, and its undo."""

from flask import make_response, render_template, url_for
from flask.typing import ResponseReturnValue

from app.errors import AlreadyUndone, Conflict, Invalid, NotFound
from app.fleet.acts import for_fleet
from app.fleet.forms import ReviewCheckForm
from app.fleet.pages.check_filters import (
    all_checks_url,
    arguments_of,
    check_list_query,
    is_queue,
    queue_place,
)
from app.fleet.pages.check_rows import queue_context, row_context, undo_url
from app.fleet.pages.scope import bp
from app.fleet.queries import checks as queries
from app.fleet.queries.review_queue import count_to_review, review_queue
from app.fleet.rules.checks import MAX_REMARK_LENGTH, already_reviewed_message
from app.fleet.services import checks as services
from app.fleet.services.checks import ReviewResult, UndoReviewResult
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, handle_undo, render_form, respond_done
from app.web.forms import UndoForm
from app.web.htmx import is_htmx, is_htmx_for, wants_json

RELOAD_EVENT = "checks-changed"


def render_queue(
    from_id: int, *, is_fragment: bool = False, message: str = "", undo: str | None = None
) -> str:
    """Render the queue of checks to review at the place of a check, or its content for htmx."""
    return render_template(
        "fleet/_queue_reply.html" if is_fragment else "fleet/review_queue.html",
        queue=review_queue(from_id),
        place=from_id,
        all_url=all_checks_url(),
        max_remark_length=MAX_REMARK_LENGTH,
        message=message,
        undo=undo,
        is_fragment=is_fragment,
        **queue_context(),
    )


@bp.route("/fleetChecksList/<row_id:check_id>/review", methods=["GET", "POST"])
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
        if is_htmx_for("list"):
            # The queue keeps its form as typed, below the message.
            raise form.refusal or Invalid(form.problems()[0][1])
        if check.review and not form.is_submitted():
            raise Conflict(already_reviewed_message(check.review.username, check.review.at))
        return render_form(
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
    """Reply with the queue, or with the check's row in the list.

    The list reloads if the row no longer matches its filters.
    """
    check = queries.get_check(result.check_id)
    message = f"Reviewed: {check.reg}."
    back = form.back_to or url_for("fleet.checks")
    is_standing = check.review and check.review_number == result.number
    undo = undo_url(check) if is_standing else None
    if wants_json() or not is_htmx():
        return respond_done(message, back=back, undo=undo)
    args = arguments_of(back)
    if is_htmx_for("list"):
        response = make_response(
            render_queue(queue_place(args), is_fragment=True, message=message, undo=undo)
        )
        response.headers["HX-Replace-Url"] = back
        return response
    rows = [check] if queries.matches(check.id, check_list_query(args).filters) else []
    response = make_response(
        render_template(
            "fleet/_reviewed_check.html",
            rows=rows,
            to_review=count_to_review(),
            message=message,
            undo=undo,
            **row_context(),
        )
    )
    if not rows:
        response.headers["HX-Trigger"] = RELOAD_EVENT
    return response


@bp.route(
    "/fleetChecksList/<row_id:check_id>/reviews/<row_id:number>/undo",
    methods=["GET", "POST"],
)
@for_fleet
@failure_message("Update failed")
def undo_review(check_id: int, number: int) -> ResponseReturnValue:
    """Take a check's review back after a confirmation; the Undo of a message posts at once."""
    form = UndoForm()
    back = form.back_to or url_for("fleet.checks")
    if back.partition("?")[0] == url_for("fleet.checks") and is_queue(arguments_of(back)):
        back = url_for("fleet.checks", check=check_id)

    def render() -> str:
        check = queries.get_check(check_id)
        if number <= len(check.undone_reviews):
            raise AlreadyUndone
        if not check.review or number != check.review_number:
            raise NotFound("There is no such review. Load the list again.")
        return render_form("fleet/undo_review.html", form=form, default_back=back, check=check)

    def describe(result: UndoReviewResult) -> tuple[str, str | None]:
        check = queries.get_check(result.check_id)
        return f"Undone: {check.reg} is to be reviewed again.", None

    return handle_undo(
        form,
        UndoReviewResult,
        lambda: services.undo_review(check_id, number, by=current_user().user_id),
        render=render,
        describe=describe,
        back=back,
        reload_event=RELOAD_EVENT,
    )
