"""Numbers, days and defects in sentences."""

import re
from datetime import date, datetime

from app.dates import format_day, london_day, short_day, short_time
from app.money import format_number

DEFECT_REFERENCE = re.compile(r"\bD-\d{4,9}\b", re.ASCII)
"""The number of a defect in a text, such as 'D-0142'."""

_NEAR_DAYS = 300


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: '1 day', '1,200 miles'."""
    return f"{format_number(number)} {noun}" if number == 1 else f"{format_number(number)} {noun}s"


def near_day(day: date, today: date) -> str:
    """Return a day as '18 Nov', with its year where it is far from today."""
    return short_day(day) if abs((day - today).days) < _NEAR_DAYS else format_day(day)


def at_time(moment: datetime, today: date) -> str:
    """Return a time within a sentence: 'at 10:42', of another day 'on 18 Nov at 10:42'."""
    day, time = london_day(moment), short_time(moment)
    return f"at {time}" if day == today else f"on {near_day(day, today)} at {time}"
