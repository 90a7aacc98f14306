"""Save and withdraw plans, with their effects on items, in one transaction."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select

from app import dates, names
from app.db import advisory_lock, db, lock_rows
from app.due.models import DueItem, DuePlan, DuePlanVehicle
from app.due.queries import plans as queries
from app.due.rules import plans as rules
from app.due.rules.fields import Applies, DueClosing, blocks_when_overdue
from app.due.rules.plans import PlanDraft, PlanEffects
from app.due.services.due import check_vehicles, close_item, described, open_item, save_item
from app.errors import Conflict, Invalid, Preview, check_revision
from app.events.rules import EventKind
from app.fields import fields_of
from app.fleet.queries.vehicles import lock_records
from app.fleet.services.upkeep import record_change, upkeep_changed
from app.money import count_of

SUBJECT = "due_plan"

_COLUMNS = [name for name in fields_of(PlanDraft) if hasattr(DuePlan, name)]


class NeedsConfirmation(Preview):
    """A plan does something to items that its editor hasn't confirmed."""

    def __init__(self, effects: PlanEffects) -> None:
        super().__init__(f"Check what this does, and save it then. {effects.summary}")
        self.effects = effects
        self.details = {"confirmed": effects.digest}


@dataclass(frozen=True)
class PlanChange:
    """A plan that was saved or withdrawn, and its effects."""

    plan_id: int
    label: str
    summary: str


def save_plan(
    draft: PlanDraft,
    *,
    plan_id: int | None = None,
    revision: int = 0,
    confirmed: str | None,
    by: int | None,
) -> PlanChange:
    """Add a plan, or change one, with its effects on items.

    `confirmed` is the digest of the displayed effects; None saves without asking. Raises Invalid,
    NeedsConfirmation for other effects, EditConflict, and Conflict for a label in use.
    """
    rules.check_draft(draft)
    _lock_all(draft, plan_id)
    plan = _lock_plan(plan_id, revision) if plan_id is not None else None
    _check(draft, plan)
    effects = queries.effects_of(draft, plan, queries.vehicles_of(draft), dates.today())
    if confirmed is not None and confirmed != effects.digest:
        raise NeedsConfirmation(effects)
    kind, before = EventKind.PLAN_ADDED, None
    if plan is None:
        plan = DuePlan(revision=0)
        db.session.add(plan)
    else:
        kind, before = EventKind.PLAN_CHANGED, _described(plan)
        plan.revision += 1
    _apply(plan, draft)
    _apply_effects(plan, draft, effects, by)
    record_change(kind, SUBJECT, plan.id, before=before, after=_described(plan), by=by)
    return PlanChange(plan.id, plan.label, effects.summary)


def make_missing_items(plan_id: int, *, by: int | None) -> PlanChange:
    """Make the items of the vehicles that a plan applies to and that have none yet."""
    draft = queries.draft_of(queries.get_plan(plan_id))
    _lock_all(draft, plan_id)
    plan = _lock_plan(plan_id)
    effects = PlanEffects(made=queries.missing_items(plan, dates.today(), draft).made)
    _apply_effects(plan, draft, effects, by)
    upkeep_changed()
    return PlanChange(plan.id, plan.label, effects.summary)


def withdraw_plan(plan_id: int, *, revision: int, by: int | None) -> PlanChange:
    """Withdraw a plan with its open items; both stay readable. Raises EditConflict."""
    _lock_all(None, plan_id)
    plan = _lock_plan(plan_id, revision)
    plan.is_active = False
    plan.revision += 1
    # The label of a withdrawn plan is free for another one: no label has a key with a space first.
    plan.label_key = f" {plan.id}"
    items = lock_rows(DueItem, DueItem.plan_id == plan.id, DueItem.closed_at.is_(None))
    for item in items:
        close_item(item, DueClosing.WITHDRAWN, by=by)
    record_change(EventKind.PLAN_WITHDRAWN, SUBJECT, plan.id, by=by)
    withdrew = f"Withdrew {count_of(len(items), 'open item')}."
    return PlanChange(plan.id, plan.label, withdrew if items else "It had no open items.")


def _lock_all(draft: PlanDraft | None, plan_id: int | None) -> None:
    """Lock all plans, and the upkeep of one plan's vehicles, so that the confirmed effects hold."""
    advisory_lock("plans of what is due")
    keys = set(queries.vehicles_of(draft)) if draft else set()
    lock_records(keys | (queries.vehicles_with_items(plan_id) if plan_id is not None else set()))


def _lock_plan(plan_id: int, revision: int | None = None) -> DuePlan:
    plan = queries.get_plan(plan_id)
    db.session.refresh(plan, with_for_update=True)
    if not plan.is_active:
        raise Conflict(f"{plan.label} was withdrawn. Nothing was changed.")
    check_revision("plan", plan.revision, revision)
    return plan


def _check(draft: PlanDraft, plan: DuePlan | None) -> None:
    """Check a plan's label, kind and new vehicles; former ones may have left the lists."""
    statement = select(DuePlan).filter_by(label_key=names.key(draft.label))
    other = db.session.execute(statement).scalar_one_or_none()
    if other is not None and other is not plan:
        raise Conflict(f"There is a plan {other.label} already.", "label")
    if plan is not None and plan.kind is not draft.kind and queries.vehicles_with_items(plan.id):
        advice = "End it, and add a plan of the other kind."
        raise Invalid(f"The plan has open items of its kind. {advice}", "kind")
    before = queries.chosen_vehicles([plan.id])[plan.id] if plan else {}
    added = [reg for key, reg in draft.chosen.items() if key not in before]
    if draft.applies is Applies.VEHICLES and added:
        check_vehicles(added)


def _apply(plan: DuePlan, draft: PlanDraft) -> None:
    for name in _COLUMNS:
        setattr(plan, name, getattr(draft, name))
    plan.label_key = names.key(draft.label)
    if draft.applies is not Applies.CLASSIFICATION:
        plan.classification = ""
    plan.blocks = blocks_when_overdue(draft.kind, draft.blocks)
    db.session.flush()
    db.session.execute(delete(DuePlanVehicle).filter_by(plan_id=plan.id))
    if draft.applies is Applies.VEHICLES:
        db.session.add_all(
            DuePlanVehicle(plan_id=plan.id, reg_key=k, reg=reg) for k, reg in draft.chosen.items()
        )
    db.session.flush()


def _apply_effects(plan: DuePlan, draft: PlanDraft, effects: PlanEffects, by: int | None) -> None:
    moved = {item.id: item.after for item in effects.moved if item.after}
    kinds = (effects.renamed, effects.adopted, effects.withdrawn)
    renamed, adopted, withdrawn = ({item.id for item in items} for items in kinds)
    for item in lock_rows(DueItem, DueItem.id.in_({*moved, *renamed, *adopted, *withdrawn})):
        if item.id in withdrawn:
            close_item(item, DueClosing.WITHDRAWN, by=by)
            continue
        before = described(item)
        if item.id in adopted:
            item.plan_id = plan.id
        if item.id in adopted | renamed:
            item.label = plan.label
        item.due = moved.get(item.id, item.due)
        db.session.flush()
        save_item(EventKind.DUE_CHANGED, item, before, by)
    for made in effects.made:
        regs = {made.reg_key: made.reg}
        open_item(regs, draft.kind, plan.label, made.due, plan_id=plan.id, by=by)


def _described(plan: DuePlan) -> dict[str, Any]:
    vehicles = queries.chosen_vehicles([plan.id])[plan.id]
    return {name: getattr(plan, name) for name in _COLUMNS} | {"vehicles": list(vehicles)}
