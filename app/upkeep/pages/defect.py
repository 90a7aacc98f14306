"""The page of one defect, and the forms that decide about it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.attachments.rules import TOO_LARGE_TOGETHER
from app.attachments.services import PreparedFile, prepare_files
from app.errors import EditConflict
from app.fleet.rules.findings import Severity
from app.fleet.rules.versions import UPKEEP
from app.fleet.schemas.checks import photo_urls
from app.upkeep.forms.defects import (
    AssessDefectForm,
    BookDefectForm,
    CloseDefectForm,
    NoteDefectForm,
    SignOffForm,
)
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.pages.defects import row_context
from app.upkeep.queries import defect_list, off_road, repairs
from app.upkeep.queries import defects as queries
from app.upkeep.queries.defect_timeline import timeline
from app.upkeep.queries.last_changes import last_change
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules.kinds import DefectState
from app.upkeep.rules.words import near_day
from app.upkeep.services import defect_decisions as services
from app.upkeep.services.defect_decisions import DefectResult
from app.upkeep.services.defects import SUBJECT
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_with_page
from app.web.forms import Form
from app.web.limits import CostlyRequest, costly
from app.web.navigation import back_link

DEFECT = "/fleet/defects/<int(max=999999999):number>"

MAX_OF_VEHICLE = 6
"""The most defects on a vehicle's page."""

MAX_OTHERS = 50
"""The most other defects that one can be a duplicate of in the form."""


@bp.get(DEFECT)
@for_fleet
@failure_message("Failed to load the defect")
def defect(number: int) -> ResponseReturnValue:
    """Show a defect: where it stands, what happened, and what can be done."""
    back = back_link("/fleet/defects") or url_for("upkeep.defects")
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today(), back)
    if unchanged is not None:
        return unchanged
    row, today = queries.get_defect(number), dates.today()
    vehicle_ids = off_road.vehicle_ids([row.reg_key])
    time = off_road.current_times([row.reg_key]).get(row.reg_key)
    return render_template(
        "upkeep/defect.html",
        **row_context(),
        defect=row,
        seen_after_repair=queries.seen_after_repair([row]).get(row.id),
        seen=defect_list.seen_again([row.id])[row.id],
        entries=timeline(row),
        is_undone=row.id in queries.with_undone_repair([row]),
        steps=texts.steps(row.state, row.closing),
        describe_severity=texts.describe_severity,
        closing_labels=texts.CLOSING_LABELS,
        weekday=partial(texts.weekday, today=today),
        near_day=partial(near_day, today=today),
        photo_urls=photo_urls,
        vehicle_id=vehicle_ids.get(row.reg_key),
        is_off_road=time is not None,
        off_road=time,
        repeat_of=queries.defect_by_id(row.repeat_of_id) if row.repeat_of_id else None,
        next_defect=queries.next_defect(row) if row.closed_at else None,
        duplicate_of=queries.defect_by_id(row.duplicate_of_id) if row.duplicate_of_id else None,
        attachments=attachments_of(SUBJECT, [row.id]).get(row.id, ()),
        back=back,
    )


@bp.route(f"{DEFECT}/assess", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def assess_defect(number: int) -> ResponseReturnValue:
    """Set how bad a defect is, as a manager."""
    form = AssessDefectForm()
    if not form.is_submitted():
        severity = queries.get_defect(number).severity
        form.severity.data = severity.value if severity else ""

    def action(revision: int) -> DefectResult:
        return services.assess_defect(
            number,
            Severity(form.severity.data),
            note=form.note.data,
            revision=revision,
            by=current_user().user_id,
        )

    return _handle(
        number, form, action, "assess_defect", "Assessed", meanings=texts.SEVERITY_MEANINGS
    )


@bp.route(f"{DEFECT}/book", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def book_defect(number: int) -> ResponseReturnValue:
    """Book a defect in at a garage."""
    is_new_form = request.method == "GET"
    form = BookDefectForm(obj=queries.get_defect(number) if is_new_form else None)

    def action(revision: int) -> DefectResult:
        by = current_user().user_id
        return services.book_defect(
            number, form.booking(), note=form.note.data, revision=revision, by=by
        )

    return _handle(
        number,
        form,
        action,
        "book_defect",
        "Booked in",
        is_of_repaired=False,
        garages=repairs.garages(),
    )


@bp.route(f"{DEFECT}/note", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@costly(CostlyRequest.PHOTOS)
@failure_message("Update failed", too_large=TOO_LARGE_TOGETHER)
def note_defect(number: int) -> ResponseReturnValue:
    """Add a note to a defect."""
    form = NoteDefectForm()

    by = current_user().user_id
    prepared: list[PreparedFile] = []

    def prepare() -> None:
        prepared[:] = prepare_files(form.files.data, by=by)

    def action(_: int) -> DefectResult:
        return services.note_defect(number, form.text.data, prepared, by=by)

    return _handle(number, form, action, "note_defect", "Noted", prepare=prepare)


@bp.route(f"{DEFECT}/close", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def close_defect(number: int) -> ResponseReturnValue:
    """Close a defect with a reason, as a manager."""
    form = CloseDefectForm()

    def action(revision: int) -> DefectResult:
        by = current_user().user_id
        return services.close_defect(number, form.choice(), revision=revision, by=by)

    others = queries.open_defects([queries.get_defect(number).reg_key])
    return _handle(
        number,
        form,
        action,
        "close_defect",
        "Closed",
        is_of_repaired=False,
        others=[
            each for rows in others.values() for each in rows[:MAX_OTHERS] if each.number != number
        ],
    )


@bp.route(f"{DEFECT}/sign-off", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def sign_off_defect(number: int) -> ResponseReturnValue:
    """Sign a repaired defect off, as a manager."""
    form = SignOffForm()

    def action(revision: int) -> DefectResult:
        by = current_user().user_id
        return services.sign_off_defect(number, revision=revision, by=by)

    row = queries.get_defect(number)
    return _handle(
        number,
        form,
        action,
        "sign_off_defect",
        "Signed off",
        is_of_repaired=True,
        repair=queries.standing_repair(row),
        seen_after_repair=queries.seen_after_repair([row]).get(row.id),
        describe_seen=texts.seen_after_repair,
    )


def panel(reg_key: str) -> Mapping[str, Any]:
    """Return what a vehicle's page shows of its defects."""
    return {
        **row_context(),
        "rows": defect_list.defects_of_vehicle(reg_key, MAX_OF_VEHICLE),
        "total": defect_list.count_of_vehicle(reg_key),
    }


def _handle(
    number: int,
    form: Form,
    action: Callable[[int], DefectResult],
    name: str,
    done: str,
    prepare: Callable[[], None] | None = None,
    is_of_repaired: bool | None = None,
    **context: Any,
) -> ResponseReturnValue:
    """Handle a form about a defect, which has the revision that it was opened with.

    `action` takes that revision, and `done` says in the message what was done. `is_of_repaired`
    tells whether it is for repaired defects or for others; None means for both.
    """
    page = url_for("upkeep.defect", number=number)
    revision = getattr(form, "revision", None)

    def render() -> str:
        row = queries.get_defect(number)
        closed = queries.closed_message(row)
        is_repaired = row.state is DefectState.REPAIRED
        is_over = bool(closed) or is_of_repaired not in (None, is_repaired)
        has_conflict = isinstance(form.refusal, EditConflict)
        if has_conflict and is_over:
            change = last_change(SUBJECT, row.id)
            form.form_errors[:] = [f"{change}. Close this, and look at the defect again."]
        if revision is not None and (has_conflict or not form.is_submitted()):
            revision.data = row.revision
        return render_dialog(
            f"upkeep/{name}.html",
            form=form,
            default_back=page,
            defect=row,
            has_conflict=has_conflict,
            closed=closed,
            is_repaired=is_repaired,
            is_over=is_over,
            standing=partial(texts.standing_of, today=dates.today()),
            **context,
        )

    def run() -> DefectResult:
        return action(-1 if revision is None else revision.sent)

    return handle_form(
        form,
        DefectResult,
        run,
        render=render,
        respond=lambda result: respond_with_page(f"{done}: {result.reference}.", page),
        prepare=prepare,
    )
