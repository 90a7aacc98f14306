"""The number of rows of a list on each day: kept beside the list, so that nothing counts rows.

Writers of such a list change its counts in the same transaction. `flask counts verify` compares
them with the rows, and `flask counts rebuild` counts anew.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from app import dates
from app.charts import BarChart, bar_chart
from app.db import Base, db
from app.lists import batches

ACTIVITY_DAYS = 30
"""How many days 'Activity (30d)' on the dashboard shows."""


class DayCount(Base):
    """The number of rows that a list has on a day; a day without a row here has none."""

    __tablename__ = "day_count"

    list: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    number: Mapped[int]


Changes = Mapping[tuple[str, date], int]
"""By how much the numbers of lists and days change."""

_CHANGE = sa.text("""
    INSERT INTO day_count (list, day, number) VALUES (:list, :day, :number)
    ON CONFLICT (list, day) DO UPDATE SET number = day_count.number + excluded.number
""").bindparams(sa.bindparam("day", type_=sa.Date))


@dataclass(frozen=True)
class CountedList:
    """A list that is counted by day, and how its rows are counted anew."""

    name: str
    count_rows: Callable[[], Mapping[date, int]]


def change_counts(changes: Changes) -> None:
    """Add to the numbers of lists and days; transactions wait for each other here."""
    rows = [
        {"list": name, "day": day, "number": number}
        for (name, day), number in sorted(changes.items())
        if number
    ]
    if rows:
        db.session.execute(_CHANGE, rows)


@dataclass(frozen=True)
class Days:
    """Days of some lists, from `start` to `end` if they are given."""

    lists: Collection[str]
    start: date | None = None
    end: date | None = None


def totals(*each: Days) -> Sequence[int]:
    """Return the numbers of rows that lists have on some days, each in turn."""
    number = sa.func.coalesce(sa.func.sum(DayCount.number), 0)
    sums = (sa.select(number).where(*_on(days)).scalar_subquery() for days in each)
    return [int(total) for total in db.session.execute(sa.select(*sums)).one()]


def by_day(days: Days) -> Counter[date]:
    """Return the number of rows that lists have by day."""
    return count_by_day(_numbers(days))


def position(offset: int, days: Days, *, newest_first: bool = True) -> tuple[date, int] | None:
    """Return the place of the row after `offset` others, None if lists by day have no such row.

    It is the day of the row, and how many rows of that day come before it.
    """
    numbers = _numbers(days).subquery()
    day, number = numbers.c.day, numbers.c.number
    order = day.desc() if newest_first else day.asc()
    running = sa.select(
        day, number, sa.func.sum(number).over(order_by=order).label("rows")
    ).subquery()
    statement = sa.select(running).where(running.c.rows > offset).order_by(running.c.rows).limit(1)
    row = db.session.execute(statement).one_or_none()
    return None if row is None else (row.day, offset - int(row.rows - row.number))


def problems(counted: CountedList) -> Iterator[str]:
    """Yield each day whose count differs from the number of rows."""
    stored, rows = by_day(Days([counted.name])), counted.count_rows()
    for day in sorted(stored.keys() | rows.keys()):
        if stored[day] != rows.get(day, 0):
            yield f"{counted.name} of {day}: {rows.get(day, 0)} rows, counted as {stored[day]}"


def rebuild(counted: CountedList) -> None:
    """Count all rows of a list anew."""
    db.session.execute(sa.delete(DayCount).where(DayCount.list == counted.name))
    numbers = counted.count_rows()
    for days in batches(sorted(numbers)):
        change_counts({(counted.name, day): numbers[day] for day in days})


def count_by_day(statement: sa.Select[date, int]) -> Counter[date]:
    """Return the rows of a statement that selects days and numbers."""
    return Counter({day: int(number) for day, number in db.session.execute(statement) if number})


def count_by_london_day(
    moment: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None],
    where: Sequence[sa.ColumnElement[bool]] = (),
) -> Counter[date]:
    """Count rows by the London day of their `moment`."""
    # London is a whole number of hours from UTC, so grouping by hour is exact.
    hour = sa.func.substr(sa.cast(moment, sa.String), 1, len("2011-12-09 12"))
    statement = (
        sa.select(hour.label("hour"), sa.func.count().label("rows")).where(*where).group_by(hour)
    )
    counts: Counter[date] = Counter()
    for row in db.session.execute(statement):
        # Parsed by strptime, the many hours of a month would take longer than their rows.
        counts[dates.london_day(datetime.fromisoformat(f"{row.hour}:00+00:00"))] += row.rows
    return counts


def _numbers(days: Days) -> sa.Select[date, int]:
    number = sa.func.sum(DayCount.number).label("number")
    return sa.select(DayCount.day, number).where(*_on(days)).group_by(DayCount.day)


def _on(days: Days) -> list[sa.ColumnElement[bool]]:
    where: list[sa.ColumnElement[bool]] = [DayCount.list.in_(days.lists)]
    if days.start:
        where.append(DayCount.day >= days.start)
    if days.end:
        where.append(DayCount.day <= days.end)
    return where


def first_day(today: date) -> date:
    """Return the first day of the period that ends today."""
    return today - timedelta(days=ACTIVITY_DAYS - 1)


def rows_per_day(
    moment: InstrumentedAttribute[datetime], where: Sequence[sa.ColumnElement[bool]], today: date
) -> Counter[date]:
    """Count rows by the London day of their `moment`, in the period that ends today."""
    within = (moment >= dates.start_of_day(first_day(today)), moment < dates.end_of_day(today))
    return count_by_london_day(moment, (*where, *within))


def activity_chart(counts: Mapping[date, int], today: date) -> BarChart:
    """Return a bar for each day of the period that ends today."""
    days = (first_day(today) + timedelta(days=n) for n in range(ACTIVITY_DAYS))
    return bar_chart([(day, counts.get(day, 0)) for day in days])
