"""Record odometer readings, and decide on doubtful ones; none is ever deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import insert

from app import dates
from app.db import db
from app.errors import Conflict, Invalid
from app.events.rules import EventKind
from app.events.services import ChangedSubject
from app.fleet.queries.vehicles import lock_records, lock_vehicle
from app.fleet.rules.vehicles import describe_missing
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries import readings as queries
from app.upkeep.queries.reading_lists import decided_message, question_about, void_message
from app.upkeep.queries.readings import ReadingPlace
from app.upkeep.rules import readings as rules
from app.upkeep.rules.kinds import Doubt, ReadingSource
from app.upkeep.services.changes import record_changes

SUBJECT = "reading"


@dataclass(frozen=True)
class ReadingChange:
    """A reading that was added, accepted or void, and how many others were void with it.

    `question` is the question about a doubtful one.
    """

    reading_id: int
    reg: str
    miles: int
    others_void: int = 0
    question: str = ""


def record_reading(
    reg: str,
    miles: int,
    *,
    day: date,
    source: ReadingSource,
    source_id: int | None = None,
    by: int | None,
) -> OdometerReading:
    """Keep a reading; one that doesn't fit between its neighbours waits to be accepted.

    A check, repair or done work has one reading; an existing one is returned.
    """
    vehicle = lock_vehicle(reg)
    if source_id is not None:
        existing = queries.reading_of(source, source_id)
        if existing is not None:
            return existing
    place = ReadingPlace(vehicle.reg_key, day, miles)
    around = queries.surroundings([place])[place]
    doubt = rules.find_doubt(miles, day, before=around.before, after=around.after)
    values = reading_values(vehicle.reg, place, doubt, source=source, source_id=source_id, by=by)
    (row,) = save_readings([values], by=by)
    return row


def reading_values(
    reg: str,
    place: ReadingPlace,
    doubt: Doubt | None,
    *,
    source: ReadingSource,
    source_id: int | None = None,
    by: int | None,
) -> dict[str, Any]:
    """Return the values of a new reading; one with a doubt isn't used."""
    return {
        "reg": reg,
        "reg_key": place.reg_key,
        "day": place.day,
        "miles": place.miles,
        "source": source,
        "source_id": source_id,
        "is_accepted": doubt is None,
        "doubt": doubt,
        "recorded_by": by,
        "recorded_at": dates.utc_now(),
    }


def save_readings(
    readings: Sequence[dict[str, Any]], *, by: int | None
) -> Sequence[OdometerReading]:
    """Insert readings, each with its event, and return them in any order."""
    statement = insert(OdometerReading).returning(OdometerReading)
    rows = db.session.execute(statement, readings).scalars().all()
    added = [
        ChangedSubject(
            row.id,
            after={
                "day": row.day.isoformat(),
                "miles": row.miles,
                "source": row.source,
                "doubt": row.doubt,
            },
        )
        for row in rows
    ]
    record_changes(EventKind.READING_RECORDED, SUBJECT, added, by=by)
    return rows


def add_reading(reg: str, miles: int, *, day: date, by: int) -> ReadingChange:
    """Add a reading by hand of a vehicle in the lists. Raises Invalid for any other."""
    if not lock_vehicle(reg).is_listed:
        raise Invalid(describe_missing(reg), "reg")
    row = record_reading(reg, miles, day=day, source=ReadingSource.BY_HAND, by=by)
    question = "" if row.is_accepted else question_about(row)
    return ReadingChange(row.id, row.reg, row.miles, question=question)


def accept_reading(reading_id: int, *, void_others: bool, by: int) -> ReadingChange:
    """Use a doubtful reading from now on.

    Readings in use that contradict it are void with it if `void_others`. Raises NoSuchReading,
    Invalid for `void_others` when they aren't to be void, and Conflict for a reading that was
    decided on already. Other doubtful readings stay as they are.
    """
    row = _lock_reading(reading_id)
    _refuse(decided_message(row))
    others = queries.contradicting(row)
    if others and not void_others:
        against = [rules.Mileage(other.day, other.miles) for other in others]
        raise Invalid(rules.describe_contradictions(row.miles, against), "void_others")
    now = dates.utc_now()
    for other in others:
        _void(other, f"Contradicts {row.miles:,} of {dates.format_day(row.day)}", now, by)
    row.is_accepted = True
    row.accepted_by, row.accepted_at = by, now
    after = {"voided": [other.id for other in others]} if others else None
    change = ChangedSubject(row.id, after=after)
    record_changes(EventKind.READING_ACCEPTED, SUBJECT, [change], by=by)
    return ReadingChange(row.id, row.reg, row.miles, len(others))


def void_reading(reading_id: int, *, reason: str, by: int) -> ReadingChange:
    """Stop using a reading, and keep it with the reason.

    Raises NoSuchReading, and Conflict for a reading that is void already.
    """
    row = _lock_reading(reading_id)
    _refuse(void_message(row))
    _void(row, reason, dates.utc_now(), by)
    return ReadingChange(row.id, row.reg, row.miles)


def void_reading_of(source: ReadingSource, source_id: int, *, reason: str, by: int) -> None:
    """Stop using the reading of a repair or done item that is taken back, if it has one."""
    row = queries.reading_of(source, source_id)
    if row is not None and row.void_at is None:
        _void(row, reason, dates.utc_now(), by)


def _lock_reading(reading_id: int) -> OdometerReading:
    row = queries.get_reading(reading_id)
    lock_records([row.reg_key])
    db.session.refresh(row, with_for_update=True)
    return row


def _refuse(message: str) -> None:
    if message:
        raise Conflict(message)


def _void(row: OdometerReading, reason: str, now: datetime, by: int) -> None:
    row.void_by, row.void_at, row.void_reason = by, now, reason
    change = ChangedSubject(row.id, before={"accepted": row.is_accepted})
    record_changes(EventKind.READING_VOIDED, SUBJECT, [change], by=by)
