"""Reads of deliveries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, Select, case, func, select

from app import names
from app.db import db, stream_rows
from app.deliveries.models import Delivery
from app.deliveries.rules import overdue_before
from app.errors import NotFound
from app.paging import Page, load_page

ROWS_PER_PAGE = 25


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
    is_overdue = Delivery.ordered_on < overdue_before(today)
    statement = select(
        func.count().label("pending"), func.count(case((is_overdue, 1))).label("overdue")
    ).where(Delivery.delivered_at.is_(None))
    counts = db.session.execute(statement).one()
    return Outlook(counts.pending, counts.overdue)


def delivery(delivery_id: int) -> Delivery:
    """Return a delivery; raises NotFound."""
    row = db.session.get(Delivery, delivery_id)
    if row is None:
        raise NotFound("There is no such delivery.")
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
        raise NotFound("There is no such delivery.")
    return row


def delivery_page(filters: DeliveryFilters, page: int = 1) -> DeliveryPage:
    """Return a page: pending deliveries by their order's date, delivered ones newest first."""
    matches = _matches(filters.search)
    counts = select(func.count(), func.count(Delivery.delivered_at)).where(*matches)
    total, delivered = db.session.execute(counts).one()
    pending = total - delivered
    statement = _of_status(delivered=filters.delivered).where(*matches)

    def load(limit: int, offset: int) -> Sequence[Delivery]:
        return db.session.execute(statement.limit(limit).offset(offset)).scalars().all()

    loaded = load_page(
        page,
        total=delivered if filters.delivered else pending,
        per_page=ROWS_PER_PAGE,
        load=load,
    )
    return DeliveryPage(loaded.rows, loaded.number, loaded.pages, loaded.total, pending, delivered)


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


def _matches(search: str) -> list[ColumnElement[bool]]:
    """Return the conditions that a delivery's texts contain every word of a search."""
    return [
        Delivery.search_key.contains(word, autoescape=True) for word in names.search_words(search)
    ]
