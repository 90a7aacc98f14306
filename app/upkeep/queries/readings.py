"""Odometer readings: what vehicles have run, and which readings are doubtful."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from sqlalchemy import FromClause, Select, column, select, values
from sqlalchemy.orm import aliased

from app.db import db
from app.errors import NotFound
from app.fleet.models import Vehicle
from app.lists import batches
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.readings import Mileage

ACCEPTED = (OdometerReading.is_accepted, OdometerReading.void_at.is_(None))
"""The conditions that a reading is used."""

_ORDER = (OdometerReading.day, OdometerReading.miles, OdometerReading.id)
NEWEST_FIRST = tuple(column.desc() for column in _ORDER)


class NoSuchReading(NotFound):
    """The reading doesn't exist."""

    def __init__(self) -> None:
        super().__init__("There is no such reading. Load the list again.")


def current_mileage(reg_key: str) -> OdometerReading | None:
    """Return a vehicle's newest reading by day among those that are used, None without any."""
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


def reading_up_to(reg_key: str, day: date, *, but: int | None = None) -> OdometerReading | None:
    """Return the newest reading that is used up to a day, without the one with the id `but`."""
    statement = _accepted(reg_key).where(OdometerReading.day <= day)
    return _first(_without(statement, but).order_by(*NEWEST_FIRST))


def reading_after(reg_key: str, day: date, *, but: int | None = None) -> OdometerReading | None:
    """Return the oldest reading of a later day that is used."""
    statement = _accepted(reg_key).where(OdometerReading.day > day)
    return _first(_without(statement, but).order_by(*_ORDER))


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


def get_reading(reading_id: int) -> OdometerReading:
    """Return a reading; raises NoSuchReading."""
    row = db.session.get(OdometerReading, reading_id)
    if row is None:
        raise NoSuchReading
    return row


def as_rule(row: OdometerReading | None) -> Mileage | None:
    """Return a row as the rules take it."""
    return None if row is None else Mileage(row.day, row.miles)


def _newest_of(vehicles: FromClause) -> dict[str, OdometerReading]:
    """Return the newest reading in use of each vehicle, found in the index for each by itself."""
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


def _without(statement: Select[OdometerReading], but: int | None) -> Select[OdometerReading]:
    return statement if but is None else statement.where(OdometerReading.id != but)


def _first(statement: Select[OdometerReading]) -> OdometerReading | None:
    return db.session.execute(statement.limit(1)).scalar_one_or_none()
