"""Record odometer readings, and decide on doubtful ones; none is ever deleted."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from sqlalchemy import insert, select

from app import dates
from app.audit.services import record_import
from app.db import db
from app.errors import Invalid
from app.events.rules import EventKind
from app.events.services import ChangedSubject
from app.fleet.models import Check
from app.fleet.queries.vehicles import lock_records, lock_vehicle
from app.fleet.rules.vehicles import describe_missing, plate_key
from app.fleet.services import upkeep
from app.lists import ListChange
from app.mileage import queries, rules
from app.mileage.models import OdometerReading
from app.mileage.queries import ReadingPlace
from app.mileage.rules import Doubt, Mileage, ReadingSource
from app.tables.csv_files import Cells, FileLines

SUBJECT = "reading"


@dataclass(frozen=True)
class ReadingChange:
    """A reading that was added, accepted or void; `question` is about a doubtful one."""

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
    """Keep the one reading of its source, doubtful unless it fits between its neighbours."""
    vehicle = lock_vehicle(reg)
    existing = None if source_id is None else queries.reading_of(source, source_id)
    if existing is not None:
        return existing
    place = ReadingPlace(vehicle.reg_key, day, miles)
    around = queries.surroundings([place])[place]
    doubt = rules.find_doubt(miles, day, before=around.before, after=around.after)
    (row,) = _save([(vehicle.reg, place, doubt)], source, source_id, by=by)
    return row


def _save(
    readings: Sequence[tuple[str, ReadingPlace, Doubt | None]],
    source: ReadingSource,
    source_id: int | None = None,
    *,
    by: int | None,
) -> Sequence[OdometerReading]:
    """Insert readings, each with its event; one with a doubt isn't used. Return them in any order.

    Each is its registration as the lists write it, its place, and its doubt.
    """
    values = [
        {
            "reg": reg,
            **place._asdict(),
            "source": source,
            "source_id": source_id,
            "is_accepted": doubt is None,
            "doubt": doubt,
            "recorded_by": by,
            "recorded_at": dates.utc_now(),
        }
        for reg, place, doubt in readings
    ]
    rows = db.session.scalars(insert(OdometerReading).returning(OdometerReading), values).all()
    recorded = ("day", "miles", "source", "doubt")
    added = (
        ChangedSubject(row.id, after={name: getattr(row, name) for name in recorded})
        for row in rows
    )
    upkeep.record_changes(EventKind.READING_RECORDED, SUBJECT, added, by=by)
    return rows


def add_reading(reg: str, miles: int, *, day: date, by: int) -> ReadingChange:
    """Add a reading by hand of a vehicle in the lists. Raises Invalid for any other."""
    if not lock_vehicle(reg).is_listed:
        raise Invalid(describe_missing(reg), "reg")
    row = record_reading(reg, miles, day=day, source=ReadingSource.BY_HAND, by=by)
    question = "" if row.is_accepted else queries.question_about(row)
    return ReadingChange(row.id, row.reg, row.miles, question=question)


def accept_reading(reading_id: int, *, void_others: bool, by: int) -> ReadingChange:
    """Use a doubtful reading from now on, and void those that contradict it if `void_others`.

    Raises NotFound, Conflict for one that was decided on, and Invalid for others that stay.
    """
    row = queries.get_reading(reading_id)
    upkeep.lock_changeable(row, queries.decided_message)
    others = queries.contradicting(row)
    if others and not void_others:
        against = [Mileage(other.day, other.miles) for other in others]
        raise Invalid(rules.describe_contradictions(row.miles, against), "void_others")
    now = dates.utc_now()
    for other in others:
        _void(other, f"Contradicts {row.miles:,} of {dates.format_day(row.day)}", by, now)
    row.is_accepted = True
    row.accepted_by, row.accepted_at = by, now
    after = {"voided": [other.id for other in others]} if others else None
    upkeep.record_change(EventKind.READING_ACCEPTED, SUBJECT, row.id, after=after, by=by)
    return ReadingChange(row.id, row.reg, row.miles, len(others))


def void_reading(reading_id: int, *, reason: str, by: int) -> ReadingChange:
    """Stop using a reading, and keep it with the reason; raises NotFound, or Conflict if void."""
    row = queries.get_reading(reading_id)
    upkeep.lock_changeable(row, queries.void_message)
    _void(row, reason, by, dates.utc_now())
    return ReadingChange(row.id, row.reg, row.miles)


def void_reading_of(source: ReadingSource, source_id: int, *, reason: str, by: int) -> None:
    """Stop using the reading of a repair or done item that is taken back, if it has one."""
    row = queries.reading_of(source, source_id)
    if row is not None and row.void_at is None:
        _void(row, reason, by, dates.utc_now())


def _void(row: OdometerReading, reason: str, by: int, at: datetime) -> None:
    row.void_by, row.void_at, row.void_reason = by, at, reason
    before = {"accepted": row.is_accepted}
    upkeep.record_change(EventKind.READING_VOIDED, SUBJECT, row.id, before=before, by=by)


REBUILD_SIZE = 200
"""How many readings one transaction adds."""


@dataclass(frozen=True)
class ReadingLine:
    """A reading in a file, and its row."""

    row: Cells
    reg: str
    day: date
    miles: int


@dataclass(frozen=True)
class ReadingsImport:
    """The numbers of added, doubtful and unchanged readings of a file."""

    added: int
    unchanged: int
    doubtful: int = 0

    @property
    def summary(self) -> str:
        """Return it as '3 added, 1 of them doubtful, 2 unchanged'."""
        return f"{self.added} added, {self.doubtful} of them doubtful, {self.unchanged} unchanged"


def new_readings(file: FileLines[ReadingLine]) -> Sequence[ReadingLine]:
    """Return the readings of a file that aren't stored, the first of each."""
    lines = reversed(file.lines)
    new = {ReadingPlace(plate_key(line.reg), line.day, line.miles): line for line in lines}
    around = queries.surroundings(new)
    return [line for place, line in new.items() if not around[place].is_stored]


def import_readings(file: FileLines[ReadingLine], *, by: int | None) -> ReadingsImport:
    """Add the new readings of a file, each judged by its neighbours; raises FileErrors."""
    lock_records([plate_key(line.reg) for line in file.lines])
    plates = upkeep.refuse_missing_vehicles(file.lines)
    file.rows.check()
    places = {ReadingPlace(plate_key(line.reg), line.day, line.miles) for line in file.lines}
    new = _judged(places, plates)
    if new:
        _save(new, ReadingSource.IMPORT, by=by)
    record_import("readings", ListChange(added=len(new)), by=by)
    doubtful = sum(doubt is not None for _, _, doubt in new)
    return ReadingsImport(len(new), len(file.lines) - len(new), doubtful)


def _judged(
    places: Collection[ReadingPlace], plates: Mapping[str, str]
) -> Sequence[tuple[str, ReadingPlace, Doubt | None]]:
    """Return a file's new readings as `_save` takes them, judged in the order of their days."""
    around, new = queries.surroundings(places), []
    for reg_key, of_vehicle in groupby(sorted(places), key=lambda place: place.reg_key):
        newest: Mileage | None = None
        for place in of_vehicle:
            before, after, is_stored = around[place]
            if is_stored:
                continue
            # The file's own readings so far are of this day or earlier ones.
            before = max(filter(None, (before, newest)), default=None)
            doubt = rules.find_doubt(place.miles, place.day, before=before, after=after)
            if doubt is None:
                newest = Mileage(place.day, place.miles)
            new.append((plates[reg_key], place, doubt))
    return new


def rebuild_readings() -> int:
    """Add the readings of up to REBUILD_SIZE checks that have none; return how many were added.

    A release without readings may have saved checks while the tables were changed.
    """
    reading = OdometerReading
    is_of = (reading.source == ReadingSource.CHECK, reading.source_id == Check.id)
    statement = select(Check).where(~select(reading.id).where(*is_of).exists())
    in_order = statement.order_by(Check.reg_key, Check.day, Check.id).limit(REBUILD_SIZE)
    checks = db.session.scalars(in_order).all()
    lock_records([check.reg_key for check in checks])
    for check in checks:
        record_check_reading(check, by=check.submitted_by)
    return len(checks)


def record_check_reading(check: Check, *, by: int | None) -> OdometerReading:
    """Keep the reading of a check."""
    source = ReadingSource.CHECK
    return record_reading(
        check.reg, check.odometer, day=check.day, source=source, source_id=check.id, by=by
    )
