"""When a vehicle reaches a mileage, by its readings; pure. docs/domain.md, Upkeep."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from app.upkeep.rules.readings import Mileage
from app.upkeep.rules.words import near_day

WINDOW_DAYS = 90
MIN_DAYS_APART = 14
MAX_AGE_DAYS = 60
_FARTHEST_DAYS = 20 * 366


class ReadingSpan(NamedTuple):
    """The first and last reading in use in some time, and the number of readings between them."""

    first: Mileage
    last: Mileage
    readings: int


@dataclass(frozen=True)
class Forecast:
    """How fast a vehicle runs: `miles` in `days` up to `last`, by so many readings."""

    last: Mileage
    miles: int
    days: int
    readings: int

    def miles_on(self, day: date) -> int:
        """Return the mileage on a day, rounded down."""
        return self.last.miles + (day - self.last.day).days * self.miles // self.days

    def day_of(self, miles: int) -> date | None:
        """Return the day of reaching a mileage, None if it is too far away."""
        missing = miles - self.last.miles
        if missing <= 0:
            return self.last.day
        if not self.miles:
            return None
        days = -(-missing * self.days // self.miles)
        return self.last.day + timedelta(days=days) if days <= _FARTHEST_DAYS else None


def window_start(today: date) -> date:
    """Return the first day of the readings that a forecast rests on."""
    return today - timedelta(days=WINDOW_DAYS)


def is_far_enough(span: ReadingSpan | None) -> bool:
    """Return whether readings are enough, and far enough apart, for a forecast."""
    return span is not None and (span.last.day - span.first.day).days >= MIN_DAYS_APART


def is_stale(last: Mileage, today: date) -> bool:
    """Return whether the newest reading is too old to go by."""
    return (today - last.day).days > MAX_AGE_DAYS


def make_forecast(
    recent: ReadingSpan | None, all_time: ReadingSpan | None, today: date
) -> Forecast | None:
    """Return the forecast by the readings of the window, else by all, None without enough.

    There is none either when the last reading is too old.
    """
    span = recent if is_far_enough(recent) else all_time
    if span is None or not is_far_enough(span):
        return None
    if is_stale(span.last, today):
        return None
    days = (span.last.day - span.first.day).days
    return Forecast(span.last, span.last.miles - span.first.miles, days, span.readings)


def describe_forecast(day: date, count: int, today: date) -> str:
    """Return when something is expected, such as 'about 12 Jan, from 8 readings'."""
    return f"about {near_day(day, today)}, from {count} readings"


def describe_no_forecast(last: Mileage | None, today: date) -> str:
    """Return why there is no forecast, such as 'No mileage since 2 Sep: no forecast.'."""
    if last is None:
        return "No mileage yet: no forecast."
    if is_stale(last, today):
        return f"No mileage since {near_day(last.day, today)}: no forecast."
    return f"No forecast: it takes two readings {MIN_DAYS_APART} days apart."
