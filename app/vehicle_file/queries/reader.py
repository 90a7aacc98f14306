"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Date, Label, Select, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.reference_numbers import ReferenceNumber, Series
from app.vehicle_file.rules.record import RecordEntry, RecordKind


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

    def selected(
        self,
        statement: Select[*tuple[Any, ...]],
        when: InstrumentedAttribute[Any],
        key: Any,
        ended: InstrumentedAttribute[datetime | None] | None = None,
    ) -> Select[*tuple[Any, ...]]:
        """Return a statement restricted to the record's vehicles and days, by vehicle and day.

        `when` is the day or time, and `key` the registration's key. With `ended` it includes rows
        that began earlier and hadn't ended when the days began.
        """
        table, filters = when.class_, self.filters
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


Statement = Select[*tuple[Any, ...]]

Read = Callable[[RecordReader], Iterator[RecordEntry]]


@dataclass(frozen=True)
class RecordSource:
    """Rows that become entries of a record, by vehicle and day.

    Attributes:
        statement: Selects the rows, or returns the statement for a record.
        when: The column of their day or time.
        by: The column of the user who is named.
        key: The key of the registration; the column of the table of `when` unless given.
        series: The series of the rows' numbers.
        recorded_at: The column of the time of recording, if `when` is a day.
        ended: The column of the end of rows that last, which are of all days until then.
    """

    statement: Statement | Callable[[RecordReader], Statement]
    when: Any
    _: KW_ONLY
    by: Any
    key: Any = None
    series: Series | None = None
    recorded_at: Any = None
    ended: Any = None

    def __call__(self, entry_of: "Callable[[Any, Entry], RecordEntry | None]") -> Read:
        """Return a function that reads the entries; `entry_of` makes one of a row, or None."""

        def read(reader: RecordReader) -> Iterator[RecordEntry]:
            key = self.when.class_.reg_key if self.key is None else self.key
            of = self.statement
            statement = of if isinstance(of, Select) else of(reader)
            rows = reader.rows(reader.selected(statement, self.when, key, self.ended))
            return filter(None, (entry_of(row, Entry(self, reader, row)) for row in rows))

        return read


@dataclass(frozen=True)
class Entry:
    """The entry of a source's row, without its kind and texts."""

    source: RecordSource
    reader: RecordReader
    row: Any

    def __call__(
        self, kind: RecordKind, title: str, outcome: str = "", **values: Any
    ) -> RecordEntry:
        """Return the entry with its kind and texts."""
        source, row = self.source, self.row
        on = getattr(row, source.when.key)
        at = getattr(row, source.recorded_at.key) if source.recorded_at is not None else on
        day = on if source.recorded_at is not None else dates.london_day(on)
        number = source.series and row.number and ReferenceNumber(source.series, row.number)
        common = {
            "reg": row.reg,
            "reg_key": row.reg_key,
            "day": day,
            "at": at if dates.london_day(at) == day else None,
            "reference": str(number or ""),
            "who": self.reader.who(getattr(row, source.by.key)),
        }
        return RecordEntry(kind=kind, title=title, outcome=outcome, **common | values)


def on_day(at: datetime) -> str:
    """Return the end of a sentence, the day of a time: ' on 3 Mar 2026'."""
    return f" on {dates.format_day(dates.london_day(at))}"


defect_number = partial(ReferenceNumber, Series.DEFECT)

repair_number = partial(ReferenceNumber, Series.REPAIR)


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
