"""Operations as the ledger records them, and the history of one item."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import CTE, ColumnElement, Select, func, literal, select
from sqlalchemy.orm import aliased

from app import charts, dates
from app.accounts import queries as accounts
from app.db import db
from app.divisions import Division, Store
from app.errors import existing
from app.lists import rows_with
from app.paging import Page, load_page
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules import history as rules
from app.stock.rules.history import EntryRow, describe_entry
from app.stock.rules.items import EntryKind
from app.stock.rules.operations import StoredLine, changed_values

ROWS_PER_PAGE = 50


def load_lines(operation_id: int, division: Division) -> Sequence[StoredLine]:
    """Return the lines of a division's operation in their order, none if it doesn't exist."""
    statement = (
        select(LedgerEntry, StockSite)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(LedgerEntry.operation_id == operation_id, StockSite.division == division)
        .order_by(LedgerEntry.line)
    )
    return [
        StoredLine(
            store=Store(site.division, site.site),
            item_id=entry.item_id,
            name=entry.item_name,
            kind=entry.kind,
            day=dates.london_day(entry.effective_at),
            delta=entry.delta,
            changes=entry.changes,
            team=entry.team,
            reason=entry.reason,
            is_imported=entry.imported_amount is not None,
        )
        for entry, site in db.session.execute(statement)
    ]


def get_lines(operation_id: int, division: Division) -> Sequence[StoredLine]:
    """Return the lines of a division's operation in their order; raises NotFound."""
    message = "There is no such operation. Load the history again."
    return existing(load_lines(operation_id, division) or None, message)


class MovedItem(NamedTuple):
    """An item with its amount before and after an operation, in its `unit`."""

    item_id: int
    name: str
    before: int
    after: int
    unit: str


def moved_items(operation_id: int) -> list[MovedItem]:
    """Return an operation's items at its first site; amounts leave out the changes since."""
    later = aliased(LedgerEntry)
    since = (
        select(func.coalesce(func.sum(later.delta), 0))
        .where(later.item_id == LedgerEntry.item_id, later.id > LedgerEntry.id)
        .scalar_subquery()
    )
    statement = (
        select(LedgerEntry, Item.unit, (Item.amount - since).label("after"))
        .join(Item, Item.id == LedgerEntry.item_id)
        .where(LedgerEntry.operation_id == operation_id)
        .order_by(LedgerEntry.line)
    )
    rows = db.session.execute(statement).all()
    return [
        MovedItem(entry.item_id, entry.item_name, after - entry.delta, after, unit)
        for entry, unit, after in rows
        if entry.site_id == rows[0].LedgerEntry.site_id
    ]


@dataclass(frozen=True)
class Undoing:
    """The operation that undid another one, when, and by whom; '' stands for the terminal."""

    operation_id: int
    at: datetime
    username: str


def undoings(operation_ids: Collection[int]) -> Mapping[int, Undoing]:
    """Return the last undo of each undone operation; one that was redone isn't among them."""
    undone = {first: row for first, row in last_undos(operation_ids).items() if row.place % 2}
    users = accounts.usernames(row.user_id for row in undone.values())
    return {
        first: Undoing(row.id, row.recorded_at, users[row.user_id]) for first, row in undone.items()
    }


def operations_in_effect(operation_ids: Collection[int]) -> Mapping[int, int]:
    """Return the undoable operation of each one in effect: itself, or its last redo."""
    last = last_undos(operation_ids)
    in_effect = (each for each in operation_ids if each not in last or last[each].place % 2 == 0)
    return {each: last[each].id if each in last else each for each in in_effect}


def past_items(operation_ids: Collection[int]) -> Mapping[int, int]:
    """Return the id of the item that the first line of each of these operations changed."""
    statement = select(LedgerEntry.operation_id, LedgerEntry.item_id).filter_by(line=0)
    return dict(rows_with(statement, LedgerEntry.operation_id, operation_ids))


def origins(operation_id: int) -> Select[int]:
    """Select the id of an operation, and of the operations that it undoes, back to the first."""
    columns = (StockOperation.id, StockOperation.undoes_id)
    chain = select(*columns).where(StockOperation.id == operation_id).cte("origins", recursive=True)
    undone = select(*columns).join(chain, StockOperation.id == chain.c.undoes_id)
    return select(chain.union_all(undone).c.id)


def undone() -> Select[int]:
    """Select the ids of the operations that are undone; the undos themselves aren't among them."""
    first = aliased(StockOperation)
    is_first = select(first.id).where(first.undoes_id.is_(None))
    chain = _undos(StockOperation.undoes_id.in_(is_first))
    return select(chain.c.first).group_by(chain.c.first).having(func.max(chain.c.place) % 2 == 1)


def last_undos(operation_ids: Collection[int]) -> Mapping[int, Any]:
    """Return the last undo of each operation that has any; in an odd place it undid it."""
    if not operation_ids:
        return {}
    chain = _undos(StockOperation.undoes_id.in_(operation_ids))
    rows = db.session.execute(select(chain).order_by(chain.c.place)).all()
    return {row.first: row for row in rows}


def _undos(condition: ColumnElement[bool]) -> CTE:
    """Return the undos that meet a condition and those after them: an odd one undid the first."""
    columns = (StockOperation.id, StockOperation.user_id, StockOperation.recorded_at)
    chain = (
        select(StockOperation.undoes_id.label("first"), literal(1).label("place"), *columns)
        .where(condition)
        .cte("chain", recursive=True)
    )
    following = aliased(StockOperation)
    return chain.union_all(
        select(
            chain.c.first, chain.c.place + 1, following.id, following.user_id, following.recorded_at
        ).join(chain, following.undoes_id == chain.c.id)
    )


def is_undone(operation_id: int) -> bool:
    """Return whether an operation was undone."""
    statement = select(StockOperation.id).filter_by(undoes_id=operation_id)
    return db.session.execute(statement).scalar_one_or_none() is not None


def undoable_id(operation_id: int, lines: Sequence[StoredLine]) -> int:
    """Return the id of an operation with these lines if it can be undone, else 0."""
    is_imported = any(line.is_imported for line in lines)
    return 0 if is_imported or is_undone(operation_id) else operation_id


def is_recent(operation_id: int, *, by: int, since: datetime) -> bool:
    """Return whether a user recorded an operation since a moment."""
    own = select(StockOperation.id).filter_by(id=operation_id, user_id=by)
    statement = own.where(StockOperation.recorded_at >= since)
    return db.session.execute(statement).scalar_one_or_none() is not None


@dataclass(frozen=True, kw_only=True)
class ItemHistoryRow(EntryRow):
    """A line of an item's history; `after` is the amount it left, None for an imported one."""

    operation_id: int
    change: int
    after: int | None
    username: str
    is_imported: bool
    is_undone: bool
    is_undoable: bool
    has_others: bool


def get_past_item(store: Store, item_id: int) -> Item:
    """Return an item of a store, a removed one too; raises NotFound."""
    at_sites = select(Item).where(Item.id == item_id).join(StockSite, StockSite.id == Item.site_id)
    statement = at_sites.filter_by(division=store.division, site=store.site)
    item = db.session.execute(statement).scalar_one_or_none()
    return existing(item, "There is no such item. Load the list again.")


def load_item_history(item_id: int, page: int = 1) -> Page[ItemHistoryRow]:
    """Return a page of an item's history, newest first, with imported lines after all others."""
    counted = select(func.count()).where(LedgerEntry.item_id == item_id)
    total = db.session.execute(counted).scalar_one()
    return load_page(page, total=total, per_page=ROWS_PER_PAGE, load=partial(_load_rows, item_id))


def amount_over_time(item_id: int, until: datetime) -> charts.Chart | None:
    """Return an item's amount by day as a chart; imported lines don't change it."""
    statement = (
        select(LedgerEntry.effective_at, _after.label("after"))
        .where(LedgerEntry.item_id == item_id, LedgerEntry.imported_amount.is_(None))
        .order_by(*_BY_DAY)
    )
    rows = db.session.execute(statement.execution_options(yield_per=1000))
    return charts.step_chart(((row.effective_at, int(row.after)) for row in rows), until)


_BY_DAY = (LedgerEntry.effective_at, LedgerEntry.id)
"""The order of the days that users entered."""

_after = func.sum(LedgerEntry.delta).over(order_by=_BY_DAY)


def latest_movements(item: Item, limit: int) -> Sequence[ItemHistoryRow]:
    """Return an item's latest movements; counting amounts back, it reads nothing older."""
    statement = (
        _entries(item.id)
        .where(LedgerEntry.imported_amount.is_(None))
        .order_by(*(column.desc() for column in _BY_DAY))
        .limit(limit)
    )
    entries: list[tuple[LedgerEntry, StockOperation, int]] = []
    after = item.amount
    for entry, operation in db.session.execute(statement):
        entries.append((entry, operation, after))
        after -= entry.delta
    return _rows(item.id, entries)


def changes_by_day(item_id: int, start: date) -> Sequence[tuple[date, EntryKind, int]]:
    """Return how an item's amount changed by day and kind since a day; imported lines don't."""
    statement = (
        select(LedgerEntry.effective_at, LedgerEntry.kind, func.sum(LedgerEntry.delta))
        .where(
            LedgerEntry.item_id == item_id,
            LedgerEntry.imported_amount.is_(None),
            LedgerEntry.effective_at >= dates.start_of_day(start),
        )
        .group_by(LedgerEntry.effective_at, LedgerEntry.kind)
    )
    return [
        (dates.london_day(at), kind, int(delta))
        for at, kind, delta in db.session.execute(statement)
    ]


def _load_rows(item_id: int, limit: int, offset: int) -> Sequence[ItemHistoryRow]:
    imported = LedgerEntry.imported_amount.is_not(None)
    statement = (
        _entries(item_id)
        .add_columns(_after.label("after"))
        .order_by(imported, *(column.desc() for column in _BY_DAY))
        .limit(limit)
        .offset(offset)
    )
    rows = db.session.execute(statement)
    return _rows(item_id, [(row.LedgerEntry, row.StockOperation, row.after) for row in rows])


def _entries(item_id: int) -> Select[LedgerEntry, StockOperation]:
    return (
        select(LedgerEntry, StockOperation)
        .join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
        .where(LedgerEntry.item_id == item_id)
    )


def _rows(
    item_id: int, entries: Sequence[tuple[LedgerEntry, StockOperation, int]]
) -> Sequence[ItemHistoryRow]:
    users = accounts.usernames(operation.user_id for _, operation, _ in entries)
    operations = {entry.operation_id for entry, _, _ in entries}
    undos = select(StockOperation.undoes_id).where(StockOperation.undoes_id.in_(operations))
    undone, shared = set(db.session.execute(undos).scalars()), _shared(operations, item_id)
    rows = []
    for entry, operation, after in entries:
        is_imported, day = entry.imported_amount is not None, dates.london_day(entry.effective_at)
        amount = rules.listed_amount(entry.kind, entry.delta, entry.imported_amount)
        row = ItemHistoryRow(
            id=entry.id,
            operation_id=entry.operation_id,
            at=entry.effective_at,
            text=describe_entry(entry.kind, entry.reason, day, is_imported=is_imported),
            change=rules.signed_amount(rules.event_of(entry.kind), amount),
            after=None if is_imported else int(after),
            team=rules.display_team(entry.team, is_imported=is_imported),
            username=users[operation.user_id],
            is_imported=is_imported,
            is_undone=entry.operation_id in undone,
            is_undoable=bool(entry.delta or changed_values(entry.kind, entry.changes)),
            has_others=entry.operation_id in shared,
            recorded_at=operation.recorded_at,
            made_at=operation.made_at,
        )
        rows.append(row)
    return rows


def _shared(operations: Iterable[int], item_id: int) -> set[int]:
    other = aliased(LedgerEntry)
    site_id = select(Item.site_id).filter_by(id=item_id).scalar_subquery()
    is_shared = (
        select(other.id)
        .where(
            other.operation_id == StockOperation.id,
            other.site_id == site_id,
            other.item_id != item_id,
        )
        .exists()
    )
    statement = select(StockOperation.id).where(StockOperation.id.in_(operations), is_shared)
    return set(db.session.execute(statement).scalars())
