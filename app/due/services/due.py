"""Change due items by hand, which are never deleted, and the secret addresses of calendars.

Only the hashes of addresses are stored.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import select

from app import dates
from app.accounts.history import SYSTEM, lost_race
from app.accounts.models import User
from app.db import db, lock_rows
from app.divisions import Division
from app.due.models import CalendarFeed, DueItem, DueItemVehicle
from app.due.queries import due as queries
from app.due.queries.calendar import token_hash
from app.due.rules import fields
from app.due.rules.fields import KINDS, DueClosing, DueKind, in_sentence
from app.due.rules.next_due import NextDue
from app.errors import Conflict, Invalid, NotFound, check_revision
from app.events.rules import EventKind
from app.events.services import record_event
from app.fields import attribute, state_of
from app.fleet.queries.vehicles import lock_records, stored_plates
from app.fleet.rules.vehicles import describe_missing, plate_key
from app.fleet.services.upkeep import record_change, upkeep_changed
from app.money import count_of

SUBJECT = "due_item"


@dataclass(frozen=True)
class DueValues:
    """The values of an item: the registrations that share it, and when it is due."""

    regs: Sequence[str]
    kind: DueKind = attribute(fields.KIND)
    label: str = attribute(fields.LABEL)
    due_on: date | None = attribute(fields.DUE_ON)
    due_miles: int | None = attribute(fields.DUE_MILES)


@dataclass(frozen=True)
class DueChange:
    """A changed item, and its vehicles."""

    item_id: int
    label: str
    regs: str


def add_item(values: DueValues, *, by: int | None) -> DueChange:
    """Open an item of vehicles; raises Invalid, and Conflict for a second MOT, tax or insurance."""
    lock_records([plate_key(reg) for reg in values.regs])
    regs = check_vehicles(values.regs)
    _check_due(values, values.kind)
    check_single(values.kind, regs)
    label = values.label or values.kind.label
    due = NextDue(values.due_on, values.due_miles)
    return change_of(open_item(regs, values.kind, label, due, by=by))


def open_item(
    regs: Mapping[str, str],
    kind: DueKind,
    label: str,
    due: NextDue,
    *,
    plan_id: int | None = None,
    by: int | None,
) -> DueItem:
    """Insert an item for vehicles that are locked."""
    item = DueItem(
        kind=kind, label=label, due=due, plan_id=plan_id, opened_by=by, opened_at=dates.utc_now()
    )
    if len(regs) == 1:
        ((item.reg_key, item.reg),) = regs.items()
    db.session.add(item)
    db.session.flush()
    if item.reg_key is None:
        rows = [DueItemVehicle(due_item_id=item.id, reg_key=k, reg=reg) for k, reg in regs.items()]
        db.session.add_all(rows)
    record_change(EventKind.DUE_OPENED, SUBJECT, item.id, after=described(item), by=by)
    return item


def edit_item(item_id: int, *, revision: int, by: int | None, **changes: Any) -> DueChange:
    """Change values of an item; its kind stays. Raises Invalid, EditConflict and Conflict."""
    others = [plate_key(reg) for reg in changes.get("regs", ())]
    item = _lock_unchanged(item_id, revision, others=others)
    had = vehicles_of(item)
    values = replace(state_of(DueValues, item, regs=list(had.values())), **changes)
    _check_due(values, item.kind)
    before = described(item)
    if item.reg_key is None:
        regs = check_vehicles(values.regs)
        check_single(item.kind, {key: reg for key, reg in regs.items() if key not in had})
        share_item(item, regs)
    elif {plate_key(reg) for reg in values.regs} - {item.reg_key}:
        raise Invalid(f"It stays with {item.reg}. Withdraw it, and add another.", "regs")
    item.label = values.label or item.label
    item.due = NextDue(values.due_on, values.due_miles)
    return save_item(EventKind.DUE_CHANGED, item, before, by)


def snooze_item(
    item_id: int, until: date, *, reason: str, revision: int, by: int | None
) -> DueChange:
    """Keep an item quiet until a day, though it blocks as before. Raises Invalid."""
    item, today = _lock_unchanged(item_id, revision), dates.today()
    if KINDS[item.kind].is_legal:
        raise Invalid(f"{item.kind.label} can't be put off.")
    if until < today:
        raise Invalid("Put it off until today or a later day.", "until")
    if (until - today).days > fields.MAX_SNOOZE_DAYS:
        raise Invalid(f"Put it off for {fields.MAX_SNOOZE_DAYS} days at most.", "until")
    before = described(item)
    item.snoozed_until, item.snooze_reason = until, reason
    return save_item(EventKind.DUE_SNOOZED, item, before, by)


def withdraw_item(item_id: int, *, revision: int, by: int) -> DueChange:
    """Close an item that isn't due any more; it stays readable."""
    item = _lock_unchanged(item_id, revision)
    close_item(item, DueClosing.WITHDRAWN, by=by)
    return change_of(item)


def close_item(item: DueItem, closing: DueClosing, *, by: int | None) -> None:
    """Close a locked item; done work has an event of its own."""
    item.closing, item.closed_by, item.closed_at = closing, by, dates.utc_now()
    item.revision += 1
    if closing is not DueClosing.DONE:
        record_change(EventKind.DUE_CLOSED, SUBJECT, item.id, after={"closing": closing}, by=by)


def close_for_vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """Close the items of vehicles that left all lists; shared ones go on for their others."""
    lock_records(reg_keys)
    left = set(reg_keys)
    for row in queries.items_of(reg_keys):
        (item,) = lock_rows(DueItem, DueItem.id == row.id)
        remaining = {key: reg for key, reg in row.vehicles.items() if key not in left}
        if remaining:
            before = described(item)
            share_item(item, remaining)
            save_item(EventKind.DUE_CHANGED, item, before, by)
        else:
            close_item(item, DueClosing.VEHICLE_LEFT, by=by)
    upkeep_changed()


def lock_item(item_id: int, *, others: Collection[str] = ()) -> DueItem:
    """Lock the upkeep of an item's vehicles and of others, and the item; raises NotFound."""
    lock_records([*vehicles_of(queries.get_item(item_id)), *others])
    (item,) = lock_rows(DueItem, DueItem.id == item_id)
    return item


def _lock_unchanged(item_id: int, revision: int, *, others: Collection[str] = ()) -> DueItem:
    item = lock_item(item_id, others=others)
    check_open(item)
    check_revision("item", item.revision, revision)
    return item


def check_vehicles(regs: Sequence[str]) -> Mapping[str, str]:
    """Return registrations as the lists write them, by key. Raises Invalid for one in no list."""
    if not regs:
        raise Invalid("Choose a vehicle.", "regs")
    stored = stored_plates([plate_key(reg) for reg in regs])
    for reg in regs:
        if plate_key(reg) not in stored:
            raise Invalid(describe_missing(reg), "regs")
    return stored


def check_single(kind: DueKind, regs: Mapping[str, str], *, plan_id: int | None = None) -> None:
    """Raise Conflict if a vehicle has an item of the plan, or this same MOT, tax or insurance."""
    for row in queries.items_of(list(regs)):
        is_second = KINDS[kind].is_legal and row.terms.kind is kind
        if is_second or (plan_id is not None and row.plan_id == plan_id):
            reg = next(reg for key, reg in regs.items() if key in row.vehicles)
            label = in_sentence(row.terms.label)
            raise Conflict(f"{reg} has {label} on its list already. Change that item.")


def vehicles_of(item: DueItem) -> Mapping[str, str]:
    """Return the registrations of an item's vehicles, by their keys."""
    key = item.reg_key
    return {key: item.reg} if key else queries.shared_vehicles([item.id])[item.id]


def change_of(item: DueItem) -> DueChange:
    """Return the reply's values of a changed item."""
    return DueChange(item.id, item.label, item.reg or count_of(len(vehicles_of(item)), "vehicle"))


def described(item: DueItem) -> dict[str, Any]:
    """Return the values of an item that its events tell."""
    return {
        "kind": item.kind,
        "label": item.label,
        **item.due.event_values,
        "snoozedUntil": item.snoozed_until,
        "plan": item.plan_id,
        "vehicles": list(vehicles_of(item)),
    }


def save_item(
    kind: EventKind, item: DueItem, before: Mapping[str, Any], by: int | None
) -> DueChange:
    """Give a changed item its next revision and its event."""
    item.revision += 1
    record_change(kind, SUBJECT, item.id, before=before, after=described(item), by=by)
    return change_of(item)


def share_item(item: DueItem, regs: Mapping[str, str]) -> None:
    """Set the vehicles of an item that several share."""
    rows = db.session.execute(select(DueItemVehicle).filter_by(due_item_id=item.id)).scalars()
    existing = {row.reg_key: row for row in rows}
    for key in existing.keys() - regs.keys():
        db.session.delete(existing[key])
    for key in regs.keys() - existing.keys():
        db.session.add(DueItemVehicle(due_item_id=item.id, reg_key=key, reg=regs[key]))
    db.session.flush()


def _check_due(values: DueValues, kind: DueKind) -> None:
    fields.check_due(kind, values.due_on, values.due_miles)
    if len(values.regs) > 1 and values.due_miles is not None:
        raise Invalid("What several vehicles share is due on a day.", "due_miles")


def check_open(item: DueItem) -> None:
    """Check that an item is open. Raises Conflict that names who closed it and when."""
    if message := closed_message(item):
        raise Conflict(message)


def closed_message(item: DueItem) -> str:
    """Return who closed an item and when, '' for an open one."""
    if item.closed_at is None:
        return ""
    done = "marked this as done" if item.closing is DueClosing.DONE else "closed this"
    return lost_race(item.closed_by, done, item.closed_at, unnamed=SYSTEM)


@dataclass(frozen=True)
class CalendarResult:
    """An address that was made or revoked; the secret isn't in it."""

    feed_id: int


def make_calendar(token: str, *, by: int) -> CalendarResult:
    """Give a user a new secret address; the former one ends."""
    _end_current(by, by=by)
    feed = CalendarFeed(user_id=by, token_hash=token_hash(token), made_at=dates.utc_now())
    db.session.add(feed)
    db.session.flush()
    record_event(EventKind.CALENDAR_MADE, "calendar", feed.id, division=Division.FLEET, by=by)
    return CalendarResult(feed.id)


def revoke_calendar(*, by: int) -> CalendarResult:
    """End a user's secret address. Raises NotFound without one."""
    feeds = _end_current(by, by=by)
    if not feeds:
        raise NotFound("You have no address. Load the page again.")
    return CalendarResult(feeds[0].id)


def end_for_disabled(user: User) -> None:
    """End the address of an account that was disabled, also for when it is enabled again."""
    _end_current(user.id, by=None)


def _end_current(user_id: int, *, by: int | None) -> Sequence[CalendarFeed]:
    is_current = CalendarFeed.revoked_at.is_(None)
    feeds = lock_rows(CalendarFeed, CalendarFeed.user_id == user_id, is_current)
    for feed in feeds:
        feed.revoked_at = dates.utc_now()
        db.session.flush()
        record_event(
            EventKind.CALENDAR_REVOKED, "calendar", feed.id, division=Division.FLEET, by=by
        )
    return feeds
