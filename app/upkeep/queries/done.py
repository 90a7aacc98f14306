"""What was done about items, and how often they are due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import or_, select

from app.db import db
from app.errors import NotFound
from app.fleet.queries.people import usernames
from app.upkeep.models.due import DueDone, DueItem, DuePlan
from app.upkeep.queries.readings import (
    as_rule,
    current_mileage,
    reading_after,
    reading_up_to,
)
from app.upkeep.rules.next_due import Interval, NextDue, interval_of_kind, next_due
from app.upkeep.rules.readings import find_doubt


class NothingDone(NotFound):
    """Nothing of this id was done."""

    def __init__(self) -> None:
        super().__init__("There is no such entry. Load the page again.")


def interval_of(item: DueItem) -> Interval | None:
    """Return how often an item is due: by its plan, else by its kind."""
    plan = db.session.get(DuePlan, item.plan_id) if item.plan_id else None
    return interval_of_plan(plan) if plan and plan.is_active else interval_of_kind(item.kind)


def interval_of_plan(plan: DuePlan) -> Interval:
    """Return how often a plan's items are due."""
    return Interval(
        months=plan.every_months,
        days=plan.every_days,
        miles=plan.every_miles,
        anchor=plan.anchor,
        early_window_days=plan.early_window_days,
    )


def proposal(item: DueItem, done_on: date, done_miles: int | None) -> NextDue:
    """Return when an item that is done on a day is due again.

    Its miles are counted from the last accepted reading if none is given, or a doubtful one.
    """
    return next_due(
        item.kind,
        interval_of(item),
        done_on=done_on,
        done_miles=_usable_miles(item.reg_key, done_on, done_miles) if item.reg_key else None,
        due_on=item.due_on,
        due_miles=item.due_miles,
        anchor_day=item.anchor_day,
    )


def _usable_miles(reg_key: str, day: date, miles: int | None) -> int | None:
    if miles is not None:
        before = as_rule(reading_up_to(reg_key, day))
        after = as_rule(reading_after(reg_key, day))
        if find_doubt(miles, day, before=before, after=after) is None:
            return miles
    last = current_mileage(reg_key)
    return last.miles if last else None


def get_done(done_id: int) -> DueDone:
    """Return what was done; raises NothingDone."""
    row = db.session.get(DueDone, done_id)
    if row is None:
        raise NothingDone
    return row


def last_done(item_id: int) -> DueDone | None:
    """Return what was done last about an item and not undone."""
    statement = (
        select(DueDone)
        .filter_by(due_item_id=item_id)
        .where(DueDone.undone_at.is_(None))
        .order_by(DueDone.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none()


@dataclass(frozen=True)
class DoneRow:
    """What was done, and by which accounts it was recorded and undone."""

    done: DueDone
    recorded_by: str
    undone_by: str


def history_of(item: DueItem, limit: int) -> Sequence[DoneRow]:
    """Return what was done of an item's kind for its vehicle, or about a shared item itself."""
    statement = select(DueDone).order_by(DueDone.done_on.desc(), DueDone.id.desc()).limit(limit)
    if item.reg_key is None:
        leads = select(DueDone.due_item_id).where(DueDone.next_item_id == item.id)
        statement = statement.where(
            or_(DueDone.due_item_id == item.id, DueDone.due_item_id.in_(leads))
        )
    else:
        statement = statement.where(DueDone.reg_key == item.reg_key, DueDone.kind == item.kind)
    rows = db.session.execute(statement).scalars().all()
    users = usernames({id_ for row in rows for id_ in (row.recorded_by, row.undone_by)})
    return [DoneRow(row, users[row.recorded_by], users[row.undone_by]) for row in rows]
