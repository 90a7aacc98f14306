"""Set minimums and targets."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import bindparam, insert, update

from app import dates, fields, names
from app.audit.services import record_import
from app.db import db, execute, table_of
from app.divisions import Division, Store
from app.errors import Invalid, check_revision
from app.events.rules import EventKind, values_of
from app.events.services import ChangedSubject, record_events
from app.fields import state_of
from app.lists import ListChange, check_unique
from app.stock.models import Item, StockLevel, StockSite
from app.stock.queries import locks
from app.stock.queries import stock_levels as queries
from app.stock.queries.levels import items_by_key
from app.stock.rules.items import stored_id
from app.stock.rules.levels import MAX_SNOOZE, NO_LEVEL, LevelState
from app.tables.csv_files import FileLines
from app.versions import check_version

_ITEMS = table_of(Item)
_SET_MINIMUM = (
    update(_ITEMS).where(_ITEMS.c.id == bindparam("item")).values(minimum=bindparam("in_force"))
)


@dataclass(frozen=True)
class LevelChange:
    """An item whose level was set, or that is left off the reorder list `until` a day."""

    name: str
    minimum: int | None
    until: str = ""


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
    stock, item = locks.lock_item(store, item_id)
    _check_revision(db.session.get(StockLevel, item_id), revision)
    _write(store, stock, {item_id: values}, by)
    return LevelChange(item.state.name, values.in_force)


def snooze(
    store: Store,
    item_id: int,
    *,
    snoozed_until: date | None,
    snooze_reason: str = "",
    by: int | None,
) -> LevelChange:
    """Leave an item off the reorder list until a day; None puts it back."""
    if snoozed_until and not 0 < (snoozed_until - dates.today()).days <= MAX_SNOOZE:
        raise Invalid(f"Snooze until a day within {MAX_SNOOZE} days.", "snoozed_until")
    stock, item = locks.lock_item(store, item_id)
    state = state_of(LevelState, db.session.get(StockLevel, item_id))
    snoozed = {"snoozed_until": snoozed_until, "snooze_reason": snooze_reason}
    _write(store, stock, {item_id: state}, by, **snoozed)
    until = dates.format_day(snoozed_until) if snoozed_until else ""
    return LevelChange(item.state.name, item.minimum, until)


def replace_levels(
    store: Store, lines: Sequence[LevelLine], *, versions: Collection[int] | None, by: int | None
) -> ListChange:
    """Replace a store's levels, unlisted items have none. Raises Invalid, PreconditionFailed."""
    check_unique(((names.key(line.item), line.item) for line in lines), "item")
    stock = locks.lock_whole_stock(store)
    version = locks.lock_site(store).levels_version
    current = queries.levels_of(stock.items)
    check_version(versions, version, is_empty=not current)

    def refuse(line: LevelLine, column: str, message: str) -> None:
        raise Invalid(message, f"{lines.index(line)}.{column}")

    ids = {item.key: id_ for id_, item in stock.items.items()}
    new = _states_of(lines, ids, store, {}, refuse)
    left_out = {id_: NO_LEVEL for id_ in current if id_ not in new}
    removed = sum(state_of(LevelState, current[id_]) != NO_LEVEL for id_ in left_out)
    change = _write(store, stock, {**left_out, **new}, by)
    return replace(change, changed=change.changed - removed, removed=removed)


def check_levels(file: FileLines[LevelLine], store: Store) -> Mapping[int, LevelState]:
    """Return the levels that a file makes, by the ids of items; refuse rows that don't fit."""
    ids = {key: stored_id(item) for key, item in items_by_key(store).items()}

    def refuse(line: LevelLine, column: str, message: str) -> None:
        line.row.refuse(column, message)

    valid = (line for line in file.lines if line.row.is_valid)
    return _states_of(valid, ids, store, queries.levels_of(ids.values()), refuse)


def import_levels(file: FileLines[LevelLine], *, store: Store, by: int | None) -> ListChange:
    """Change the levels of the items in a file. Raises FileErrors with all errors of all rows."""
    stock = locks.lock_items([store], [line.item for line in file.lines])
    new = check_levels(file, store)
    file.rows.check()
    change = _write(store, stock, new, by)
    record_import(f"levels of {store}", change, by=by)
    return change


def _states_of(
    lines: Iterable[LevelLine],
    ids: Mapping[str, int],
    store: Store,
    current: Mapping[int, StockLevel],
    refuse: Callable[[LevelLine, str, str], None],
) -> Mapping[int, LevelState]:
    """Return the levels that lines make of the current ones; `refuse` takes what is wrong."""
    new = {}
    for line in lines:
        item_id = ids.get(names.key(line.item))
        if item_id is None:
            refuse(line, "item", f'There is no item "{line.item}" at {store.site.label}.')
            continue
        new[item_id] = replace(state_of(LevelState, current.get(item_id)), **line.values)
        try:
            new[item_id].check(store)
        except Invalid as error:
            refuse(line, fields.fields_of(LevelState)[error.field or ""].json, error.message)
    return new


def accept_suggestions(
    store: Store, suggested: Mapping[int, tuple[int, int, int]], *, by: int | None
) -> ListChange:
    """Set minimums and targets by item, each with the revision that it is based on.

    Raises Invalid for none or a wrong one, and EditConflict.
    """
    if not suggested:
        raise Invalid("Tick the items whose suggestions to accept.")
    stock = locks.lock_items([store], ids=suggested)
    current = queries.levels_of(stock.items)
    new = {}
    for item_id in stock.items:
        revision, minimum, target = suggested[item_id]
        level = current.get(item_id)
        _check_revision(level, revision)
        new[item_id] = replace(state_of(LevelState, level), minimum=minimum, target=target)
        new[item_id].check(store)
    return _write(store, stock, new, by)


def _check_revision(level: StockLevel | None, revision: int) -> None:
    check_revision("level", level.revision if level else 0, revision)


def record_crossings(
    division: Division,
    items: Iterable[tuple[int, locks.LockedItem, locks.LockedItem]],
    *,
    by: int | None,
) -> None:
    """Record which items, by id before and after a change, are now or no longer low."""
    for kind, is_low in ((EventKind.STOCK_LOW, True), (EventKind.STOCK_RECOVERED, False)):
        crossed = [
            ChangedSubject(
                item_id, *({"amount": each.state.amount, "minimum": each.minimum} for each in both)
            )
            for item_id, *both in items
            if [each.is_low for each in both] == [not is_low, is_low] and not both[1].state.removed
        ]
        record_events(kind, "item", crossed, division=division, by=by)


def _write(
    store: Store,
    stock: locks.LockedStock,
    states: Mapping[int, LevelState],
    by: int | None,
    **more: Any,
) -> ListChange:
    """Write the levels of locked items, with `more` values, their events and the list's version."""
    current = queries.levels_of(states)
    changes: list[ChangedSubject] = []
    crossings: list[tuple[int, locks.LockedItem, locks.LockedItem]] = []
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    now = dates.utc_now()
    for item_id, state in sorted(states.items()):
        level = current.get(item_id)
        values = {**fields.values_of(state), **more}
        stored: Any = level or NO_LEVEL
        item = stock.items[item_id]
        is_same = all(getattr(stored, name, None) == value for name, value in values.items())
        if is_same and item.minimum == state.in_force:
            continue
        revision = level.revision + 1 if level else 1
        row = {"item_id": item_id, **values, "set_by": by, "set_at": now, "revision": revision}
        (changed if level else added).append(row)
        both = state_of(LevelState, level), state
        recorded = (values_of(each, texts=("supplier",)) for each in both)
        changes.append(ChangedSubject(item_id, *recorded))
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
    return ListChange(len(added), len(changed), len(states) - len(changes))
