"""Reads of deliveries."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates, day_counts
from app.day_counts import CountedList, Days, count_by_day, count_by_london_day
from app.db import db, stream_rows
from app.deliveries.models import Delivery
from app.deliveries.rules import overdue_before
from app.errors import NotFound
from app.paging import Page, Part, load_page
from app.search import contains_words, find_matches
from app.sorted_rows import sorted_part
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder
from app.stock.queries import operations
from app.stock.queries.operations import Undoing

ROWS_PER_PAGE = 25

PENDING = "pending deliveries"
RECEIVED = "received deliveries"

_COLUMNS = {
    "item": SortColumn("Item"),
    "amount": SortColumn("Amount", SortKind.NUMBER),
    "cost": SortColumn("Unit Cost", SortKind.NUMBER),
    "supplier": SortColumn("Supplier"),
    "office": SortColumn("Office"),
    "by": SortColumn("Ordered By"),
}
PENDING_ORDERS = SortColumns(
    {**_COLUMNS, "ordered": SortColumn("Ordered", SortKind.DAY, indexed=True)},
    SortOrder("ordered"),
)
DELIVERED_ORDERS = SortColumns(
    {
        **_COLUMNS,
        "ordered": SortColumn("Ordered", SortKind.DAY),
        "delivered": SortColumn("Delivered", SortKind.DAY, indexed=True),
    },
    SortOrder("delivered", descending=True),
)
_SORTED_BY: Mapping[str, InstrumentedAttribute[Any]] = {
    "item": Delivery.item,
    "amount": Delivery.amount,
    "cost": Delivery.unit_cost,
    "supplier": Delivery.supplier,
    "office": Delivery.office,
    "by": Delivery.ordered_by,
    "ordered": Delivery.ordered_on,
}


@dataclass(frozen=True)
class Outlook:
    """The number of pending deliveries, and of those that are overdue."""

    pending: int
    overdue: int


@dataclass(frozen=True)
class DeliveryFilters:
    """The filters of the list: delivered or pending deliveries, and words."""

    delivered: bool = False
    search: str = ""

    @property
    def orders(self) -> SortColumns:
        """Return by what the list can be sorted."""
        return DELIVERED_ORDERS if self.delivered else PENDING_ORDERS


@dataclass(frozen=True)
class DeliveryPage(Page[Delivery]):
    """A page of deliveries, with the numbers of pending and delivered ones that match."""

    pending: int
    delivered: int


def outlook(today: date) -> Outlook:
    """Count the pending deliveries."""
    last_overdue = overdue_before(today) - timedelta(days=1)
    return Outlook(*day_counts.totals(Days([PENDING]), Days([PENDING], end=last_overdue)))


def delivery(delivery_id: int) -> Delivery:
    """Return a delivery; raises NotFound."""
    row = db.session.get(Delivery, delivery_id)
    if row is None:
        raise NotFound("There is no such delivery. Load the list again.")
    return row


def lock_delivery(delivery_id: int) -> Delivery:
    """Return a delivery, locked until the transaction ends; raises NotFound."""
    row = db.session.execute(
        select(Delivery)
        .filter_by(id=delivery_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).scalar_one_or_none()
    if row is None:
        raise NotFound("There is no such delivery. Load the list again.")
    return row


def undone_stock(deliveries: Iterable[Delivery]) -> Mapping[int, Undoing]:
    """Return which of these deliveries had their stock undone, by id, each with its last undo."""
    ids = {row.operation_id: row.id for row in deliveries if row.operation_id is not None}
    undoings = operations.undoings(ids.keys())
    return {ids[operation_id]: undoing for operation_id, undoing in undoings.items()}


def delivery_page(
    filters: DeliveryFilters, page: int = 1, order: SortOrder | None = None
) -> DeliveryPage:
    """Return a page: pending deliveries by their order's date, delivered ones newest first.

    That is without an order of its own.
    """
    orders = filters.orders
    order = order or orders.default
    newest_first = (order if order.by == orders.default.by else orders.default).descending
    if filters.search.strip():
        pending, delivered = _searched(filters.search, newest_first=newest_first)
    else:
        pending, delivered = _by_day(newest_first=newest_first)
    part = delivered if filters.delivered else pending
    usable = orders.usable(order, part.total)
    if usable.by != orders.default.by:
        part = _sorted_part(filters, usable, part.total)
    loaded = load_page(page, total=part.total, per_page=ROWS_PER_PAGE, load=part.load)
    return DeliveryPage(
        loaded.rows, loaded.number, loaded.pages, loaded.total, pending.total, delivered.total
    )


def all_deliveries() -> Iterator[Delivery]:
    """Stream all deliveries in the order in which they were scheduled."""
    return (row[0] for row in stream_rows(select(Delivery).order_by(Delivery.id)))


def deliveries_part(limit: int, after: int = 0) -> Sequence[Delivery]:
    """Return up to `limit` deliveries that were scheduled after the one with the id `after`."""
    statement = select(Delivery).where(Delivery.id > after).order_by(Delivery.id).limit(limit)
    return db.session.execute(statement).scalars().all()


def _of_status(*, delivered: bool, newest_first: bool) -> Select[Delivery]:
    by = Delivery.delivered_at if delivered else Delivery.ordered_on
    order = [column.desc() if newest_first else column for column in (by, Delivery.id)]
    is_delivered = Delivery.delivered_at.is_not(None)
    return select(Delivery).where(is_delivered if delivered else ~is_delivered).order_by(*order)


def _sorted_part(filters: DeliveryFilters, order: SortOrder, total: int) -> Part[Delivery]:
    of_status = _of_status(
        delivered=filters.delivered, newest_first=filters.orders.default.descending
    )
    return sorted_part(
        total,
        of_status.with_only_columns(Delivery.id, _SORTED_BY[order.by]).where(
            *contains_words(Delivery.search_key, filters.search)
        ),
        order,
        lambda ids: _load(select(Delivery).where(Delivery.id.in_(ids))),
    )


def _searched(search: str, *, newest_first: bool) -> Sequence[Part[Delivery]]:
    """Return the pending and the delivered deliveries that contain every word of a search."""

    def found(condition: ColumnElement[bool], statement: Select[Delivery]) -> Part[Delivery]:
        matches = find_matches(
            statement,
            Delivery.id,
            lambda by_row: [
                condition,
                *contains_words(Delivery.search_key, search, by_row=by_row),
            ],
        )
        return Part(matches.total, lambda limit, offset: _load(matches.part(limit, offset)))

    return (
        found(
            Delivery.delivered_at.is_(None),
            _of_status(delivered=False, newest_first=newest_first),
        ),
        found(
            Delivery.delivered_at.is_not(None),
            _of_status(delivered=True, newest_first=newest_first),
        ),
    )


def _by_day(*, newest_first: bool) -> Sequence[Part[Delivery]]:
    """Return the pending and the delivered deliveries, of which far ones are found by their day."""
    days = Days([PENDING]), Days([RECEIVED])

    def pending(limit: int, offset: int) -> Sequence[Delivery]:
        statement = _of_status(delivered=False, newest_first=newest_first)
        position = (
            day_counts.position(offset, days[0], newest_first=newest_first) if offset else None
        )
        if position is None:
            return _load(statement.limit(limit))
        day = position.day
        from_day = statement.where(
            Delivery.ordered_on <= day if newest_first else Delivery.ordered_on >= day
        )
        return _load(from_day.limit(limit).offset(position.offset))

    def received(limit: int, offset: int) -> Sequence[Delivery]:
        statement = _of_status(delivered=True, newest_first=newest_first)
        position = (
            day_counts.position(offset, days[1], newest_first=newest_first) if offset else None
        )
        if position is None:
            return _load(statement.limit(limit))
        day = position.day
        from_day = statement.where(
            Delivery.delivered_at < dates.end_of_day(day)
            if newest_first
            else Delivery.delivered_at >= dates.start_of_day(day)
        )
        return _load(from_day.limit(limit).offset(position.offset))

    totals = day_counts.totals(*days)
    return Part(totals[0], pending), Part(totals[1], received)


def _load(statement: Select[Delivery]) -> Sequence[Delivery]:
    return db.session.execute(statement).scalars().all()


def _count_pending() -> Counter[date]:
    is_pending = Delivery.delivered_at.is_(None)
    statement = select(Delivery.ordered_on, func.count()).where(is_pending)
    return count_by_day(statement.group_by(Delivery.ordered_on))


def _count_received() -> Counter[date]:
    return count_by_london_day(Delivery.delivered_at, [Delivery.delivered_at.is_not(None)])


COUNTED = (CountedList(PENDING, _count_pending), CountedList(RECEIVED, _count_received))
"""The lists of deliveries that are counted by day: of the order, and of the delivery."""
