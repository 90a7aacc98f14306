"""Operations as the ledger records them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, func, literal, select
from sqlalchemy.orm import aliased

from app import dates
from app.accounts import queries as accounts
from app.db import db
from app.divisions import Division, Store
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules.operations import StoredLine


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


class MovedItem(NamedTuple):
    """An item with its amount before and after an operation, in its `unit`."""

    item_id: int
    name: str
    before: int
    after: int
    unit: str


def moved_items(operation_id: int) -> list[MovedItem]:
    """Return the items of an operation's lines at its first site, in their order.

    The amounts are today's, without the changes recorded since.
    """
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
    undone = {first: row for first, row in _last_undos(operation_ids).items() if row.place % 2}
    users = accounts.usernames(row.user_id for row in undone.values())
    return {
        first: Undoing(row.id, row.recorded_at, users[row.user_id]) for first, row in undone.items()
    }


def operations_in_effect(operation_ids: Collection[int]) -> Mapping[int, int]:
    """Return the undoable operation of each one in effect: itself, or its last redo."""
    last = _last_undos(operation_ids)
    in_effect = (each for each in operation_ids if each not in last or last[each].place % 2 == 0)
    return {each: last[each].id if each in last else each for each in in_effect}


def past_items(operation_ids: Collection[int]) -> Mapping[int, int]:
    """Return the id of the item that the first line of each of these operations changed."""
    if not operation_ids:
        return {}
    statement = select(LedgerEntry.operation_id, LedgerEntry.item_id).where(
        LedgerEntry.operation_id.in_(operation_ids), LedgerEntry.line == 0
    )
    return {row.operation_id: row.item_id for row in db.session.execute(statement)}


def origins(operation_id: int) -> Select[int]:
    """Select the id of an operation, and of the operations that it undoes, back to the first."""
    columns = (StockOperation.id, StockOperation.undoes_id)
    chain = select(*columns).where(StockOperation.id == operation_id).cte("origins", recursive=True)
    undone = select(*columns).join(chain, StockOperation.id == chain.c.undoes_id)
    return select(chain.union_all(undone).c.id)


def _last_undos(operation_ids: Collection[int]) -> Mapping[int, Any]:
    """Return the last of the undos after each of these operations: an odd one undid it."""
    if not operation_ids:
        return {}
    columns = (StockOperation.id, StockOperation.user_id, StockOperation.recorded_at)
    chain = (
        select(StockOperation.undoes_id.label("first"), literal(1).label("place"), *columns)
        .where(StockOperation.undoes_id.in_(operation_ids))
        .cte("chain", recursive=True)
    )
    following = aliased(StockOperation)
    chain = chain.union_all(
        select(
            chain.c.first, chain.c.place + 1, following.id, following.user_id, following.recorded_at
        ).join(chain, following.undoes_id == chain.c.id)
    )
    rows = db.session.execute(select(chain).order_by(chain.c.place)).all()
    return {row.first: row for row in rows}


def is_undone(operation_id: int) -> bool:
    """Return whether an operation was undone."""
    statement = select(StockOperation.id).filter_by(undoes_id=operation_id)
    return db.session.execute(statement).scalar_one_or_none() is not None


def is_undoable(operation_id: int, lines: Sequence[StoredLine]) -> bool:
    """Return whether an operation with these lines can be offered to be undone."""
    return not is_undone(operation_id) and not any(line.is_imported for line in lines)


def is_recent(operation_id: int, *, by: int, since: datetime) -> bool:
    """Return whether a user recorded an operation since a moment."""
    statement = select(StockOperation.id).where(
        StockOperation.id == operation_id,
        StockOperation.user_id == by,
        StockOperation.recorded_at >= since,
    )
    return db.session.execute(statement).scalar_one_or_none() is not None
