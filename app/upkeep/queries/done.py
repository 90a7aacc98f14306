"""The work done on items, and their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import or_, select

from app.accounts.queries import usernames
from app.db import db
from app.errors import NotFound
from app.upkeep.models.due import DueDone, DueItem, DuePlan
from app.upkeep.queries.readings import (
    ReadingPlace,
    Surroundings,
    current_mileages,
    sources_in_use,
    surroundings,
)
from app.upkeep.rules.kinds import ReadingSource
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

    Its miles are counted from `miles_when_done`.
    """
    return next_due(
        item.kind,
        interval_of(item),
        done_on=done_on,
        done_miles=miles_when_done(item, done_on, done_miles),
        due_on=item.due_on,
        due_miles=item.due_miles,
        anchor_day=item.anchor_day,
    )


def miles_when_done(item: DueItem, day: date, miles: int | None) -> int | None:
    """Return the entered mileage if it fits the readings, else the readings' mileage.

    The latter is the last reading in use up to the day, else the newest.
    """
    if item.reg_key is None:
        return None
    place = ReadingPlace(item.reg_key, day, miles or 0)
    around = surroundings([place])
    before, after, _ = around[place]
    if miles is not None and find_doubt(miles, day, before=before, after=after) is None:
        return miles
    return _last_miles(around)[place]


def miles_of_done(rows: Sequence[DueDone]) -> Mapping[int, int | None]:
    """Return the mileage of each done work, by their ids.

    It is the entered one if its reading is in use, else the readings' as in `miles_when_done`.
    """
    used = sources_in_use(ReadingSource.DUE, [row.id for row in rows])
    places = {
        row.id: ReadingPlace(row.reg_key, row.done_on, 0)
        for row in rows
        if row.reg_key is not None and row.id not in used
    }
    last = _last_miles(surroundings(places.values()))
    return {row.id: last[places[row.id]] if row.id in places else row.done_miles for row in rows}


def _last_miles(around: Mapping[ReadingPlace, Surroundings]) -> Mapping[ReadingPlace, int | None]:
    """Return the miles of the last reading up to each day, else of the vehicle's newest."""
    newest = current_mileages({place.reg_key for place, at in around.items() if at.before is None})
    last = {place: at.before or newest.get(place.reg_key) for place, at in around.items()}
    return {place: reading.miles if reading else None for place, reading in last.items()}


def get_done(done_id: int) -> DueDone:
    """Return done work; raises NothingDone."""
    row = db.session.get(DueDone, done_id)
    if row is None:
        raise NothingDone
    return row


@dataclass(frozen=True)
class DoneRow:
    """Done work, with the usernames of its record and its undo."""

    done: DueDone
    recorded_by: str
    undone_by: str


def history_of(item: DueItem, limit: int) -> Sequence[DoneRow]:
    """Return the work done on an item's kind for its vehicle, or on a shared item itself."""
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
