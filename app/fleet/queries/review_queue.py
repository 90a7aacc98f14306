"""The queue of checks to review: damage first, and then the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Row, select, tuple_

from app import day_counts
from app.day_counts import Days
from app.db import db
from app.fleet.models import Check
from app.fleet.queries.checks import CheckRow, check_rows, checks_lists
from app.fleet.rules.vehicles import plate_key
from app.sums import count_matches

QUEUED_ROWS = 10
"""The checks on the queue's page: the current one, and the next ones."""

_PLACE = (Check.has_damage, Check.day, Check.id)
_IS_QUEUED = Check.reviewed_at.is_(None)


@dataclass(frozen=True)
class ReviewQueue:
    """The queue at one of its checks: `number` is the place of `rows[0]` and counts from 1.

    `previous_id` is the check before it in the queue, `earlier` the odometer and the day of the
    vehicle's check before it.
    """

    rows: Sequence[CheckRow]
    total: int
    damaged: int
    number: int = 1
    previous_id: int | None = None
    earlier: Row[int, date] | None = None


def checks_to_review(limit: int, *, from_id: int = 0) -> Sequence[CheckRow]:
    """Return up to `limit` checks of the queue from the place of a check on, reviewed or not."""
    newest_first = (column.desc() for column in _PLACE)
    statement = select(Check).where(_IS_QUEUED).order_by(*newest_first).limit(limit)
    place = _place_of(from_id) if from_id else None
    if place:
        statement = statement.where(tuple_(*_PLACE) <= place)
    return check_rows(statement.execution_options(populate_existing=True))


def count_to_review() -> int:
    """Return the number of checks in the queue."""
    return day_counts.totals(Days(checks_lists(reviewed=[False])))[0]


def review_queue(from_id: int = 0) -> ReviewQueue:
    """Return the queue at the place of a check; after its last place it begins anew."""
    total = count_to_review()
    damaged = count_matches(select(Check.id).where(_IS_QUEUED, Check.has_damage))
    rows = checks_to_review(QUEUED_ROWS, from_id=from_id)
    if not rows and from_id:
        rows = checks_to_review(QUEUED_ROWS)
    if not rows:
        return ReviewQueue(rows, total, damaged)
    before = select(Check.id).where(_IS_QUEUED, tuple_(*_PLACE) > _place_of(rows[0].id))
    return ReviewQueue(
        rows,
        total,
        damaged,
        number=1 + count_matches(before),
        previous_id=db.session.execute(before.order_by(*_PLACE).limit(1)).scalar_one_or_none(),
        earlier=_reading_before(rows[0]),
    )


def _place_of(check_id: int) -> tuple[object, ...] | None:
    row = db.session.execute(select(*_PLACE).filter_by(id=check_id)).one_or_none()
    return tuple(row) if row else None


def _reading_before(check: CheckRow) -> Row[int, date] | None:
    statement = (
        select(Check.odometer, Check.day)
        .where(
            Check.reg_key == plate_key(check.reg),
            tuple_(Check.day, Check.id) < (check.day, check.id),
        )
        .order_by(Check.day.desc(), Check.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).one_or_none()
