"""The quick date ranges of a history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class DateRange:
    """A labelled range of days; `start` and `end` are included."""

    label: str
    start: date
    end: date


def quick_ranges(today: date) -> Sequence[DateRange]:
    """Return the quick ranges (docs/domain.md, History); all but the last month end today."""
    month = today.replace(day=1)
    last_month_end = month - timedelta(days=1)
    return (
        DateRange("Today", today, today),
        DateRange("Last 7 days", today - timedelta(days=6), today),
        DateRange("Last 30 days", today - timedelta(days=29), today),
        DateRange("This month", month, today),
        DateRange("Last month", last_month_end.replace(day=1), last_month_end),
        DateRange("Year to date", today.replace(month=1, day=1), today),
    )
