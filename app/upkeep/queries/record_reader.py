"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Date, Label, Select, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.record import RecordEntry


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
    """The connection in which a record is read, its vehicles and days, and usernames by id."""

    connection: Connection
    filters: RecordFilters
    users: Mapping[int | None, str]

    def happened(
        self,
        statement: Select[*tuple[Any, ...]],
        when: InstrumentedAttribute[Any],
        *,
        by: InstrumentedAttribute[int | None],
        series: Series | None = None,
        key: Any = None,
        recorded_at: InstrumentedAttribute[datetime] | None = None,
        ended: InstrumentedAttribute[datetime | None] | None = None,
    ) -> Iterator[tuple[Any, partial[RecordEntry]]]:
        """Yield the rows of `selected` with their entries, which lack only kind and texts.

        `by` is the user, `recorded_at` the time of recording if `when` is a day, and `series` the
        series of the rows' numbers.
        """
        for row in self.rows(self.selected(statement, when, key, ended)):
            on = getattr(row, when.key)
            at = on if recorded_at is None else getattr(row, recorded_at.key)
            day = dates.london_day(on) if recorded_at is None else on
            yield (
                row,
                partial(
                    RecordEntry,
                    reg=row.reg,
                    reg_key=row.reg_key,
                    day=day,
                    at=at if dates.london_day(at) == day else None,
                    reference=str(ReferenceNumber(series, row.number))
                    if series and row.number
                    else "",
                    who=self.who(getattr(row, by.key)),
                ),
            )

    def selected(
        self,
        statement: Select[*tuple[Any, ...]],
        when: InstrumentedAttribute[Any],
        key: Any = None,
        ended: InstrumentedAttribute[datetime | None] | None = None,
    ) -> Select[*tuple[Any, ...]]:
        """Return a statement restricted to the record's vehicles and days, by vehicle and day.

        `when` is the day or time, and `key` the registration's key if another table has it. With
        `ended` it includes rows that began earlier and hadn't ended when the days began.
        """
        table, filters = when.class_, self.filters
        key = table.reg_key if key is None else key
        if isinstance(when.type, Date):
            begins, ends = when >= filters.start, when <= filters.end
        else:
            begins, ends = when >= filters.since, when < filters.until
        of_vehicle = self.of_vehicle(key)
        if ended is not None:
            # As two statements, since for both conditions in one SQLite reads all rows in order.
            rows = select(table.id).where(*of_vehicle)
            unended = rows.where(ended.is_(None)).union_all(rows.where(ended >= filters.since))
            of_vehicle, begins = [], table.id.in_(unended)
        return statement.where(*of_vehicle, begins, ends).order_by(key, when, table.id)

    def rows(self, statement: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield rows in constant memory."""
        batched = statement.execution_options(yield_per=500)
        with self.connection.execute(batched) as result:
            yield from result

    def of_vehicle(self, key: Any) -> list[ColumnElement[bool]]:
        """Return the conditions that a registration's key is one of the record."""
        only, first = self.filters.reg_key, self.filters.first_key
        return [*([key == only] if only else ()), *([key >= first] if first else ())]

    def who(self, user_id: int | None) -> str:
        """Return the name of a user, '' for the terminal."""
        return self.users.get(user_id, "")


def on_day(at: datetime) -> str:
    """Return the end of a sentence, the day of a time: ' on 3 Mar 2026'."""
    return f" on {dates.format_day(dates.london_day(at))}"


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
    return f"Its mileage isn't used: {row.waiting_doubt.label}" if row.waiting_doubt else ""
