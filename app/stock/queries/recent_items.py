"""The items that a user moved last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, func, or_, select

from app.db import db
from app.divisions import Division, Store
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules.items import EntryKind

MAX_OPERATIONS = 50
"""How many of a user's last operations are looked at."""

MAX_LINES = 10
"""How many lines of each are: a bulk update is no list of somebody's favourites."""


@dataclass(frozen=True)
class RecentItem:
    """A live item that a user moved, with its current amount."""

    store: Store
    id: int
    name: str
    amount: int
    unit: str


def last_operation(user_id: int) -> int:
    """Return the id of a user's last operation, 0 without any."""
    return db.session.execute(_LAST_OPERATION, {"user_id": user_id}).scalar_one() or 0


def recent_items(division: Division, user_id: int, limit: int) -> Sequence[RecentItem]:
    """Return up to `limit` items of a division that a user delivered, took or sent, last first."""
    values = {"division": division, "user_id": user_id, "limit": limit}
    return [
        RecentItem(Store(row.division, row.site), row.id, row.name, row.amount, row.unit)
        for row in db.session.execute(_RECENT_ITEMS, values)
    ]


_LAST_OPERATION = select(func.max(StockOperation.id)).where(
    StockOperation.user_id == bindparam("user_id")
)


def _recent_items() -> Select[*tuple[Any, ...]]:
    latest = (
        select(StockOperation.id)
        .where(StockOperation.user_id == bindparam("user_id"))
        .order_by(StockOperation.id.desc())
        .limit(MAX_OPERATIONS)
        .subquery("latest")
    )
    last = func.max(latest.c.id)
    return (
        select(StockSite.division, StockSite.site, Item.id, Item.name, Item.amount, Item.unit)
        .select_from(latest)
        .join(LedgerEntry, LedgerEntry.operation_id == latest.c.id)
        .join(Item, Item.id == LedgerEntry.item_id)
        .join(StockSite, StockSite.id == Item.site_id)
        .where(
            StockSite.division == bindparam("division"),
            Item.removed_at.is_(None),
            LedgerEntry.line <= MAX_LINES,
            LedgerEntry.kind.in_((EntryKind.DELIVERY, EntryKind.WITHDRAWAL, EntryKind.TRANSFER)),
            # A transfer has an entry at each site; the user was at the source.
            or_(LedgerEntry.kind != EntryKind.TRANSFER, LedgerEntry.delta < 0),
        )
        .group_by(Item.id, StockSite.id)
        .order_by(last.desc(), func.min(LedgerEntry.line))
        .limit(bindparam("limit"))
    )


_RECENT_ITEMS = _recent_items()
