"""Activity over the last 30 days, for the dashboard's 'Activity (30d)'."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement, String, cast, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.charts import BarChart, bar_chart
from app.db import db

ACTIVITY_DAYS = 30


def first_day(today: date) -> date:
    """Return the first day of the period that ends today."""
    return today - timedelta(days=ACTIVITY_DAYS - 1)


def rows_per_day(
    moment: InstrumentedAttribute[datetime],
    where: Sequence[ColumnElement[bool]],
    today: date,
) -> Counter[date]:
    """Count rows by the London day of their `moment`, in the period that ends today."""
    # London is a whole number of hours from UTC, so grouping by hour is exact.
    hour = func.substr(cast(moment, String), 1, len("2011-12-09 12"))
    statement = (
        select(hour.label("hour"), func.count().label("rows"))
        .where(
            *where,
            moment >= dates.start_of_day(first_day(today)),
            moment < dates.end_of_day(today),
        )
        .group_by(hour)
    )
    counts: Counter[date] = Counter()
    for row in db.session.execute(statement):
        hour_start = datetime.strptime(row.hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        counts[dates.london_day(hour_start)] += row.rows
    return counts


def activity_chart(counts: Mapping[date, int], today: date) -> BarChart:
    """Return a bar for each day of the period that ends today."""
    days = (first_day(today) + timedelta(days=n) for n in range(ACTIVITY_DAYS))
    return bar_chart([(day, counts.get(day, 0)) for day in days])
