"""Activity over the last 30 days, for the dashboard's 'Activity (30d)'."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.charts import BarChart, bar_chart
from app.day_counts import count_by_london_day

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
    within = (
        moment >= dates.start_of_day(first_day(today)),
        moment < dates.end_of_day(today),
    )
    return count_by_london_day(moment, (*where, *within))


def activity_chart(counts: Mapping[date, int], today: date) -> BarChart:
    """Return a bar for each day of the period that ends today."""
    days = (first_day(today) + timedelta(days=n) for n in range(ACTIVITY_DAYS))
    return bar_chart([(day, counts.get(day, 0)) for day in days])
