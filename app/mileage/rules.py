"""Rules of odometer readings and forecasts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from app.dates import format_day, near_day
from app.fields import Day, LabelledEnum, Text, WholeNumber
from app.money import format_number


class ReadingSource(LabelledEnum):
    """The source of an odometer reading."""

    CHECK = "check", "Read at a check"
    REPAIR = "repair", "Read at a repair"
    DUE = "due", "Read when an item was done"
    BY_HAND = "by_hand", "Entered by hand"
    IMPORT = "import", "Imported"


class Doubt(LabelledEnum):
    """Why a reading isn't used until somebody accepts it."""

    FELL = "fell", "it fell"
    JUMPED = "jumped", "it rose too fast"


READ_ON = Day(name="day", required="Day is required.", example="2026-01-15")

MILES = WholeNumber(name="miles", label="Mileage", required="Mileage is required.", example=48_210)

VOID_REASON = Text(name="reason", limit=200, required="Reason is required.", example="Typing error")

MAX_MILES_A_DAY = 1000
"""A reading that rises by more is doubtful."""

NOT_USED = "It isn't used until a manager accepts it."
"""The sentence after the question about a doubtful reading."""


class Mileage(NamedTuple):
    """A reading that counts; readings are ordered by day, and on one day by miles."""

    day: date
    miles: int


def find_doubt(
    miles: int, day: date, *, before: Mileage | None, after: Mileage | None
) -> Doubt | None:
    """Return why a new reading isn't used, None if it fits between its neighbours.

    `before` is the newest accepted reading up to its day, `after` the oldest of a later day. A
    reading too low for either FELL, and one too high for either JUMPED.
    """
    if before is not None:
        if miles < before.miles:
            return Doubt.FELL
        if miles - before.miles > _most_miles(before.day, day):
            return Doubt.JUMPED
    if after is not None:
        if miles > after.miles:
            return Doubt.JUMPED
        if after.miles - miles > _most_miles(day, after.day):
            return Doubt.FELL
    return None


def describe_doubt(miles: int, day: date, neighbour: Mileage | None) -> str:
    """Ask about a doubtful reading, as in 'Is 480,210 right? It was 48,190 on 3 Nov.'."""
    question = f"Is {format_number(miles)} right?"
    if neighbour is None:
        return question
    return f"{question} It was {format_number(neighbour.miles)} on {near_day(neighbour.day, day)}."


def describe_contradictions(miles: int, others: Sequence[Mileage]) -> str:
    """Describe the readings to be voided before another can be accepted."""
    first, wrong = others[0], f"{format_number(miles)} can't be right as long as"
    example = f"{format_number(first.miles)} of {format_day(first.day)}"
    if len(others) > 1:
        many = f"{wrong} {len(others)} other readings count, such as {example}."
        return f"{many} Void those too, or void this one."
    above = "higher" if first.miles > miles else "lower"
    return f"{wrong} {example} counts, which is {above}. Void that reading too, or void this one."


def _most_miles(first: date, last: date) -> int:
    """Return the most miles between two days; one day counts as a whole one."""
    return MAX_MILES_A_DAY * max((last - first).days, 1)


_WINDOW_DAYS = 90
MIN_DAYS_APART = 14
_MAX_AGE_DAYS = 60
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
    return today - timedelta(days=_WINDOW_DAYS)


def is_far_enough(span: ReadingSpan | None) -> bool:
    """Return whether readings are enough, and far enough apart, for a forecast."""
    return span is not None and (span.last.day - span.first.day).days >= MIN_DAYS_APART


def is_stale(last: Mileage, today: date) -> bool:
    """Return whether the newest reading is too old to go by."""
    return (today - last.day).days > _MAX_AGE_DAYS


def make_forecast(
    recent: ReadingSpan | None, all_time: ReadingSpan | None, today: date
) -> Forecast | None:
    """Return the forecast by the window's readings, else by all; None if too few or too old."""
    span = recent if is_far_enough(recent) else all_time
    if span is None or not is_far_enough(span) or is_stale(span.last, today):
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
