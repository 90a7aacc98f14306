"""Odometer readings: what vehicles have run, and which readings are doubtful."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from sqlalchemy import Select, select, tuple_

from app.db import db
from app.errors import NotFound
from app.lists import batches
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.readings import Reading

ACCEPTED = (OdometerReading.is_accepted, OdometerReading.void_at.is_(None))
"""The conditions that a reading is used."""

_ORDER = (OdometerReading.day, OdometerReading.miles, OdometerReading.id)
_NEWEST_FIRST = tuple(column.desc() for column in _ORDER)


class NoSuchReading(NotFound):
    """The reading doesn't exist."""

    def __init__(self) -> None:
        super().__init__("There is no such reading. Load the list again.")


def current_mileage(reg_key: str) -> OdometerReading | None:
    """Return a vehicle's newest reading by day among those that are used, None without any."""
    return _first(_accepted(reg_key).order_by(*_NEWEST_FIRST))


def current_mileages(reg_keys: Collection[str]) -> Mapping[str, OdometerReading]:
    """Return the newest reading of each vehicle that has one, by registration key."""
    found: dict[str, OdometerReading] = {}
    for keys in batches(sorted(set(reg_keys))):
        wanted = (OdometerReading.reg_key.in_(keys), *ACCEPTED)
        other = OdometerReading.__table__.alias("newer")
        is_newer = tuple_(other.c.day, other.c.miles, other.c.id) > tuple_(*_ORDER)
        newer = (
            select(other.c.id)
            .where(
                other.c.reg_key == OdometerReading.reg_key,
                other.c.day >= OdometerReading.day,
                is_newer,
                other.c.is_accepted,
                other.c.void_at.is_(None),
            )
            .exists()
        )
        rows = db.session.execute(select(OdometerReading).where(*wanted, ~newer)).scalars()
        found.update((row.reg_key, row) for row in rows)
    return found


def reading_up_to(reg_key: str, day: date, *, but: int | None = None) -> OdometerReading | None:
    """Return the newest reading that is used up to a day, without the one with the id `but`."""
    statement = _accepted(reg_key).where(OdometerReading.day <= day)
    return _first(_without(statement, but).order_by(*_NEWEST_FIRST))


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
        *db.session.execute(earlier.order_by(*_NEWEST_FIRST)).scalars(),
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


def as_rule(row: OdometerReading | None) -> Reading | None:
    """Return a row as the rules take it."""
    return None if row is None else Reading(row.day, row.miles)


def _accepted(reg_key: str) -> Select[OdometerReading]:
    return select(OdometerReading).where(OdometerReading.reg_key == reg_key, *ACCEPTED)


def _without(statement: Select[OdometerReading], but: int | None) -> Select[OdometerReading]:
    return statement if but is None else statement.where(OdometerReading.id != but)


def _first(statement: Select[OdometerReading]) -> OdometerReading | None:
    return db.session.execute(statement.limit(1)).scalar_one_or_none()
