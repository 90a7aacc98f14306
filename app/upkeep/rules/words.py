"""Numbers, days and defects in sentences."""

import re
from datetime import date

from app.dates import format_day, short_day
from app.money import format_number

DEFECT_REFERENCE = re.compile(r"\bD-\d{4,9}\b", re.ASCII)
"""The number of a defect in a text, such as 'D-0142'."""

_NEAR_DAYS = 300


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: '1 day', '1,200 miles'."""
    return f"{format_number(number)} {noun}" if number == 1 else f"{format_number(number)} {noun}s"


def near_day(day: date, today: date) -> str:
    """Return a day as '18 Nov', with its year if that is far from today."""
    return short_day(day) if abs((day - today).days) < _NEAR_DAYS else format_day(day)
