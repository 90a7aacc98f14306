"""Months, quarters and years of reports, and amounts by them."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Generic, NamedTuple, TypeVar

MAX_BARS = 15
"""The most bars of a picture by month; of more months a bar is a quarter, then a year."""

MAX_SERIES = 4
"""The most series that a picture tells apart."""

K = TypeVar("K")


class Period(NamedTuple):
    """A month, quarter or year of a picture; both days are included, the name has the year."""

    label: str
    first: date
    last: date
    name: str = ""


class AmountSeries(NamedTuple, Generic[K]):
    """One of the series that a picture tells apart, with its amount in each of the periods."""

    label: str
    keys: Sequence[K]
    amounts: Sequence[int]


def first_day(end: date) -> date:
    """Return the first day of the twelve months that end on a day."""
    return _month_start(month_number(end) - 11)


def month_number(day: date) -> int:
    """Return the number of a day's month; the months of all years follow each other."""
    return day.year * 12 + day.month - 1


def last_day(day: date) -> date:
    """Return the last day of a day's month."""
    return _month_start(month_number(day) + 1) - timedelta(days=1)


def periods(start: date, end: date) -> Sequence[Period]:
    """Return the months of days, or the quarters or years of many, cut at the ends of the range."""
    first, last = month_number(start), month_number(end)
    length = next((n for n in (1, 3, 12) if last // n - first // n < MAX_BARS), 12)
    found = []
    for number in range(first // length * length, last + 1, length):
        begin, over = _month_start(number), _month_start(number + length)
        quarter, year = f"Q{begin.month // 3 + 1}", f"{begin:%Y}"
        label = {1: f"{begin:%b}", 3: f"{quarter} {begin:%y}", 12: year}[length]
        name = {1: f"{begin:%b %Y}", 3: f"{quarter} {year}", 12: year}[length]
        found.append(Period(label, max(start, begin), min(end, over - timedelta(days=1)), name))
    return found


def series(
    amounts: Iterable[tuple[K, date, int]],
    each: Sequence[Period],
    label: Callable[[K], str],
    others: str,
) -> Sequence[AmountSeries[K]]:
    """Return amounts of months by key and period, the highest first; the lowest of many are one."""
    by_key: dict[K, list[int]] = defaultdict(lambda: [0] * len(each))
    starts = [period.first.replace(day=1) for period in each]
    for key, month, amount in amounts:
        by_key[key][bisect(starts, month) - 1] += amount
    keys = sorted((key for key in by_key if sum(by_key[key])), key=lambda key: -sum(by_key[key]))
    alone = keys if len(keys) <= MAX_SERIES else keys[: MAX_SERIES - 1]
    rest = keys[len(alone) :]
    found = [AmountSeries(label(key), [key], by_key[key]) for key in alone]
    if rest:
        together = [sum(column) for column in zip(*(by_key[key] for key in rest), strict=True)]
        found.append(AmountSeries(others, rest, together))
    return found


def _month_start(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)
