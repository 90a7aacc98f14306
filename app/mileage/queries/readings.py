"""Reads odometer readings and forecasts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import (
    CTE,
    ColumnElement,
    FromClause,
    ScalarSelect,
    Select,
    column,
    exists,
    func,
    or_,
    select,
    values,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.db import db
from app.errors import NotFound
from app.fleet.models import Check, Vehicle
from app.lists import batches, rows_with
from app.mileage.models import OdometerReading
from app.mileage.rules import (
    Forecast,
    Mileage,
    ReadingSource,
    ReadingSpan,
    is_far_enough,
    is_stale,
    make_forecast,
    window_start,
)

ACCEPTED = (OdometerReading.is_accepted, OdometerReading.void_at.is_(None))
"""The conditions that a reading is used."""

_ORDER = (OdometerReading.day, OdometerReading.miles, OdometerReading.id)

NEWEST_FIRST = tuple(column.desc() for column in _ORDER)


class ReadingPlace(NamedTuple):
    """The vehicle, the day and the miles of a reading."""

    reg_key: str
    day: date
    miles: int


class Surroundings(NamedTuple):
    """The readings in use before and after a place, and whether one just like it is stored."""

    before: Mileage | None
    after: Mileage | None
    is_stored: bool


class NoSuchReading(NotFound):
    """The reading doesn't exist."""

    def __init__(self) -> None:
        super().__init__("There is no such reading. Load the list again.")


def current_mileage(reg_key: str) -> OdometerReading | None:
    """Return a vehicle's newest reading in use by day, or None."""
    return _first(_accepted(reg_key).order_by(*NEWEST_FIRST))


def current_mileages(reg_keys: Collection[str] | None) -> Mapping[str, OdometerReading]:
    """Return the newest reading in use of each vehicle that has one, by registration key.

    None means of all vehicles of the lists.
    """
    if reg_keys is None:
        return _newest_of(select(Vehicle.reg_key).distinct().subquery("vehicles"))
    found: dict[str, OdometerReading] = {}
    for keys in batches(sorted(set(reg_keys))):
        key = column("reg_key", OdometerReading.reg_key.type)
        found.update(_newest_of(values(key, name="vehicles").data([(k,) for k in keys]).cte()))
    return found


def reading_before(check: Check) -> OdometerReading | None:
    """Return the newest reading in use up to a check's day, other than its own."""
    own = reading_of(ReadingSource.CHECK, check.id)
    statement = _accepted(check.reg_key).where(OdometerReading.day <= check.day)
    if own is not None:
        statement = statement.where(OdometerReading.id != own.id)
    return _first(statement.order_by(*NEWEST_FIRST))


def surroundings(places: Collection[ReadingPlace]) -> Mapping[ReadingPlace, Surroundings]:
    """Return the readings around each place."""
    row = OdometerReading
    columns = [column(name, getattr(row, name).type) for name in ReadingPlace._fields]
    found: dict[ReadingPlace, Surroundings] = {}
    for batch in batches(sorted(set(places))):
        place = values(*columns, name="places").data(list(batch)).cte()
        before, after, same = aliased(row), aliased(row), aliased(row)
        is_same = (getattr(same, each.name) == each for each in place.c)
        statement = (
            select(
                *place.c,
                select(same.id).where(*is_same).exists(),
                before.day,
                before.miles,
                after.day,
                after.miles,
            )
            .select_from(place)
            .outerjoin(before, before.id == _neighbour(place, is_before=True))
            .outerjoin(after, after.id == _neighbour(place, is_before=False))
        )
        for key, day, miles, is_stored, *beside in db.session.execute(statement):
            earlier, later = (
                Mileage(*pair) if pair[0] else None for pair in (beside[:2], beside[2:])
            )
            found[ReadingPlace(key, day, miles)] = Surroundings(earlier, later, is_stored)
    return found


def _neighbour(place: CTE, *, is_before: bool) -> ScalarSelect[int]:
    """Return the id of the reading in use before or after each place.

    Before it is the newest up to its day, after it the oldest of a later day.
    """
    other, at = aliased(OdometerReading), place.c
    is_beside = other.day <= at.day if is_before else other.day > at.day
    order = (other.day, other.miles, other.id)
    return (
        select(other.id)
        .where(other.reg_key == at.reg_key, is_beside, other.is_accepted, other.void_at.is_(None))
        .order_by(*(column.desc() if is_before else column for column in order))
        .limit(1)
        .correlate(place)
        .scalar_subquery()
    )


def contradicting(row: OdometerReading) -> Sequence[OdometerReading]:
    """Return the readings in use that a reading contradicts, the nearest by day first."""
    earlier = _accepted(row.reg_key).where(
        OdometerReading.day < row.day, OdometerReading.miles > row.miles
    )
    later = _accepted(row.reg_key).where(
        OdometerReading.day > row.day, OdometerReading.miles < row.miles
    )
    return [
        *db.session.execute(earlier.order_by(*NEWEST_FIRST)).scalars(),
        *db.session.execute(later.order_by(*_ORDER)).scalars(),
    ]


def reading_of(source: ReadingSource, source_id: int) -> OdometerReading | None:
    """Return the reading of a check, a repair or a done item."""
    return _first(select(OdometerReading).filter_by(source=source, source_id=source_id))


def sources_in_use(source: ReadingSource, source_ids: Collection[int]) -> set[int]:
    """Return which checks, repairs or done items have a reading that is used, by their ids."""
    in_use = select(OdometerReading.source_id).where(OdometerReading.source == source, *ACCEPTED)
    rows = rows_with(in_use, OdometerReading.source_id, source_ids)
    return {id_ for (id_,) in rows if id_ is not None}


def is_unused(
    source: ReadingSource, source_id: ColumnElement[int] | InstrumentedAttribute[int]
) -> ColumnElement[bool]:
    """Return the condition that a check, repair or done item has a reading that isn't used."""
    row = aliased(OdometerReading)
    return exists().where(
        row.source == source,
        row.source_id == source_id,
        or_(~row.is_accepted, row.void_at.is_not(None)),
    )


def get_reading(reading_id: int) -> OdometerReading:
    """Return a reading; raises NoSuchReading."""
    row = db.session.get(OdometerReading, reading_id)
    if row is None:
        raise NoSuchReading
    return row


def _newest_of(vehicles: FromClause) -> dict[str, OdometerReading]:
    newest = (
        select(OdometerReading.id)
        .where(OdometerReading.reg_key == vehicles.c.reg_key, *ACCEPTED)
        .order_by(*NEWEST_FIRST)
        .limit(1)
        .correlate(vehicles)
        .scalar_subquery()
    )
    row = aliased(OdometerReading)
    statement = select(row).select_from(vehicles).join(row, row.id == newest)
    return {found.reg_key: found for found in db.session.execute(statement).scalars()}


def _accepted(reg_key: str) -> Select[OdometerReading]:
    return select(OdometerReading).where(OdometerReading.reg_key == reg_key, *ACCEPTED)


def _first(statement: Select[OdometerReading]) -> OdometerReading | None:
    return db.session.execute(statement.limit(1)).scalar_one_or_none()


@dataclass(frozen=True)
class VehicleMileage:
    """A vehicle's newest reading, and its forecast if there is one."""

    last: Mileage
    forecast: Forecast | None


def mileages(reg_keys: Collection[str], today: date) -> Mapping[str, VehicleMileage]:
    """Return the mileage of each vehicle that has a reading, by registration key."""
    current = current_mileages(reg_keys)
    last = {key: Mileage(row.day, row.miles) for key, row in current.items()}
    fresh = [key for key, reading in last.items() if not is_stale(reading, today)]
    recent = _spans(fresh, window_start(today))
    # Few vehicles run for so long without two readings in the window.
    others = [key for key in fresh if not is_far_enough(recent.get(key))]
    all_time = _spans(others, None)
    return {
        key: VehicleMileage(reading, make_forecast(recent.get(key), all_time.get(key), today))
        for key, reading in last.items()
    }


def _spans(reg_keys: Collection[str], since: date | None) -> Mapping[str, ReadingSpan]:
    """Return the readings of vehicles since a day as spans: readings in use never fall."""
    row = OdometerReading
    statement = (
        select(
            row.reg_key,
            func.min(row.day),
            func.min(row.miles),
            func.max(row.day),
            func.max(row.miles),
            func.count(),
        )
        .where(*ACCEPTED)
        .group_by(row.reg_key)
    )
    if since is not None:
        statement = statement.where(row.day >= since)
    return {
        key: ReadingSpan(Mileage(first, low), Mileage(last, high), count)
        for key, first, low, last, high, count in rows_with(statement, row.reg_key, reg_keys)
    }


def reading_problems() -> Iterator[str]:
    """Yield the vehicles whose readings in use fall from one day to a later one."""
    later = aliased(OdometerReading)
    statement = (
        select(OdometerReading.reg_key, OdometerReading.day, OdometerReading.miles)
        .where(
            OdometerReading.is_accepted,
            OdometerReading.void_at.is_(None),
            select(later.id)
            .where(
                later.reg_key == OdometerReading.reg_key,
                later.day > OdometerReading.day,
                later.miles < OdometerReading.miles,
                later.is_accepted,
                later.void_at.is_(None),
            )
            .exists(),
        )
        .order_by(OdometerReading.reg_key, OdometerReading.day)
    )
    for reg_key, day, miles in db.session.execute(statement):
        yield f"{reg_key}: {miles} miles of {day} are more than on a later day"
