"""Reads of deliveries."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, exists, func, select, union

from app import day_counts, names
from app.accounts import queries as accounts
from app.day_counts import CountedList, Days, count_by_day, count_by_london_day
from app.db import db, lock_rows
from app.deliveries.models import Delivery, DeliveryUndo
from app.deliveries.rules import DeliveryStatus, list_of
from app.directory import queries as directory
from app.divisions import SITES, Division, Site, Store
from app.errors import existing
from app.lists import batches, grouped
from app.records.filters import Conditions
from app.reference_numbers import ReferenceNumber, Series
from app.stock.models import Item, PastName, StockSite
from app.stock.queries import levels, operations
from app.sums import count_each

PENDING = "pending deliveries"
DUE = "due deliveries"
CANCELLED = "cancelled deliveries"
RECEIVED = "received deliveries"

ORDERS_WITH_SUPPLIERS = 200
"""How many of the last orders name suppliers besides the directory."""


class Outlook(NamedTuple):
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

_SITE = (
    select(StockSite.id)
    .where(StockSite.division == Delivery.division, StockSite.site == Delivery.office)
    .correlate(Delivery)
    .scalar_subquery()
)
_IS_LIVE = Item.removed_at.is_(None)
_NAMED = select(Item.id).where(_IS_LIVE, Item.site_id == _SITE, Item.name_key == Delivery.item_key)
_RENAMED = (
    select(func.min(Item.id))
    .join(PastName, PastName.item_id == Item.id)
    # SQLite would read all items of the site by an index.
    .where(_IS_LIVE, Item.site_id + 0 == _SITE, PastName.name_key == Delivery.item_key)
    .having(func.count() == 1)
)
_ITEM_ID = func.coalesce(
    *(named.correlate(Delivery).scalar_subquery() for named in (_NAMED, _RENAMED))
)
"""The live item of a delivery: the one of its name, else the only one that had that name."""

COUNTED_BY = {"ordered": PENDING, "expected": DUE, "delivered": RECEIVED, "cancelled": CANCELLED}
"""The lists that count deliveries by the day of an order that an index has."""


def outlook(division: Division, today: date) -> Outlook:
    """Count the pending deliveries of a division."""
    due, yesterday = [list_of(division, DUE)], today - timedelta(days=1)
    return Outlook(*day_counts.totals(Days(due), Days(due, end=yesterday)))


def late_deliveries(division: Division, today: date, limit: int) -> Sequence[Delivery]:
    """Return up to `limit` pending deliveries that were due before today, the latest first."""
    late = select(Delivery).where(*_is_pending(division), Delivery.due_on < today)
    return db.session.scalars(late.order_by(Delivery.due_on, Delivery.id).limit(limit)).all()


def delivery(division: Division, delivery_id: int) -> Delivery:
    """Return a delivery of a division; raises NotFound."""
    found = db.session.get(Delivery, delivery_id)
    return existing(found if found and found.division is division else None, _MISSING)


def lock_delivery(division: Division, delivery_id: int) -> Delivery:
    """Return a delivery of a division, locked until the transaction ends; raises NotFound."""
    is_it = (Delivery.id == delivery_id, Delivery.division == division)
    return existing(_lock_one(*is_it), _MISSING)


def pending_deliveries(division: Division) -> Sequence[Delivery]:
    """Return the pending deliveries of a division in the order of their ids."""
    pending = select(Delivery).where(*_is_pending(division)).order_by(Delivery.id)
    return db.session.scalars(pending).all()


def last_line(division: Division, number: int) -> Delivery:
    """Return the last pending line of an order; raises NotFound."""
    lines = select(Delivery).where(*_is_pending(division), Delivery.order_number == number)
    found = db.session.scalars(lines.order_by(Delivery.id.desc()).limit(1)).one_or_none()
    return existing(found, f"There is no pending order {ReferenceNumber(Series.ORDER, number)}.")


def takes_deliveries(store: Store) -> bool:
    """Return whether no earlier release could take a store's deliveries for GPM's."""
    site = select(StockSite).filter_by(division=store.division, site=store.site)
    return db.session.scalars(site).one().takes_deliveries


def item_of(delivery: Delivery) -> Item | None:
    """Return the live item to which a delivery belongs, None if it makes a new one."""
    item_id = select(_ITEM_ID).where(Delivery.id == delivery.id).scalar_subquery()
    return db.session.execute(select(Item).where(Item.id == item_id)).scalar_one_or_none()


def on_order(division: Division, item_ids: Collection[int]) -> Mapping[int, Sequence[Delivery]]:
    """Return the pending deliveries of live items, late ones too, by item in order of being due."""
    rows: list[Row[Any, Delivery]] = []
    for ids in batches(sorted(item_ids)):
        keys = union(
            select(Item.name_key).where(Item.id.in_(ids)),
            select(PastName.name_key).where(PastName.item_id.in_(ids)),
        )
        is_of_items = (Delivery.item_key.in_(keys), _ITEM_ID.in_(ids))
        found = select(_ITEM_ID, Delivery).where(*_is_pending(division), *is_of_items)
        rows += db.session.execute(found.order_by(Delivery.due_on, Delivery.id))
    return grouped((item_id, row) for item_id, row in rows)


def lock_delivery_of(operation_id: int) -> Delivery | None:
    """Return the delivery that an operation received, itself or as a redo, locked; or None."""
    return _lock_one(Delivery.operation_id.in_(operations.origins(operation_id)))


def lock_rest(delivery_id: int) -> Delivery | None:
    """Return the rest of a delivery that was received in part, locked; or None."""
    is_apart = func.coalesce(Delivery.ordered_amount, 1) > 0
    return _lock_one(Delivery.rest_of_id == delivery_id, is_apart)


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


def status_totals(division: Division, where: Conditions) -> Mapping[DeliveryStatus, int]:
    """Return how many deliveries of each status meet conditions; without any they are counted."""
    if where:
        matching = select(Delivery.id).where(Delivery.division == division, *where)
        counts = count_each(*(matching.where(IS_OF[status]) for status in DeliveryStatus))
    else:
        lists = [Days([list_of(division, name)]) for name in (DUE, RECEIVED, CANCELLED)]
        counts = day_counts.totals(*lists)
    return dict(zip(DeliveryStatus, counts, strict=True))


def changes_of(delivery: Delivery) -> Sequence[Mapping[str, Any]]:
    """Return the changes of a delivery, newest first; `username` is '' at the terminal."""
    changes = delivery.changes or []
    usernames = accounts.usernames(change["by"] for change in changes)
    return [
        change | {"at": datetime.fromisoformat(change["at"]), "username": usernames[change["by"]]}
        for change in reversed(changes)
    ]


def last_order(division: Division, item: str) -> Row[str, int, Site, date] | None:
    """Return the terms of an item's last order, or None; its cost is in pence for one."""
    columns = (Delivery.supplier, Delivery.unit_cost, Delivery.office, Delivery.ordered_on)
    is_item = (Delivery.item_key == names.key(item), Delivery.division == division)
    is_order = (*is_item, Delivery.cancelled_at.is_(None))
    statement = select(*columns).where(*is_order).order_by(Delivery.id.desc()).limit(1)
    return db.session.execute(statement).one_or_none()


def item_names(store: Store, typed: str) -> Sequence[str]:
    """Return the names of items that a typed one may stand for; an item on order is no slip."""
    return [typed] if last_order(store.division, typed) else levels.names_like(store, typed)


def supplier_names(division: Division) -> Sequence[str]:
    """Return the suppliers of the directory and of a division's last orders."""
    suppliers = select(Delivery.supplier).where(Delivery.division == division)
    last = suppliers.order_by(Delivery.id.desc()).limit(ORDERS_WITH_SUPPLIERS)
    return names.merge_names(directory.supplier_names(), db.session.execute(last).scalars())


def _is_pending(division: Division) -> Conditions:
    return IS_OF[DeliveryStatus.PENDING], Delivery.division == division


def _lock_one(*conditions: ColumnElement[bool]) -> Delivery | None:
    return next(iter(lock_rows(Delivery, *conditions)), None)


def _count(division: Division, name: str) -> Counter[date]:
    if name in (RECEIVED, CANCELLED):
        moment = Delivery.delivered_at if name == RECEIVED else Delivery.cancelled_at
        return count_by_london_day(moment, [moment.is_not(None), Delivery.division == division])
    day = Delivery.ordered_on if name == PENDING else Delivery.due_on
    return count_by_day(select(day, func.count()).where(*_is_pending(division)).group_by(day))


COUNTED = tuple(
    CountedList(list_of(division, name), partial(_count, division, name))
    for division in SITES
    for name in (PENDING, DUE, RECEIVED, CANCELLED)
)
"""The lists that are counted by day: pending ones by the day of the order, and of being due."""
