"""Set minimums and targets."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import bindparam, insert, update

from app import dates, fields, names
from app.audit.services import record_import
from app.db import db, execute, table_of
from app.divisions import Division, Store
from app.errors import EditConflict, Invalid
from app.events.rules import EventKind, values_of
from app.events.services import ChangedSubject, record_events
from app.fields import state_of
from app.lists import ListChange, check_unique
from app.stock.models import Item, StockLevel, StockSite
from app.stock.queries import stock_levels as queries
from app.stock.queries.locks import (
    LockedItem,
    LockedStock,
    lock_item,
    lock_items,
    lock_site,
    lock_whole_stock,
)
from app.stock.rules.levels import NO_LEVEL, LevelState, check_snooze
from app.tables.csv_files import FileLines
from app.versions import check_version

NOTHING: Mapping[str, Any] = {}

_ITEMS = table_of(Item)
_SET_MINIMUM = (
    update(_ITEMS).where(_ITEMS.c.id == bindparam("item")).values(minimum=bindparam("in_force"))
)


@dataclass(frozen=True)
class LevelChange:
    """An item whose level was set, or that is left off the reorder list `until` a day."""

    item_id: int
    name: str
    minimum: int | None
    until: date | None = None


@dataclass(frozen=True)
class LevelLine:
    """The values of an item's level by name, as a list or a file has them."""

    item: str
    values: Mapping[str, Any]
    row: Any = None


def set_level(
    store: Store, item_id: int, values: LevelState, *, revision: int, by: int | None
) -> LevelChange:
    """Set the minimum and target of an item. Raises Invalid, NotFound and EditConflict."""
    values.check(store)
    stock, item = lock_item(store, item_id)
    current = queries.level_of(item_id)
    if (current.revision if current else 0) != revision:
        raise EditConflict("level")
    _write(store, stock, {item_id: values}, by)
    return LevelChange(item_id, item.state.name, values.in_force)


def snooze(
    store: Store,
    item_id: int,
    *,
    snoozed_until: date | None,
    snooze_reason: str = "",
    by: int | None,
) -> LevelChange:
    """Leave an item off the reorder list until a day; None puts it back."""
    if snoozed_until:
        check_snooze(snoozed_until)
    stock, item = lock_item(store, item_id)
    current = queries.level_of(item_id)
    state = state_of(LevelState, current) if current else NO_LEVEL
    snoozed = {"snoozed_until": snoozed_until, "snooze_reason": snooze_reason}
    _write(store, stock, {item_id: state}, by, snoozed)
    return LevelChange(item_id, item.state.name, item.minimum, snoozed_until)


def replace_levels(
    store: Store, lines: Sequence[LevelLine], *, versions: Collection[int] | None, by: int | None
) -> ListChange:
    """Replace the levels of a store; items that aren't listed have none afterwards.

    Raises Invalid, and PreconditionFailed for a list that has changed since `versions`.
    """
    check_unique(((names.key(line.item), line.item) for line in lines), "item")
    stock = lock_whole_stock(store)
    site = lock_site(store)
    current = queries.levels_of(stock.items)
    check_version(versions, site.levels_version, is_empty=not current)
    new = {}
    ids = {item.key: id_ for id_, item in stock.items.items()}
    for index, line in enumerate(lines):
        item_id = ids.get(names.key(line.item))
        if item_id is None:
            raise Invalid(_describe_missing(line.item, store), f"{index}.item")
        new[item_id] = replace(NO_LEVEL, **line.values)
        try:
            new[item_id].check(store)
        except Invalid as error:
            raise Invalid(error.message, f"{index}.{_column(error)}") from error
    left_out = {id_: NO_LEVEL for id_ in current if id_ not in new}
    removed = sum(state_of(LevelState, current[id_]) != NO_LEVEL for id_ in left_out)
    change = _write(store, stock, {**left_out, **new}, by)
    return replace(change, changed=change.changed - removed, removed=removed)


def import_levels(file: FileLines[LevelLine], *, store: Store, by: int | None) -> ListChange:
    """Change the levels of the items in a file, and leave all others alone.

    Raises FileErrors with all errors of all rows.
    """
    stock = lock_items([store], [line.item for line in file.lines])
    ids = {item.key: id_ for id_, item in stock.items.items()}
    current = queries.levels_of(stock.items)
    new = {}
    for line in (line for line in file.lines if line.row.is_valid):
        item_id = ids.get(names.key(line.item))
        if item_id is None:
            line.row.refuse("item", _describe_missing(line.item, store))
            continue
        level = current.get(item_id)
        new[item_id] = replace(state_of(LevelState, level) if level else NO_LEVEL, **line.values)
        try:
            new[item_id].check(store)
        except Invalid as error:
            line.row.refuse(_column(error), error.message)
    file.rows.check()
    change = _write(store, stock, new, by)
    record_import(f"levels of {store}", change, by=by)
    return change


def accept_suggestions(
    store: Store, suggested: Mapping[int, tuple[int, int]], *, by: int | None
) -> ListChange:
    """Set minimums and targets by the ids of items; raises Invalid for none."""
    if not suggested:
        raise Invalid("Tick the items whose suggestions to accept.")
    stock = lock_items([store], ids=suggested)
    current = queries.levels_of(stock.items)
    new = {}
    for item_id in stock.items:
        minimum, target = suggested[item_id]
        level = current.get(item_id)
        state = state_of(LevelState, level) if level else NO_LEVEL
        new[item_id] = replace(state, minimum=minimum, target=target)
    return _write(store, stock, new, by)


def record_crossings(
    division: Division, items: Iterable[tuple[int, LockedItem, LockedItem]], *, by: int | None
) -> None:
    """Record which items fell below their minimums, and which are no longer below.

    `items` are ids with each item before and after a change.
    """
    for kind, is_low in ((EventKind.STOCK_LOW, True), (EventKind.STOCK_RECOVERED, False)):
        crossed = [
            ChangedSubject(
                item_id, *({"amount": each.state.amount, "minimum": each.minimum} for each in both)
            )
            for item_id, *both in items
            if [each.is_low for each in both] == [not is_low, is_low]
        ]
        record_events(kind, "item", crossed, division=division, by=by)


def _column(error: Invalid) -> str:
    return fields.fields_of(LevelState)[error.field or ""].json


def _describe_missing(item: str, store: Store) -> str:
    return f'There is no item "{item}" at {store.site.label}.'


def _write(
    store: Store,
    stock: LockedStock,
    states: Mapping[int, LevelState],
    by: int | None,
    more: Mapping[str, Any] = NOTHING,
) -> ListChange:
    """Write the levels of locked items, with `more` values, their events and the list's version."""
    current = queries.levels_of(states)
    changes: list[ChangedSubject] = []
    crossings: list[tuple[int, LockedItem, LockedItem]] = []
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    now = dates.utc_now()
    for item_id, state in sorted(states.items()):
        level = current.get(item_id)
        values = {**fields.values_of(state), **more}
        stored: Any = level or NO_LEVEL
        if all(getattr(stored, name, None) == value for name, value in values.items()):
            continue
        row = {"item_id": item_id, **values, "set_by": by, "set_at": now}
        (changed if level else added).append(
            {**row, "revision": level.revision + 1 if level else 1}
        )
        before = state_of(LevelState, level) if level else NO_LEVEL
        recorded = (values_of(each, texts=("supplier",)) for each in (before, state))
        changes.append(ChangedSubject(item_id, *recorded))
        item = stock.items[item_id]
        crossings.append((item_id, item, replace(item, minimum=state.in_force)))
    if added:
        db.session.execute(insert(StockLevel), added)
    if changed:
        db.session.execute(update(StockLevel), changed)
        db.session.expire_all()
    if changes:
        minimums = [{"item": id_, "in_force": after.minimum} for id_, _, after in crossings]
        execute(_SET_MINIMUM, minimums)
        record_events(EventKind.LEVEL_SET, "item", changes, division=store.division, by=by)
        record_crossings(store.division, crossings, by=by)
        site = update(StockSite).filter_by(division=store.division, site=store.site)
        db.session.execute(site.values(levels_version=StockSite.levels_version + 1))
    unchanged = len(states) - len(changes)
    return ListChange(len(added), len(changed), unchanged)
