"""Reads of deliveries."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import day_counts, names
from app.accounts import queries as accounts
from app.day_counts import CountedList, Days, count_by_day, count_by_london_day
from app.db import db, lock_rows
from app.deliveries.models import Delivery, DeliveryUndo
from app.deliveries.rules import MAIN, DeliveryStatus
from app.directory import queries as directory
from app.divisions import Site
from app.errors import existing
from app.records.filters import Conditions
from app.stock.queries import levels, operations
from app.sums import count_each

PENDING = "pending deliveries"
DUE = "due deliveries"
CANCELLED = "cancelled deliveries"
RECEIVED = "received deliveries"

ORDERS_WITH_SUPPLIERS = 200
"""How many of the last orders name suppliers besides the directory."""


@dataclass(frozen=True)
class Outlook:
    """The numbers of pending and of late deliveries."""

    pending: int
    late: int


IS_OF: Mapping[DeliveryStatus, ColumnElement[bool]] = {
    DeliveryStatus.PENDING: and_(Delivery.delivered_at.is_(None), Delivery.cancelled_at.is_(None)),
    DeliveryStatus.DELIVERED: Delivery.delivered_at.is_not(None),
    DeliveryStatus.CANCELLED: Delivery.cancelled_at.is_not(None),
}
"""The condition of the deliveries of each status."""

_MISSING = "There is no such delivery. Load the list again."

COUNTED_BY = {"ordered": PENDING, "expected": DUE, "delivered": RECEIVED, "cancelled": CANCELLED}
"""The lists that count deliveries by the day of an order that an index has."""


def outlook(today: date) -> Outlook:
    """Count the pending deliveries."""
    yesterday = today - timedelta(days=1)
    return Outlook(*day_counts.totals(Days([DUE]), Days([DUE], end=yesterday)))


def late_deliveries(today: date, limit: int) -> Sequence[Delivery]:
    """Return up to `limit` pending deliveries that were due before today, the latest first."""
    late = select(Delivery).where(IS_OF[DeliveryStatus.PENDING], Delivery.due_on < today)
    statement = late.order_by(Delivery.due_on, Delivery.id).limit(limit)
    return db.session.execute(statement).scalars().all()


def delivery(delivery_id: int) -> Delivery:
    """Return a delivery; raises NotFound."""
    return existing(db.session.get(Delivery, delivery_id), _MISSING)


def lock_delivery(delivery_id: int) -> Delivery:
    """Return a delivery, locked until the transaction ends; raises NotFound."""
    return existing(next(iter(lock_rows(Delivery, Delivery.id == delivery_id)), None), _MISSING)


def lock_delivery_of(operation_id: int) -> Delivery | None:
    """Return the delivery that an operation received, itself or as a redo, locked; or None."""
    rows = lock_rows(Delivery, Delivery.operation_id.in_(operations.origins(operation_id)))
    return next(iter(rows), None)


def is_of_undone_delivery(operation_id: int) -> bool:
    """Return whether an operation is the undo of a received delivery, or follows from it."""
    received = DeliveryUndo.operation_id
    is_origin = and_(received != operation_id, received.in_(operations.origins(operation_id)))
    return db.session.execute(select(exists().where(is_origin))).scalar_one()


def stock_links(deliveries: Iterable[Delivery]) -> Mapping[int, Mapping[str, int | None]]:
    """Return the received deliveries' places in the stock, by their ids.

    `item_id` is the item, `undoable_id` the operation whose undo takes it out of the stock, None if
    the last release undid it.
    """
    received = {row.operation_id: row.id for row in deliveries if row.operation_id is not None}
    items = operations.past_items(received.keys())
    in_effect = operations.operations_in_effect(received.keys())
    return {
        delivery_id: {"item_id": items[operation_id], "undoable_id": in_effect.get(operation_id)}
        for operation_id, delivery_id in received.items()
    }


def status_totals(where: Conditions) -> Mapping[DeliveryStatus, int]:
    """Return how many deliveries of each status meet conditions; without any they are counted."""
    if where:
        counts = count_each(*(select(Delivery.id).where(IS_OF[s], *where) for s in DeliveryStatus))
    else:
        counts = day_counts.totals(*(Days([each]) for each in (DUE, RECEIVED, CANCELLED)))
    return dict(zip(DeliveryStatus, counts, strict=True))


def changes_of(delivery: Delivery) -> Sequence[Mapping[str, Any]]:
    """Return the changes of a delivery, newest first; `username` is '' at the terminal."""
    changes = delivery.changes or []
    usernames = accounts.usernames(change["by"] for change in changes)
    return [
        change | {"at": datetime.fromisoformat(change["at"]), "username": usernames[change["by"]]}
        for change in reversed(changes)
    ]


def last_order(item: str) -> Row[str, int, Site, date] | None:
    """Return the terms of an item's last order, or None; its cost is in pence for one."""
    columns = (Delivery.supplier, Delivery.unit_cost, Delivery.office, Delivery.ordered_on)
    is_item = (Delivery.item_key == names.key(item), Delivery.cancelled_at.is_(None))
    statement = select(*columns).where(*is_item).order_by(Delivery.id.desc()).limit(1)
    return db.session.execute(statement).one_or_none()


def item_names(typed: str) -> Sequence[str]:
    """Return the names of items that a typed one may stand for; an item on order is no slip."""
    return [typed] if last_order(typed) else levels.names_like(MAIN, typed)


def supplier_names() -> Sequence[str]:
    """Return the suppliers of the directory and of the last orders."""
    last = select(Delivery.supplier).order_by(Delivery.id.desc()).limit(ORDERS_WITH_SUPPLIERS)
    return names.merge_names(directory.supplier_names(), db.session.execute(last).scalars())


def _count_pending(column: InstrumentedAttribute[date]) -> Counter[date]:
    statement = select(column, func.count()).where(IS_OF[DeliveryStatus.PENDING])
    return count_by_day(statement.group_by(column))


def _count_moments(column: InstrumentedAttribute[datetime | None]) -> Counter[date]:
    return count_by_london_day(column, [column.is_not(None)])


COUNTED = (
    CountedList(PENDING, lambda: _count_pending(Delivery.ordered_on)),
    CountedList(DUE, lambda: _count_pending(Delivery.due_on)),
    CountedList(RECEIVED, lambda: _count_moments(Delivery.delivered_at)),
    CountedList(CANCELLED, lambda: _count_moments(Delivery.cancelled_at)),
)
"""The lists that are counted by day: pending ones by the day of the order, and of being due."""
