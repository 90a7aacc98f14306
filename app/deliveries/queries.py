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
from app.paging import clamp_page

ROWS_PER_PAGE = 25


@dataclass(frozen=True)
class Outlook:
    """How many deliveries are still to come, and how many of them are overdue."""

    pending: int
    overdue: int


@dataclass(frozen=True)
class DeliveryFilter:
    """What a list of deliveries shows: the pending or the delivered ones, with some words."""

    delivered: bool = False
    search: str = ""


@dataclass(frozen=True)
class DeliveryPage:
    """Some deliveries; `pending` and `delivered` say how many match in all."""

    rows: Sequence[Delivery]
    page: int
    pages: int
    total: int
    pending: int
    delivered: int


def outlook(today: date) -> Outlook:
    """Count the pending deliveries."""
    is_late = Delivery.ordered_on < overdue_before(today)
    statement = select(
        func.count().label("pending"), func.count(case((is_late, 1))).label("overdue")
    ).where(Delivery.delivered_at.is_(None))
    found = db.session.execute(statement).one()
    return Outlook(found.pending, found.overdue)


def delivery(delivery_id: int) -> Delivery:
    """Return a delivery; raises NotFound."""
    found = db.session.get(Delivery, delivery_id)
    if found is None:
        raise NotFound("There is no such delivery.")
    return found


def locked_delivery(delivery_id: int) -> Delivery:
    """Return a delivery as it is now, held until the transaction ends; raises NotFound."""
    found = db.session.execute(
        select(Delivery)
        .filter_by(id=delivery_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).scalar_one_or_none()
    if found is None:
        raise NotFound("There is no such delivery.")
    return found


def delivery_page(shown: DeliveryFilter, page: int = 1) -> DeliveryPage:
    """Return a page: pending ones oldest order first, delivered ones newest first."""
    holds = _holds(shown.search)
    counts = select(func.count(), func.count(Delivery.delivered_at)).where(*holds)
    every, delivered = db.session.execute(counts).one()
    total = delivered if shown.delivered else every - delivered
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = (
        _of_status(delivered=shown.delivered)
        .where(*holds)
        .limit(ROWS_PER_PAGE)
        .offset((page - 1) * ROWS_PER_PAGE)
    )
    rows = db.session.execute(statement).scalars().all() if total else []
    return DeliveryPage(rows, page, pages, total, every - delivered, delivered)


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


def _holds(search: str) -> list[ColumnElement[bool]]:
    """Return the conditions that a delivery's texts hold every word."""
    return [
        Delivery.search_key.contains(word, autoescape=True) for word in names.search_words(search)
    ]
