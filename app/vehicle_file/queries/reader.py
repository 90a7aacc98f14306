"""How a vehicle's record is read: its days, its connection, and the values that rows share."""

from collections import defaultdict, namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date, datetime
from functools import cache, partial
from itertools import chain, count, groupby
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from app import dates
from app.db import UtcDateTime
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.fleet.rules.templates import Template
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.reference_numbers import ReferenceNumber, Series
from app.vehicle_file.rules import RecordEntry, RecordKind, place, sentences


@dataclass(frozen=True)
class RecordFilters:
    """The days of a record, both included, and its vehicle, else all from `first_key` on."""

    start: date
    end: date
    reg_key: str = ""
    first_key: str = ""

    @property
    def shape(self) -> "RecordFilters":
        """Return filters with the same conditions, which all records of the kind share."""
        named = "only" * bool(self.reg_key), "first" * bool(self.first_key)
        return RecordFilters(date.min, date.max, *named)

    def of_vehicle(self, key: Any) -> list[sa.ColumnElement[bool]]:
        """Return the conditions that a registration's key is one of the record."""
        only, first = key == sa.bindparam("reg_key"), key >= sa.bindparam("first_key")
        return [*([only] if self.reg_key else ()), *([first] if self.first_key else ())]


@dataclass(frozen=True)
class RecordReader:
    """How a record is read; `parts` and `mended` are of repairs whose entries follow, by id."""

    connection: sa.Connection
    filters: RecordFilters
    users: Mapping[int | None, str]
    templates: Mapping[str, Template]
    parts: dict[int, list[Any]] = field(default_factory=partial(defaultdict, list))
    mended: dict[int, list[int]] = field(default_factory=partial(defaultdict, list))

    def rows(self, statement: sa.Executable, subject_ids: Sequence[str] = ()) -> Iterator[Any]:
        """Yield rows in constant memory."""
        first, last = self.filters.start, self.filters.end
        times = {"since": dates.start_of_day(first), "until": dates.end_of_day(last)}
        values = {**vars(self.filters), **times, "subject_ids": subject_ids}
        # Options of the statement itself would make a new one, whose cache key takes long to make.
        options = {"yield_per": 500}
        with self.connection.execute(statement, values, execution_options=options) as result:
            yield from chain.from_iterable(result.partitions())

    def who(self, user_id: int | None) -> str:
        """Return the name of a user, '' for the terminal."""
        return self.users.get(user_id, "")


Statement = sa.Select[*tuple[Any, ...]]

Values = dict[str, Any]
"""What an entry has beside the values that all entries have."""

_START, _END = sa.bindparam("start", type_=sa.Date), sa.bindparam("end", type_=sa.Date)

_SINCE, _UNTIL = (sa.bindparam(name, type_=UtcDateTime) for name in ("since", "until"))


@dataclass(frozen=True, eq=False)
class RecordSource:
    """Rows that become entries of a record, by the day or time `when` they were.

    `key` is the registration's key, of the table of `when` unless given; `recorded_at` the time of
    recording, if `when` is a day; `ended` the end of rows that last, which are of all days until
    then; `subject_id` the records' ids, if their events are the rows.
    """

    statement: Statement
    when: Any
    _: KW_ONLY
    by: Any
    key: Any = None
    series: Series | None = None
    recorded_at: Any = None
    ended: Any = None
    subject_id: Any = None
    values_of: Callable[[Any, RecordReader], Values | None] = lambda _row, _reader: None

    def __call__(self, values_of: Callable[[Any, RecordReader], Values | None]) -> "RecordSource":
        """Return the source with the function of its rows' own values."""
        return replace(self, values_of=values_of)

    def selected(self, filters: RecordFilters) -> Statement:
        """Return the statement restricted to the record's vehicles and days."""
        table, when = self.when.class_, self.when
        has_days = isinstance(when.type, sa.Date)
        begins = when >= (_START if has_days else _SINCE)
        ends = when <= _END if has_days else when < _UNTIL
        of_vehicle = filters.of_vehicle(table.reg_key if self.key is None else self.key)
        if self.ended is not None:
            # As two statements, since for both conditions in one SQLite reads all rows in order.
            rows = sa.select(table.id).where(*of_vehicle)
            later = rows.where(self.ended >= _SINCE)
            of_vehicle = []
            begins = table.id.in_(rows.where(self.ended.is_(None)).union_all(later))
        if self.subject_id is not None and filters.reg_key:
            # By the join alone PostgreSQL would read the events of all records.
            ids: sa.BindParameter[str] = sa.bindparam("subject_ids", expanding=True)
            of_vehicle.append(RecordedEvent.subject_id.in_(ids))
        return self.statement.where(*of_vehicle, begins, ends)

    def entry(self, row: Any, reader: RecordReader) -> RecordEntry | None:
        """Return the entry that a row becomes."""
        values = self.values_of(row, reader)
        if values is None:
            return None
        day = at = getattr(row, self.when.key)
        if self.recorded_at is None:
            day = dates.london_day(at)
        else:
            at = getattr(row, self.recorded_at.key)
        number = self.series and row.number and ReferenceNumber(self.series, row.number)
        common = {
            "reg": row.reg,
            "reg_key": row.reg_key,
            "day": day,
            "at": at if dates.london_day(at) == day else None,
            "reference": str(number or ""),
            "who": reader.who(getattr(row, self.by.key)),
        }
        return RecordEntry(**common | values)


def together(sources: Sequence[RecordSource]) -> Callable[[RecordReader], Iterator[RecordEntry]]:
    """Return the reader of the entries of several sources by one statement, vehicle by vehicle."""
    with_events = [each for each in sources if each.subject_id is not None]
    one = RecordFilters(date.min, date.max, "one")
    ids = sa.union_all(
        *(sa.select(each.subject_id).where(*one.of_vehicle(each.key)) for each in with_events)
    )
    union = cache(partial(_union, sources))

    def read(reader: RecordReader) -> Iterator[RecordEntry]:
        of_one = [str(row[0]) for row in reader.rows(ids)] if reader.filters.reg_key else ()
        statement, rows_of = union(reader.filters.shape)
        for _, rows in groupby(reader.rows(statement, of_one), key=itemgetter(1)):
            found = []
            for row in rows:
                named, values = rows_of[row[0]]
                found.append(sources[row[0]].entry(named(*values(row)), reader))
            yield from sorted(filter(None, found), key=place)

    return read


def _union(
    sources: Sequence[RecordSource], filters: RecordFilters
) -> tuple[sa.Executable, Sequence[tuple[Any, Any]]]:
    """Return the statement of all sources, and how to name and to get the values of each."""
    # Columns of one type share places, since most rows would have few of all columns.
    selected = [
        source.selected(filters).add_columns(source.when.class_.id.label("row_id")).subquery()
        for source in sources
    ]
    placed: list[dict[tuple[Any, int], Any]] = []
    for each in selected:
        numbers: defaultdict[Any, Iterator[int]] = defaultdict(count)
        kinds = [getattr(c.type, "enum_class", None) or c.type._type_affinity for c in each.c]
        placed.append({(k, next(numbers[k])): c for k, c in zip(kinds, each.c, strict=True)})
    nulls = {at: sa.cast(sa.null(), c.type) for columns in placed for at, c in columns.items()}
    order = {at: number for number, at in enumerate(nulls, 3)}
    parts, rows_of = [], []
    for number, (found, columns) in enumerate(zip(selected, placed, strict=True)):
        first = sa.literal_column(str(number), sa.Integer), found.c.reg_key, found.c.row_id
        parts.append(sa.select(*first, *(nulls | columns).values()))
        named: Any = namedtuple("row", found.c.keys())  # type: ignore[misc] # as it is selected
        rows_of.append((named, itemgetter(*(order[at] for at in columns))))
    return sa.union_all(*parts).order_by(sa.text("2, 1, 3")), rows_of


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
    is_of = event.subject_kind == subject_kind
    # From the event to its record, which SQLite finds fast for the events of some days.
    number = sa.case((is_of, sa.cast(event.subject_id, sa.Integer)))
    columns = (event.at, event.actor_id, event.before, event.after)
    joined = statement.add_columns(*columns).join(
        event, sa.and_(is_of, event.kind.in_(kinds), subject_id == number)
    )
    by = event.actor_id
    return RecordSource(joined, event.at, by=by, key=key, series=series, subject_id=subject_id)


def entry(kind: RecordKind, title: str, outcome: str = "", *texts: str, **values: Any) -> Values:
    """Return an entry's own values; its texts are the sentences of its detail."""
    return {"kind": kind, "title": title, "outcome": outcome, "detail": sentences(*texts), **values}


def on_day(at: datetime) -> str:
    """Return the end of a sentence, the day of a time: ' on 3 Mar 2026'."""
    return f" on {dates.format_day(dates.london_day(at))}"


defect_number = partial(ReferenceNumber, Series.DEFECT)

repair_number = partial(ReferenceNumber, Series.REPAIR)


def waiting_doubt(source: ReadingSource, source_id: Any) -> sa.Label[Any]:
    """Return the doubt about the reading of a repair or done item that nobody has accepted."""
    # A join would let PostgreSQL read all readings of the source.
    is_of = OdometerReading.source == source, OdometerReading.source_id == source_id
    doubt = sa.select(OdometerReading.doubt).where(*is_of, ~OdometerReading.is_accepted)
    return doubt.scalar_subquery().label("waiting_doubt")


def mileage_doubt(row: Any) -> str:
    """Return that the mileage of a repair or done item isn't used and why, '' if it is."""
    return f"Its mileage isn't used: {row.waiting_doubt.label}" if row.waiting_doubt else ""
