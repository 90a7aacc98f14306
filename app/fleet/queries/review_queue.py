"""The queue of checks to review: those with damage first, and the newest first among equals."""

from collections.abc import Sequence

from sqlalchemy import Select, select, tuple_
from sqlalchemy.orm import selectinload

from app import day_counts
from app.day_counts import Days
from app.db import db
from app.fleet.models import Check
from app.fleet.queries.checks import CheckRow, check_rows
from app.fleet.queries.counts import checks_lists

_PLACE = (Check.has_damage, Check.day, Check.id)


def checks_to_review(limit: int, *, from_id: int = 0) -> Sequence[CheckRow]:
    """Return up to `limit` checks of the queue, from the place of the check `from_id` on.

    That check itself is left out if it has been reviewed meanwhile.
    """
    statement = _in_order().limit(limit)
    place = _place_of(from_id) if from_id else None
    if place:
        statement = statement.where(tuple_(*_PLACE) <= place)
    return check_rows(statement)


def count_to_review() -> int:
    """Return the number of checks in the queue."""
    return day_counts.totals(Days(checks_lists(reviewed=[False])))[0]


def _in_order() -> Select[Check]:
    return (
        select(Check)
        .where(Check.reviewed_at.is_(None))
        .order_by(*(column.desc() for column in _PLACE))
        .options(selectinload(Check.photos))
        .execution_options(populate_existing=True)
    )


def _place_of(check_id: int) -> tuple[object, ...] | None:
    row = db.session.execute(select(*_PLACE).filter_by(id=check_id)).one_or_none()
    return tuple(row) if row else None
