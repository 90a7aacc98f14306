"""Many odometer readings at once: an import, and those of checks that have none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from app.audit.services import record_import
from app.db import db
from app.fleet.models import Check
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import FileErrors
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.services.readings import lock_upkeep, record_reading

REBUILD_SIZE = 200
"""How many readings one transaction adds."""


@dataclass(frozen=True)
class ReadingLine:
    """A reading of a file, and the row in which it stands, such as 'readings.csv: row 3'."""

    place: str
    reg: str
    day: date
    miles: int


@dataclass(frozen=True)
class ReadingsImport:
    """How many readings a file added, of which so many are doubtful, and left unchanged."""

    added: int
    unchanged: int
    doubtful: int = 0

    @property
    def summary(self) -> str:
        """Return it as '3 added, 1 of them doubtful, 2 unchanged'."""
        return f"{self.added} added, {self.doubtful} of them doubtful, {self.unchanged} unchanged"


def import_readings(lines: Sequence[ReadingLine], *, by: int | None) -> ReadingsImport:
    """Add the readings that aren't there yet, each judged by its neighbours.

    Raises FileErrors that names every row with a vehicle that is in no list.
    """
    errors = [
        f"{line.place}, reg: There is no vehicle {line.reg}."
        for line in lines
        if stored_plate(plate_key(line.reg)) is None
    ]
    if errors:
        raise FileErrors(errors, "Nothing was imported.")
    lock_upkeep([plate_key(line.reg) for line in lines])
    added = doubtful = 0
    for line in sorted(lines, key=lambda each: (plate_key(each.reg), each.day, each.miles)):
        if not _is_stored(line):
            reading = record_reading(
                line.reg, line.miles, day=line.day, source=ReadingSource.IMPORT, by=by
            )
            added += 1
            doubtful += not reading.is_accepted
    record_import("readings", ListChange(added=added), by=by)
    return ReadingsImport(added, len(lines) - added, doubtful)


def rebuild_readings() -> int:
    """Add the readings of up to REBUILD_SIZE checks that have none; return how many were added.

    A release without readings may have saved checks while the tables were changed.
    """
    has_reading = (
        select(OdometerReading.id)
        .where(OdometerReading.source == ReadingSource.CHECK, OdometerReading.source_id == Check.id)
        .exists()
    )
    statement = select(Check).where(~has_reading).order_by(Check.reg_key, Check.day, Check.id)
    checks = db.session.execute(statement.limit(REBUILD_SIZE)).scalars().all()
    lock_upkeep([check.reg_key for check in checks])
    for check in checks:
        record_reading(
            check.reg,
            check.odometer,
            day=check.day,
            source=ReadingSource.CHECK,
            source_id=check.id,
            by=check.submitted_by,
        )
    return len(checks)


def _is_stored(line: ReadingLine) -> bool:
    """Return whether a vehicle has this reading already, from wherever."""
    statement = select(OdometerReading.id).filter_by(
        reg_key=plate_key(line.reg), day=line.day, miles=line.miles
    )
    return db.session.execute(statement.limit(1)).first() is not None
