"""Reads of deliveries."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import case, func, select

from app.db import db
from app.deliveries.models import Delivery
from app.deliveries.rules import overdue_before


@dataclass(frozen=True)
class Outlook:
    """How many deliveries are still to come, and how many of them are overdue."""

    pending: int
    overdue: int


def outlook(today: date) -> Outlook:
    """Count the pending deliveries."""
    is_late = Delivery.ordered_on < overdue_before(today)
    statement = select(
        func.count().label("pending"), func.count(case((is_late, 1))).label("overdue")
    ).where(Delivery.delivered_at.is_(None))
    found = db.session.execute(statement).one()
    return Outlook(found.pending, found.overdue)
