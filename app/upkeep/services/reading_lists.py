"""Many odometer readings at once: imports, and missing readings of checks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from sqlalchemy import select

from app.audit.services import record_import
from app.db import db
from app.fleet.models import Check
from app.fleet.queries.vehicles import lock_records
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import Cells, FileLines
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries import readings as queries
from app.upkeep.queries.readings import ReadingPlace
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.readings import Mileage, find_doubt
from app.upkeep.services.file_vehicles import refuse_missing_vehicles
from app.upkeep.services.readings import reading_values, record_reading, save_readings

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


def import_readings(file: FileLines[ReadingLine], *, by: int | None) -> ReadingsImport:
    """Add the new readings of a file, each judged by its neighbours.

    Raises FileErrors with all errors of all rows, such as a vehicle that is in no list.
    """
    lock_records([plate_key(line.reg) for line in file.lines])
    plates = refuse_missing_vehicles(file.lines)
    file.rows.check()
    places = {ReadingPlace(plate_key(line.reg), line.day, line.miles) for line in file.lines}
    new = _judged(places, plates, by=by)
    if new:
        save_readings(new, by=by)
    record_import("readings", ListChange(added=len(new)), by=by)
    doubtful = sum(not reading["is_accepted"] for reading in new)
    return ReadingsImport(len(new), len(file.lines) - len(new), doubtful)


def _judged(
    places: Collection[ReadingPlace], plates: Mapping[str, str], *, by: int | None
) -> list[dict[str, Any]]:
    """Return the values of a file's new readings, judged in the order of their days."""
    around = queries.surroundings(places)
    new = []
    for _, of_vehicle in groupby(sorted(places), key=lambda place: place.reg_key):
        newest: Mileage | None = None
        for place in of_vehicle:
            before, after, is_stored = around[place]
            if is_stored:
                continue
            # The file's own readings so far are of this day or earlier ones.
            before = max(filter(None, (before, newest)), default=None)
            doubt = find_doubt(place.miles, place.day, before=before, after=after)
            if doubt is None:
                newest = Mileage(place.day, place.miles)
            reg = plates[place.reg_key]
            new.append(reading_values(reg, place, doubt, source=ReadingSource.IMPORT, by=by))
    return new


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
    lock_records([check.reg_key for check in checks])
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
