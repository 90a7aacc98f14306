"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Date, Label, Select, String, and_, cast, select

from app import dates
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.fleet.rules.templates import Template
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.reference_numbers import ReferenceNumber, Series
from app.vehicle_file.rules import RecordEntry, RecordKind, sentences


@dataclass(frozen=True)
class RecordFilters:
    """The days of a record, both included, and its vehicle, else all from `first_key` on."""

    start: date
    end: date
    reg_key: str = ""
    first_key: str = ""

    def of_vehicle(self, key: Any) -> list[ColumnElement[bool]]:
        """Return the conditions that a registration's key is one of the record."""
        only, first = self.reg_key, self.first_key
        return [*([key == only] if only else ()), *([key >= first] if first else ())]


@dataclass(frozen=True)
class RecordReader:
    """The connection in which a record is read, with usernames by id and check forms by key."""

    connection: Connection
    filters: RecordFilters
    users: Mapping[int | None, str]
    templates: Mapping[str, Template]

    def rows(self, statement: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield rows in constant memory."""
        batched = statement.execution_options(yield_per=500)
        with self.connection.execute(batched) as result:
            yield from chain.from_iterable(result.partitions())

    def who(self, user_id: int | None) -> str:
        """Return the name of a user, '' for the terminal."""
        return self.users.get(user_id, "")


Statement = Select[*tuple[Any, ...]]

Read = Callable[[RecordReader], Iterator[RecordEntry]]

Values = dict[str, Any]
"""What an entry has beside the values that all entries have."""


@dataclass(frozen=True)
class RecordSource:
    """Rows that become entries of a record, by vehicle and day.

    Attributes:
        when: The column of their day or time.
        key: The key of the registration; the column of the table of `when` unless given.
        recorded_at: The column of the time of recording, if `when` is a day.
        ended: The column of the end of rows that last, which are of all days until then.
        joined: The order of the rows that one entry is made of, if it is made of several.
    """

    statement: Statement | Callable[[RecordReader], Statement]
    when: Any
    _: KW_ONLY
    by: Any
    key: Any = None
    series: Series | None = None
    recorded_at: Any = None
    ended: Any = None
    joined: Sequence[Any] = ()

    def __call__(self, values_of: Callable[[Any, RecordReader], Values | None]) -> Read:
        """Return the reader of entries by their rows' own values; None is no entry."""

        def read(reader: RecordReader) -> Iterator[RecordEntry]:
            found = reader.rows(self.selected(reader))
            if self.joined:
                groups = (list(rows) for _, rows in groupby(found, key=attrgetter("id")))
                pairs = ((rows[0], rows) for rows in groups)
            else:
                pairs = ((row, row) for row in found)
            for row, source in pairs:
                if values := values_of(source, reader):
                    yield RecordEntry(**self._common(row, reader) | values)

        return read

    def selected(self, reader: RecordReader) -> Statement:
        """Return the statement restricted to the record's vehicles and days, by vehicle and day."""
        table, when, filters = self.when.class_, self.when, reader.filters
        key = table.reg_key if self.key is None else self.key
        statement = self.statement if isinstance(self.statement, Select) else self.statement(reader)
        since = dates.start_of_day(filters.start)
        if isinstance(when.type, Date):
            begins, ends = when >= filters.start, when <= filters.end
        else:
            begins, ends = when >= since, when < dates.end_of_day(filters.end)
        of_vehicle = filters.of_vehicle(key)
        if self.ended is not None:
            # As two statements, since for both conditions in one SQLite reads all rows in order.
            rows = select(table.id).where(*of_vehicle)
            later = rows.where(self.ended >= since)
            of_vehicle = []
            begins = table.id.in_(rows.where(self.ended.is_(None)).union_all(later))
        ordered = statement.where(*of_vehicle, begins, ends).order_by(key, when, table.id)
        return ordered.order_by(*self.joined)

    def _common(self, row: Any, reader: RecordReader) -> Values:
        day = at = getattr(row, self.when.key)
        if self.recorded_at is None:
            day = dates.london_day(at)
        else:
            at = getattr(row, self.recorded_at.key)
        number = self.series and row.number and ReferenceNumber(self.series, row.number)
        return {
            "reg": row.reg,
            "reg_key": row.reg_key,
            "day": day,
            "at": at if dates.london_day(at) == day else None,
            "reference": str(number or ""),
            "who": reader.who(getattr(row, self.by.key)),
        }


def of_events(
    statement: Statement,
    subject_id: Any,
    key: Any,
    subject_kind: str,
    *kinds: EventKind,
    series: Series | None = None,
) -> RecordSource:
    """Return the source of records' events; the records have ids beside their vehicles' keys."""
    event = RecordedEvent
    is_of = (event.subject_kind == subject_kind, event.subject_id == cast(subject_id, String))
    columns = (event.at, event.actor_id, event.before, event.after)
    joined = statement.add_columns(*columns).join(event, and_(*is_of, event.kind.in_(kinds)))

    def restricted(reader: RecordReader) -> Statement:
        if not reader.filters.reg_key:
            return joined
        # By the join alone PostgreSQL would read the events of all records.
        ids = reader.rows(select(subject_id).where(*reader.filters.of_vehicle(key)))
        return joined.where(event.subject_id.in_([str(row[0]) for row in ids]))

    return RecordSource(restricted, event.at, key=key, by=event.actor_id, series=series)


def entry(kind: RecordKind, title: str, outcome: str = "", *texts: str, **values: Any) -> Values:
    """Return an entry's own values; its texts are the sentences of its detail."""
    return {"kind": kind, "title": title, "outcome": outcome, "detail": sentences(*texts), **values}


def on_day(at: datetime) -> str:
    """Return the end of a sentence, the day of a time: ' on 3 Mar 2026'."""
    return f" on {dates.format_day(dates.london_day(at))}"


defect_number = partial(ReferenceNumber, Series.DEFECT)

repair_number = partial(ReferenceNumber, Series.REPAIR)


def waiting_doubt(source: ReadingSource, source_id: Any) -> Label[Any]:
    """Return the doubt about the reading of a repair or done item that nobody has accepted."""
    # A join would let PostgreSQL read all readings of the source.
    is_of = OdometerReading.source == source, OdometerReading.source_id == source_id
    doubt = select(OdometerReading.doubt).where(*is_of, ~OdometerReading.is_accepted)
    return doubt.scalar_subquery().label("waiting_doubt")


def mileage_doubt(row: Any) -> str:
    """Return that the mileage of a repair or done item isn't used and why, '' if it is."""
    return f"Its mileage isn't used: {row.waiting_doubt.label}" if row.waiting_doubt else ""
