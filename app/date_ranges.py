"""Ranges of days that a history offers; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Range:
    """A range of days that is one tap away; both days belong to it."""

    label: str
    start: date
    end: date


def quick_ranges(today: date) -> Sequence[Range]:
    """Return the ranges that a history offers (seed §9)."""
    return (
        Range("Today", today, today),
        Range("Last 7 days", today - timedelta(days=6), today),
        Range("Last 30 days", today - timedelta(days=29), today),
        Range("Year to date", today.replace(month=1, day=1), today),
    )
