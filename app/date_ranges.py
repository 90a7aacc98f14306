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
    """Return the quick ranges that end today (docs/domain.md, History)."""
    return (
        DateRange("Today", today, today),
        DateRange("Last 7 days", today - timedelta(days=6), today),
        DateRange("Last 30 days", today - timedelta(days=29), today),
        DateRange("Year to date", today.replace(month=1, day=1), today),
    )
