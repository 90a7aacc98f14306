"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Label, Select, and_, select

from app import dates
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import Doubt, ReadingSource

DOUBTS = {Doubt.FELL: "it fell", Doubt.JUMPED: "it rose too fast"}
"""Why a reading is doubtful, in a sentence."""


@dataclass(frozen=True)
class RecordFilters:
    """The days of a record, both included, and its vehicle, '' for the whole fleet.

    Vehicles before `first_key` are left out.
    """

    start: date
    end: date
    reg_key: str = ""
    first_key: str = ""

    @property
    def since(self) -> datetime:
        """Return the moment when the days begin."""
        return dates.start_of_day(self.start)

    @property
    def until(self) -> datetime:
        """Return the moment when the days end."""
        return dates.end_of_day(self.end)


@dataclass(frozen=True)
class RecordReader:
    """The connection in which a record is read, what it is about, and the names of users by id."""

    connection: Connection
    filters: RecordFilters
    users: Mapping[int | None, str]

    def rows(self, statement: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield rows in constant memory."""
        batched = statement.execution_options(yield_per=500)
        with self.connection.execute(batched) as result:
            yield from result

    def of_vehicle(self, key: Any) -> list[ColumnElement[bool]]:
        """Return the conditions that a registration's key is one of the record."""
        only, first = self.filters.reg_key, self.filters.first_key
        return [*([key == only] if only else ()), *([key >= first] if first else ())]

    def within(self, moment: Any) -> ColumnElement[bool]:
        """Return the condition that a time is in the record's days."""
        return and_(moment >= self.filters.since, moment < self.filters.until)

    def unended(self, row_id: Any, key: Any, ended_at: Any) -> CompoundSelect[int]:
        """Return the ids of the rows that hadn't ended when the record's days began.

        As two statements, since for both conditions in one SQLite reads all rows in order.
        """
        rows = select(row_id).where(*self.of_vehicle(key))
        since = rows.where(ended_at >= self.filters.since)
        return rows.where(ended_at.is_(None)).union_all(since)

    def who(self, user_id: int | None) -> str:
        """Return the name of a user, '' for the terminal."""
        return self.users.get(user_id, "")


def of_row(row: Any) -> dict[str, Any]:
    """Return the vehicle of a row, for its entry."""
    return {"reg": row.reg, "reg_key": row.reg_key}


def at(moment: datetime) -> dict[str, Any]:
    """Return the day and time of an entry."""
    return {"day": dates.london_day(moment), "at": moment}


def on_day(day: date, recorded_at: datetime) -> dict[str, Any]:
    """Return the day of an entry, with the time if it was recorded on that day."""
    return {"day": day, "at": recorded_at if dates.london_day(recorded_at) == day else None}


def defect_reference(number: int) -> str:
    """Return a defect's number as people say it."""
    return str(ReferenceNumber(Series.DEFECT, number))


def repair_reference(number: int) -> str:
    """Return a repair's number as people say it."""
    return str(ReferenceNumber(Series.REPAIR, number))


def waiting_doubt(source: ReadingSource, source_id: Any) -> Label[Any]:
    """Return the doubt about the reading of a repair or done item that nobody has accepted.

    A join would let PostgreSQL read all readings of the source.
    """
    is_of = OdometerReading.source == source, OdometerReading.source_id == source_id
    doubt = select(OdometerReading.doubt).where(*is_of, ~OdometerReading.is_accepted)
    return doubt.scalar_subquery().label("waiting_doubt")


def mileage_doubt(row: Any) -> str:
    """Return that the mileage of a repair or done item isn't used and why, '' if it is."""
    return f"Its mileage isn't used: {DOUBTS[row.waiting_doubt]}" if row.waiting_doubt else ""
