"""The forms of what is due: add, change, snooze, withdraw, import, done and its undo."""

from datetime import date
from typing import Any

from flask import current_app, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.rules import TOO_LARGE_TOGETHER
from app.attachments.services import PreparedFile, prepare_files
from app.errors import EditConflict
from app.fleet.queries import vehicles
from app.lists import ListChange
from app.upkeep.forms.due import (
    AddDueForm,
    CsvForm,
    DoneForm,
    EditDueForm,
    SnoozeForm,
    WithdrawForm,
)
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.pages.due import ONE_ITEM
from app.upkeep.pages.imports import DryRun, handle_import
from app.upkeep.queries import done as done_queries
from app.upkeep.queries import due as queries
from app.upkeep.queries.readings import current_mileage
from app.upkeep.rules.due_kinds import KINDS, MAX_SNOOZE_DAYS, in_sentence
from app.upkeep.rules.kinds import DoneResult, DueKind
from app.upkeep.rules.next_due import Proposed, first_mot
from app.upkeep.schemas.files import read_due
from app.upkeep.services import done as done_services
from app.upkeep.services import due as services
from app.upkeep.services import due_lists
from app.upkeep.services.done import DoneChange, DoneValues, describe_next
from app.upkeep.services.due import DueChange, DueValues
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, handle_undo, render_dialog, respond_done
from app.web.forms import UndoForm
from app.web.limits import CostlyRequest, costly

MAX_PLATES = 300
"""The most registrations that a form suggests."""


@bp.route("/fleet/due/add", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def add_due() -> ResponseReturnValue:
    """Add an item; `?vehicle=` and `?kind=` fill in whose and which."""
    form = AddDueForm()
    if not form.is_submitted():
        form.regs.raw_data = [request.args.get("vehicle", "")[:20]]
        form.kind.data = request.args.get("kind", DueKind.MOT)

    def action() -> DueChange:
        return services.add_item(_values(form, form.kind.data, _due_on(form)), by=_by())

    def render() -> str:
        return render_dialog(
            "upkeep/add_due.html",
            form=form,
            default_back=url_for("upkeep.due"),
            plates=plates(),
            years=_first_mot_years(),
        )

    return handle_form(form, DueChange, action, render=render, respond=_respond("Added"))


@bp.route(f"{ONE_ITEM}/edit", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def edit_due(item_id: int) -> ResponseReturnValue:
    """Change when an item is due, and who shares it."""
    item = queries.get_item(item_id)
    is_new = not EditDueForm().is_submitted()
    form = EditDueForm(obj=item if is_new else None)
    shared = queries.shared_vehicles([item.id]).get(item.id, {})
    if is_new:
        form.regs.data = list(shared.values())

    def action() -> DueChange:
        values = _values(form, item.kind, form.due_on.data, regs=None if shared else [item.reg])
        return services.edit_item(item_id, values, revision=form.revision.sent, by=_by())

    def render() -> str:
        return _render_item("edit_due", form, item_id, is_shared=bool(shared), plates=plates())

    return handle_form(form, DueChange, action, render=render, respond=_respond("Saved"))


@bp.route(f"{ONE_ITEM}/snooze", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def snooze_due(item_id: int) -> ResponseReturnValue:
    """Keep an item quiet until a day."""
    form = SnoozeForm()

    def action() -> DueChange:
        return services.snooze_item(
            item_id,
            form.until.data,
            reason=form.reason.data,
            revision=form.revision.sent,
            by=_by(),
        )

    def render() -> str:
        return _render_item("snooze_due", form, item_id, most_days=MAX_SNOOZE_DAYS)

    return handle_form(form, DueChange, action, render=render, respond=_respond("Snoozed"))


@bp.route(f"{ONE_ITEM}/withdraw", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def withdraw_due(item_id: int) -> ResponseReturnValue:
    """Withdraw an item that isn't due any more, after a confirmation."""
    form = WithdrawForm()

    def action() -> DueChange:
        return services.withdraw_item(item_id, revision=form.revision.sent, by=_by())

    def render() -> str:
        return _render_item("withdraw_due", form, item_id)

    return handle_form(form, DueChange, action, render=render, respond=_respond("Withdrew"))


@bp.route(f"{ONE_ITEM}/done", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@costly(CostlyRequest.PHOTOS)
@failure_message("Update failed", too_large=TOO_LARGE_TOGETHER)
def done_due(item_id: int) -> ResponseReturnValue:
    """Say what was done about an item, and when it is due again."""
    form = DoneForm()
    item = queries.get_item(item_id)
    if not form.is_submitted():
        form.revision.data = item.revision
        form.done_on.data = dates.today()
    prepared: list[PreparedFile] = []

    def prepare() -> None:
        prepared[:] = prepare_files(form.files.data, by=_by())

    def action() -> DoneChange:
        return done_services.mark_done(
            item_id, _done_values(form), prepared, revision=form.revision.sent, by=_by()
        )

    def render() -> str:
        done_on = form.done_on.data or dates.today()
        proposed = done_queries.proposal(item, done_on, form.done_miles.data)
        return _render_item(
            "done_due",
            form,
            item_id,
            proposed=proposed,
            proposed_text=describe_next(proposed.on, proposed.miles),
            last=current_mileage(item.reg_key) if item.reg_key else None,
            is_stop=item.kind is DueKind.MOT,
        )

    return handle_form(
        form, DoneChange, action, render=render, respond=_respond_done, prepare=prepare
    )


@bp.route("/fleet/due/done/<int(max=2147483647):done_id>/undo", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def undo_done(done_id: int) -> ResponseReturnValue:
    """Take back what was done, after a confirmation."""
    form = UndoForm()
    done = done_queries.get_done(done_id)
    back = url_for("upkeep.due_item", item_id=done.due_item_id)

    def render() -> str:
        return render_dialog(
            "upkeep/undo_done.html",
            form=form,
            default_back=back,
            done=done,
            item=queries.get_item(done.due_item_id),
        )

    return handle_undo(
        form,
        DoneChange,
        lambda: done_services.undo_done(done_id, by=_by()),
        render=render,
        describe=lambda change: (_describe_undo(change), None),
        back=back,
        reload_event="",
    )


@bp.route("/fleet/due/import", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Import failed")
def import_due() -> ResponseReturnValue:
    """Add or change items from a CSV file, all or nothing."""
    form = CsvForm()

    def action() -> ListChange:
        change = due_lists.import_due(read_due(form.upload), by=_by())
        if form.dry_run.data:
            raise DryRun(_counts(change))
        return change

    return handle_import(
        form,
        ListChange,
        action,
        render=lambda found: render_dialog(
            "upkeep/import_due.html", form=form, default_back=url_for("upkeep.due"), found=found
        ),
        describe=_counts,
        back=url_for("upkeep.due"),
    )


def plates() -> Any:
    """Return the registrations that forms suggest."""
    return vehicles.plates(vehicles.current_list(), limit=MAX_PLATES)


def _by() -> int:
    return current_user().user_id


def _values(
    form: AddDueForm | EditDueForm, kind: DueKind, due_on: date | None, regs: Any = None
) -> DueValues:
    chosen = regs if regs is not None else form.regs.data or []
    return DueValues(chosen, kind, form.label.data, due_on, form.due_miles.data)


def _due_on(form: AddDueForm) -> date | None:
    """Return the typed day; an MOT without one is due some years after registration."""
    if form.due_on.data or form.kind.data is not DueKind.MOT or not form.registered_on.data:
        return form.due_on.data  # type: ignore[no-any-return]
    return first_mot(form.registered_on.data, _first_mot_years())


def _first_mot_years() -> int:
    years: int = current_app.config["QUARTERMASTER"].first_mot_years
    return years


def _done_values(form: DoneForm) -> DoneValues:
    day = form.next_due_on.data
    return DoneValues(
        done_on=form.done_on.data,
        result=form.result.data or DoneResult.PASS,
        done_miles=form.done_miles.data,
        next_due_on=Proposed(day) if day and form.is_kept("on") else day,
        next_due_miles=Proposed() if form.is_kept("miles") else form.next_due_miles.data,
        certificate_number=form.certificate_number.data,
        garage=form.garage.data,
        cost=form.cost.data,
        note=form.note.data,
        defects=form.defects.data.splitlines(),
    )


def _render_item(name: str, form: Any, item_id: int, **context: Any) -> str:
    item = queries.get_item(item_id)
    if not form.is_submitted() or isinstance(form.refusal, EditConflict):
        form.revision.data = item.revision
    row = queries.get_row(item_id) if item.closed_at is None else None
    return render_dialog(
        f"upkeep/{name}.html",
        form=form,
        default_back=url_for("upkeep.due_item", item_id=item_id),
        item=item,
        regs=row.regs if row else item.reg,
        rule=KINDS[item.kind],
        label=in_sentence(item.label),
        **context,
    )


def _respond(verb: str) -> Any:
    def respond(change: DueChange) -> ResponseReturnValue:
        page = url_for("upkeep.due_item", item_id=change.item_id)
        return respond_done(f"{verb} {in_sentence(change.label)} of {change.regs}.", back=page)

    return respond


def _respond_done(change: DoneChange) -> ResponseReturnValue:
    label = f"{change.label} of {change.regs}"
    warnings = []
    if change.has_doubtful_reading:
        warnings.append("The mileage doesn't fit the readings before: a manager is asked about it.")
    if change.defects:
        warnings.append(f"Opened {', '.join(change.defects)}.")
    if change.result is DoneResult.FAIL:
        page = url_for("upkeep.due_item", item_id=change.item_id)
        return respond_done(f"{label} failed and stays due.", back=page, warnings=warnings)
    following = f" Next due {change.next_due}." if change.next_due else ""
    return respond_done(
        f"{label} is done.{following}", back=url_for("upkeep.due"), warnings=warnings
    )


def _describe_undo(change: DoneChange) -> str:
    what = f"{change.label} of {change.regs}"
    if change.result is DoneResult.FAIL:
        return f"The failed {in_sentence(what)} was taken back."
    if change.stays_closed:
        return f"{what} is taken back. It stays closed: {change.stays_closed}."
    return f"{what} is open again."


def _counts(change: ListChange) -> str:
    return f"{change.added} added, {change.changed} changed, {change.unchanged} unchanged"
