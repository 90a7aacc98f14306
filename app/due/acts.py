"""The acts on due items and on their plans; saving a plan asks to confirm its effects."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import request, url_for

from app import dates, names
from app.accounts.history import last_change
from app.divisions import Division
from app.due import forms
from app.due.models import DueDone, DueItem, DuePlan
from app.due.queries import due as queries
from app.due.queries import plans as plan_queries
from app.due.rules.fields import KINDS, DoneResult, DueKind, in_sentence
from app.due.rules.plans import describe_interval
from app.due.schemas import DUE_FILE, due_lines, read_due
from app.due.services import done as done_services
from app.due.services import due as services
from app.due.services import imports
from app.due.services import plans as plan_services
from app.fleet.acts import for_fleet, plates
from app.fleet.queries import vehicles
from app.fleet.rules.vehicles import UPKEEP, plate_key
from app.mileage.queries import current_mileage
from app.records.acts import Act, Dialog, Outcome, Target, new_record
from app.records.targets import ImportTarget
from app.versions import version_of
from app.web.form_fields import RevisionForm
from app.web.forms import UndoForm

ITEM = "/fleet/due/<row_id:item_id>"

ON_ITEM = Target[DueItem](
    read=queries.get_item,
    page=lambda item: url_for("due.due_item", item_id=item.id),
    style="due.css",
)

ON_DONE = Target[DueDone](
    read=queries.get_done,
    page=lambda done: url_for("due.due_item", item_id=done.due_item_id),
    style="due.css",
)


def _describe(verb: str) -> Any:
    def describe(change: services.DueChange) -> Outcome:
        page = url_for("due.due_item", item_id=change.item_id)
        return Outcome(f"{verb} {in_sentence(change.label)} of {change.regs}.", page)

    return describe


def _describe_done(change: done_services.DoneChange) -> Outcome:
    label = f"{change.label} of {change.regs}"
    warnings = []
    if change.has_doubtful_reading:
        warnings.append("The mileage doesn't fit the readings before: a manager is asked about it.")
    if change.defects:
        warnings.append(f"Opened {', '.join(change.defects)}.")
    if change.result is DoneResult.FAIL:
        return Outcome(f"{label} failed and stays due.", warnings=warnings)
    following = f" Next due {change.next_due}." if change.next_due else ""
    return Outcome(f"{label} is done.{following}", url_for("due.due"), warnings=warnings)


def _describe_undo(change: done_services.DoneChange) -> Outcome:
    what = f"{change.label} of {change.regs}"
    if change.result is DoneResult.FAIL:
        return Outcome(f"The failed {in_sentence(what)} was taken back.")
    if change.stays_closed:
        return Outcome(f"{what} is taken back. It stays closed: {change.stays_closed}.")
    return Outcome(f"{what} is open again.")


def _fill_in_new(form: forms.AddDueForm, _: None) -> None:
    form.regs.raw_data = [request.args.get("vehicle", "")[:20]]
    form.kind.data = request.args.get("kind", DueKind.MOT)


def _fill_in_item(form: Any, item: DueItem) -> None:
    form.process(obj=item)
    form.regs.data = list(queries.shared_vehicles([item.id])[item.id].values())


def _item(_: Any, item: DueItem) -> dict[str, Any]:
    row = queries.get_row(item.id) if item.closed_at is None else None
    return {
        "regs": row.regs if row else item.reg,
        "rule": KINDS[item.kind],
        "label": in_sentence(item.label),
    }


def _why_not_snoozed(item: DueItem) -> str:
    refusal = f"{item.kind.label} can’t be put off." if KINDS[item.kind].is_legal else ""
    return services.closed_message(item) or refusal


def _proposal(form: forms.DoneForm, item: DueItem) -> Mapping[str, Any]:
    done_on = form.done_on.data or dates.today()
    return _item(form, item) | {
        "proposed": queries.proposal(item, done_on, form.done_miles.data),
        "last": current_mileage(item.reg_key) if item.reg_key else None,
    }


PLAN = "/fleet/plans/<row_id:plan_id>"


def _current(_: Any, plan: DuePlan) -> str:
    applies = plan.classification or plan.applies.label.lower()
    values = ", ".join([plan.label, describe_interval(plan).lower(), applies])
    return f"{last_change('due_plan', plan.id)}. It is now: {values}."


ON_PLAN = Target[DuePlan](
    read=plan_queries.get_plan,
    page=lambda _: url_for("due.plans"),
    current=_current,
    style="due.css",
)


def _overdue(_: Any, plan: DuePlan) -> Mapping[str, Any]:
    overdue = [row.regs for row in queries.items_of_plan(plan.id) if row.standing.is_overdue]
    (row,) = plan_queries.plan_rows([plan])
    return {"plan": row, "overdue": overdue}


_of_item = partial(Act, on=ON_ITEM, over=services.closed_message, shows=_item)

_saving = partial(
    Act,
    policy=for_fleet.by_managers,
    form=forms.PlanForm,
    run=plan_services.save_plan,
    outcome="Saved the plan {r.label}. {r.summary}",
    shows=lambda *_: {"classifications": vehicles.classifications(), **plates()},
    template="edit_plan",
)


def _identify(cells: Mapping[str, str]) -> str:
    reg, kind, label = (cells.get(name, "") for name in ("reg", "kind", "label"))
    name = label if kind == DueKind.OTHER else ""
    return f"{plate_key(reg)}\n{kind}\n{names.key(name)}"


_TARGET = ImportTarget(
    key="due",
    label="What is due",
    call="/fleet/due",
    division=Division.FLEET,
    columns=DUE_FILE,
    required=["reg", "kind"],
    key_columns=["reg"],
    fold=plate_key,
    identify=_identify,
    empty_means={"label": None},
    read=read_due,
    check=imports.plan_import,
    version=partial(version_of, UPKEEP),
    current=lambda: due_lines(queries.open_items()),
    apply=lambda file, by, *_: imports.import_due(file, by=by),
    way_back="An item can be changed or withdrawn on its page.",
)
TARGETS = {_TARGET.key: _TARGET}

ACTS = (
    Act(
        "add_due",
        "/fleet/due/add",
        for_fleet,
        forms.AddDueForm,
        services.add_item,
        _describe("Added"),
        new_record("due.due", style="due.css"),
        offer=_fill_in_new,
        shows=lambda *_: {**plates(), "years": forms.first_mot_years()},
    ),
    _of_item(
        "edit_due",
        f"{ITEM}/edit",
        for_fleet.by_managers,
        forms.EditDueForm,
        services.edit_item,
        _describe("Saved"),
        offer=_fill_in_item,
        shows=lambda form, item: {**_item(form, item), **plates()},
    ),
    _of_item(
        "snooze_due",
        f"{ITEM}/snooze",
        for_fleet,
        forms.SnoozeForm,
        services.snooze_item,
        _describe("Put off"),
        over=_why_not_snoozed,
        dialog=Dialog("Put off {label}", "Put off", "{regs}"),
    ),
    _of_item(
        "withdraw_due",
        f"{ITEM}/withdraw",
        for_fleet.by_managers,
        RevisionForm,
        services.withdraw_item,
        _describe("Withdrew"),
        dialog=Dialog(
            "Withdraw {label}?",
            "Withdraw",
            "{regs}",
            "It isn’t due any more then. What was done about it stays readable.",
            danger=True,
        ),
    ),
    _of_item(
        "done_due",
        f"{ITEM}/done",
        for_fleet,
        forms.DoneForm,
        done_services.mark_done,
        _describe_done,
        offer=lambda form, _: form.done_on.process_data(dates.today()),
        shows=_proposal,
    ),
    Act(
        "undo_done",
        "/fleet/due/done/<row_id:done_id>/undo",
        for_fleet.by_managers,
        UndoForm,
        done_services.undo_done,
        _describe_undo,
        ON_DONE,
        shows=lambda _, done: {"item": queries.get_item(done.due_item_id)},
        is_undo=True,
    ),
    _saving("add_plan", "/fleet/plans/add", on=new_record("due.plans", style="due.css")),
    _saving(
        "edit_plan",
        f"{PLAN}/edit",
        on=ON_PLAN,
        offer=lambda form, plan: form.process(obj=plan_queries.draft_of(plan)),
    ),
    Act(
        "withdraw_plan",
        f"{PLAN}/withdraw",
        for_fleet.by_managers,
        RevisionForm,
        plan_services.withdraw_plan,
        "Ended the plan {r.label}. {r.summary}",
        ON_PLAN,
        shows=_overdue,
    ),
    Act(
        "make_items",
        f"{PLAN}/items",
        for_fleet.by_managers,
        UndoForm,
        plan_services.make_missing_items,
        "{r.label}: {r.summary}",
        ON_PLAN,
        shows=lambda _, plan: {"effects": plan_queries.missing_items(plan, dates.today())},
    ),
)
