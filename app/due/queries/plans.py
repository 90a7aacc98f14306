"""The plans of due items, and the effects of saving one."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import and_, column, func, or_, select, values
from sqlalchemy.orm import aliased

from app import names
from app.db import db
from app.due.models import DueDone, DueItem, DuePlan, DuePlanVehicle
from app.due.queries.due import miles_of_done, shared_vehicles, vehicles_by, work_on
from app.due.rules import plans as rules
from app.due.rules.fields import Applies, DoneResult, DueKind
from app.due.rules.next_due import NextDue, Work, due_in_event
from app.due.rules.plans import OpenPlanItem, PlanDraft, PlanEffects, PlanVehicle
from app.errors import existing
from app.events.queries import events_of
from app.events.rules import EventKind
from app.fields import state_of
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import ON_SCREENS, classifications, stored_plates
from app.lists import batches, grouped, rows_with
from app.mileage.queries import current_mileages


@dataclass(frozen=True)
class PlanRow:
    """A plan, and how many open items it has."""

    plan: DuePlan
    open_items: int
    interval: str


def plan_rows(plans: Sequence[DuePlan]) -> Sequence[PlanRow]:
    """Return plans with their intervals in words and their open items."""
    statement = (
        select(DueItem.plan_id, func.count())
        .where(DueItem.closed_at.is_(None), DueItem.plan_id.is_not(None))
        .group_by(DueItem.plan_id)
    )
    counts = dict(iter(db.session.execute(statement)))
    return [PlanRow(plan, counts.get(plan.id, 0), rules.describe_interval(plan)) for plan in plans]


def get_plan(plan_id: int) -> DuePlan:
    """Return a plan; raises NotFound."""
    plan = db.session.get(DuePlan, plan_id)
    return existing(plan, "There is no such plan. Load the list again.")


def draft_of(plan: DuePlan) -> PlanDraft:
    """Return a plan as its form holds it."""
    return state_of(PlanDraft, plan, regs=[*chosen_vehicles([plan.id])[plan.id].values()])


chosen_vehicles = partial(vehicles_by, DuePlanVehicle.plan_id)
"""Returns the registrations by key of the vehicles that plans are for, by the plan's id."""


def vehicles_of(draft: PlanDraft) -> Mapping[str, str]:
    """Return the vehicles of a plan by key: the chosen ones, or from the list on the screens."""
    if draft.applies is Applies.VEHICLES:
        return dict(sorted(stored_plates(draft.chosen).items()))
    statement = select(Vehicle.reg_key, Vehicle.reg).where(ON_SCREENS)
    if draft.applies is Applies.CLASSIFICATION:
        key = names.key(draft.classification)
        spellings = [each for each in classifications() if names.key(each) == key]
        statement = statement.where(Vehicle.classification.in_(spellings))
    rows = db.session.execute(statement.order_by(Vehicle.reg_key))
    return {row.reg_key: row.reg for row in rows}


def vehicles_with_items(plan_id: int) -> set[str]:
    """Return the keys of the vehicles that have an open item of a plan."""
    statement = select(DueItem.reg_key).filter_by(plan_id=plan_id)
    keys = db.session.execute(statement.where(DueItem.closed_at.is_(None))).scalars()
    return {key for key in keys if key}


def missing_items(plan: DuePlan, today: date, draft: PlanDraft | None = None) -> PlanEffects:
    """Return what a plan makes for its vehicles without an item, and who has no mileage for one."""
    draft = draft or draft_of(plan)
    with_items = vehicles_with_items(plan.id)
    others = {key: reg for key, reg in vehicles_of(draft).items() if key not in with_items}
    effects = effects_of(draft, plan, others, today) if others else PlanEffects()
    return PlanEffects(effects.made, beside=effects.beside, without=effects.without)


def effects_of(
    draft: PlanDraft, plan: DuePlan | None, vehicles: Mapping[str, str], today: date
) -> PlanEffects:
    """Return the effects of saving a plan on vehicles; `plan` is the changed one, if any."""
    read, done = current_mileages(list(vehicles)), _last_done(draft, plan, list(vehicles))
    listed = [
        PlanVehicle(key, reg, read[key].miles if key in read else None, done.get(key))
        for key, reg in vehicles.items()
    ]
    before, plan_id = (draft_of(plan), plan.id) if plan else (None, 0)
    found = grouped((_is_own_or_free(row, plan_id), row) for row in _open_items(draft, plan_id))
    items, others = _items(found[True]), list(_beside(draft, plan_id, found[False]))
    return rules.effects_of(draft, listed, items, today, before=before, others=others)


def _is_own_or_free(item: DueItem, plan_id: int) -> bool:
    return item.plan_id == plan_id or (item.plan_id is None and item.reg_key is not None)


def _is_alike(draft: PlanDraft, label: str) -> bool:
    """Return whether what has a plan's kind is the same: a cam belt is no tail lift."""
    return draft.kind is not DueKind.OTHER or names.key(label) == names.key(draft.label)


def _open_items(draft: PlanDraft, plan_id: int) -> Iterator[DueItem]:
    is_of = or_(DueItem.plan_id == plan_id, DueItem.kind == draft.kind)
    statement = select(DueItem).where(DueItem.closed_at.is_(None), is_of)
    for item in db.session.execute(statement.order_by(DueItem.due_on, DueItem.id)).scalars():
        if item.plan_id == plan_id or _is_alike(draft, item.label):
            yield item


def _beside(draft: PlanDraft, plan_id: int, items: Sequence[DueItem]) -> Iterator[OpenPlanItem]:
    """Yield items of other plans or of several vehicles, and such plans of vehicles without one."""
    shared = shared_vehicles([item.id for item in items if item.reg_key is None])
    for item in items:
        regs = {item.reg_key: item.reg} if item.reg_key else shared[item.id]
        for key, reg in regs.items():
            yield OpenPlanItem(item.id, key, reg, item.due, item.label)
    is_one = DuePlanVehicle.plan_id == DuePlan.id, DuePlanVehicle.reg_key == Vehicle.reg_key
    classification = func.lower(DuePlan.classification)
    is_of_class = classification.in_(["", func.lower(Vehicle.classification)])
    is_listed = ON_SCREENS, DuePlan.applies != Applies.VEHICLES
    is_for = or_(and_(*is_listed, is_of_class), select(DuePlanVehicle).where(*is_one).exists())
    statement = (
        select(DuePlan.id, DuePlan.label, Vehicle.reg_key, Vehicle.reg)
        .join(Vehicle, is_for)
        .where(DuePlan.is_active, DuePlan.kind == draft.kind, DuePlan.id != plan_id)
    )
    have = {(item.plan_id, item.reg_key) for item in items}
    for other, label, key, reg in db.session.execute(statement.order_by(DuePlan.id, Vehicle.id)):
        if (other, key) not in have and _is_alike(draft, label):
            yield OpenPlanItem(None, key, reg, NextDue(), label)


def _items(items: Sequence[DueItem]) -> Sequence[OpenPlanItem]:
    led = _led_to([item.id for item in items])
    made = _made([item for item in items if item.plan_id and item.id not in led])
    return [
        OpenPlanItem(
            item.id,
            item.reg_key,
            item.reg,
            item.due,
            label=item.label,
            is_adopted=item.plan_id is None,
            made=made.get(item.id),
            last_done=led.get(item.id),
        )
        for item in items
        if item.reg_key is not None
    ]


def _made(items: Sequence[DueItem]) -> Mapping[int, NextDue]:
    plans = {str(item.id): item.plan_id for item in items}
    opened = events_of(DueItem.__tablename__, plans, kinds=[EventKind.DUE_OPENED])
    return {
        int(event.subject_id): due_in_event(event.after)
        for event in opened
        if event.after and event.after.get("plan") == plans[event.subject_id]
    }


def _led_to(item_ids: Collection[int]) -> Mapping[int, Work]:
    statement = (
        select(DueDone, DueItem)
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .where(DueDone.undone_at.is_(None))
    )
    rows = rows_with(statement, DueDone.next_item_id, item_ids)
    return {done.next_item_id: work for done, work in _with_work(rows)}


def _last_done(
    draft: PlanDraft, plan: DuePlan | None, reg_keys: Sequence[str]
) -> Mapping[str, Work]:
    found: dict[str, Work] = {}
    for keys in batches(reg_keys):
        key = column("reg_key", DueDone.reg_key.type)
        vehicles = values(key, name="vehicles").data([(k,) for k in keys]).cte()
        row, item = aliased(DueDone), aliased(DueItem)
        is_named = item.label == draft.label
        # Found in the index for each vehicle by itself, however often it was done.
        newest = (
            select(row.id)
            .join(item, item.id == row.due_item_id)
            .where(
                row.reg_key == vehicles.c.reg_key,
                row.kind == draft.kind,
                row.undone_at.is_(None),
                row.result != DoneResult.FAIL,
                or_(is_named, item.plan_id == plan.id) if plan else is_named,
            )
            .order_by(row.id.desc())
            .limit(1)
            .correlate(vehicles)
            .scalar_subquery()
        )
        statement = (
            select(DueDone, DueItem)
            .select_from(vehicles)
            .join(DueDone, DueDone.id == newest)
            .join(DueItem, DueItem.id == DueDone.due_item_id)
        )
        found |= {done.reg_key: work for done, work in _with_work(db.session.execute(statement))}
    return found


def _with_work(rows: Iterable[Any]) -> Iterator[tuple[Any, Work]]:
    pairs = [(done, item) for done, item in rows]
    miles = miles_of_done([done for done, _ in pairs])
    return ((done, work_on(item, done.done_on, miles[done.id])) for done, item in pairs)
