"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, and_, select

from app import dates
from app.reference_numbers import ReferenceNumber, Series


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


def defect_reference(number: int) -> str:
    """Return a defect's number as people say it."""
    return str(ReferenceNumber(Series.DEFECT, number))


def repair_reference(number: int) -> str:
    """Return a repair's number as people say it."""
    return str(ReferenceNumber(Series.REPAIR, number))
