"""The units that a history's filters select by week, read from the ledger's summaries."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app import dates
from app.stock.queries import summaries
from app.stock.queries.history_scope import Scope
from app.stock.rules.history import HistoryEvent

MAX_WEEKS = 12

_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Week:
    """The units of one event in a week; its days are within the filters."""

    first: date
    last: date
    units: int


def weekly_units(scope: Scope, today: date) -> Sequence[Week]:
    """Return the last weeks of a scope, oldest first, with the units delivered or withdrawn.

    They are withdrawals unless the filters select deliveries. The result is empty for another
    event, for a search, which the summaries don't support, within a single week, and without units.
    """
    filters = scope.filters
    if filters.event is HistoryEvent.OTHER or filters.search.strip():
        return ()
    last = max(min(filters.end or today, today), dates.EARLIEST_DAY)
    earliest = _monday(last) - (MAX_WEEKS - 1) * _WEEK
    first = max(filters.start or earliest, earliest)
    if _monday(first) >= _monday(last):
        return ()
    event = filters.event or HistoryEvent.WITHDRAWAL
    units: Counter[date] = Counter()
    per_day = summaries.units_per_day(scope, event, first, last)
    for day, number in per_day.items():
        units[_monday(day)] += number
    if not any(units.values()):
        return ()
    mondays = (_monday(first) + n * _WEEK for n in range(MAX_WEEKS))
    return [
        Week(max(monday, first), min(monday + timedelta(days=6), last), units[monday])
        for monday in mondays
        if monday <= last
    ]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
