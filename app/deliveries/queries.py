"""Reads of deliveries."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import ColumnElement, Select, func, select

from app import dates, day_counts
from app.day_counts import CountedList, Days, count_by_day, count_by_london_day
from app.db import db, stream_rows
from app.deliveries.models import Delivery
from app.deliveries.rules import overdue_before
from app.errors import NotFound
from app.paging import Page, Part, load_page
from app.search import contains_words, find_matches
from app.stock.models import LedgerEntry
from app.stock.queries import operations
from app.stock.queries.operations import Undoing

ROWS_PER_PAGE = 25

PENDING = "pending deliveries"
RECEIVED = "received deliveries"


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


def delivery_page(filters: DeliveryFilters, page: int = 1) -> DeliveryPage:
    """Return a page: pending deliveries by their order's date, delivered ones newest first."""
    pending, delivered = _searched(filters.search) if filters.search.strip() else _by_day()
    part = delivered if filters.delivered else pending
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


def _of_status(*, delivered: bool) -> Select[Delivery]:
    if delivered:
        return (
            select(Delivery)
            .where(Delivery.delivered_at.is_not(None))
            .order_by(Delivery.delivered_at.desc(), Delivery.id.desc())
        )
    return (
        select(Delivery)
        .where(Delivery.delivered_at.is_(None))
        .order_by(Delivery.ordered_on, Delivery.id)
    )


def _searched(search: str) -> Sequence[Part[Delivery]]:
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
        found(Delivery.delivered_at.is_(None), _of_status(delivered=False)),
        found(Delivery.delivered_at.is_not(None), _of_status(delivered=True)),
    )


def _by_day() -> Sequence[Part[Delivery]]:
    """Return the pending and the delivered deliveries, of which far ones are found by their day."""
    days = Days([PENDING]), Days([RECEIVED])

    def pending(limit: int, offset: int) -> Sequence[Delivery]:
        statement = _of_status(delivered=False)
        position = day_counts.position(offset, days[0], newest_first=False) if offset else None
        if position is None:
            return _load(statement.limit(limit))
        from_day = statement.where(Delivery.ordered_on >= position.day)
        return _load(from_day.limit(limit).offset(position.offset))

    def received(limit: int, offset: int) -> Sequence[Delivery]:
        statement = _of_status(delivered=True)
        position = day_counts.position(offset, days[1]) if offset else None
        if position is None:
            return _load(statement.limit(limit))
        until_day = statement.where(Delivery.delivered_at < dates.end_of_day(position.day))
        return _load(until_day.limit(limit).offset(position.offset))

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


def posting_problems() -> Iterator[str]:
    """Yield each delivered delivery whose operation didn't add its amount to stock, once."""
    added = (
        select(
            LedgerEntry.operation_id,
            func.sum(LedgerEntry.delta).label("units"),
            func.count().label("lines"),
        )
        .group_by(LedgerEntry.operation_id)
        .subquery()
    )
    statement = (
        select(Delivery.id, Delivery.amount, func.coalesce(added.c.units, 0).label("units"))
        .outerjoin(added, added.c.operation_id == Delivery.operation_id)
        .where(
            Delivery.delivered_at.is_not(None),
            (func.coalesce(added.c.units, 0) != Delivery.amount) | (added.c.lines != 1),
        )
        .order_by(Delivery.id)
    )
    for row in db.session.execute(statement):
        yield f"Delivery {row.id} is of {row.amount}, and {row.units} were added to stock"
    shared = (
        select(Delivery.operation_id)
        .where(Delivery.operation_id.is_not(None))
        .group_by(Delivery.operation_id)
        .having(func.count() > 1)
    )
    for operation in db.session.execute(shared).scalars():
        yield f"Operation {operation} is that of several deliveries"
