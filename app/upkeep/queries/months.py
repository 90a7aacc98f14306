"""A month of due items, as weeks of days."""

from calendar import Calendar
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.errors import Invalid
from app.upkeep.queries.due import DueRow
from app.upkeep.rules.next_due import add_months

MAX_YEARS_AWAY = 20


@dataclass(frozen=True)
class MonthDay:
    """A day of a month's table with the items that come first on it."""

    day: date
    is_in_month: bool
    rows: Sequence[DueRow]


@dataclass(frozen=True)
class Month:
    """A month by its first day, with the previous and the next one."""

    first: date

    @property
    def name(self) -> str:
        """Return it as 'January 2027'."""
        return f"{self.first:%B %Y}"

    @property
    def value(self) -> str:
        """Return it as '2027-01'."""
        return f"{self.first:%Y-%m}"

    @property
    def previous(self) -> "Month":
        """Return the month before."""
        return Month(add_months(self.first, -1))

    @property
    def next(self) -> "Month":
        """Return the month after."""
        return Month(add_months(self.first, 1))


def month_of(text: str, today: date) -> Month:
    """Return the month that a text such as '2027-01' names, for '' today's.

    Raises Invalid.
    """
    if not text:
        return Month(today.replace(day=1))
    try:
        first = date.fromisoformat(f"{text}-01")
    except ValueError:
        raise Invalid("Month must be a year and a month, such as 2027-01.") from None
    if abs(first.year - today.year) > MAX_YEARS_AWAY:
        raise Invalid(f"Choose a month within {MAX_YEARS_AWAY} years of today.")
    return Month(first)


def month_rows(rows: Sequence[DueRow], month: Month) -> Sequence[Sequence[MonthDay]]:
    """Return the weeks of a month from Monday on, with the items due or expected on each day."""
    by_day: dict[date, list[DueRow]] = defaultdict(list)
    for row in rows:
        if row.standing.first_on is not None:
            by_day[row.standing.first_on].append(row)
    first = month.first
    return [
        [
            MonthDay(day, day.month == first.month, by_day[day] if day.month == first.month else [])
            for day in week
        ]
        for week in Calendar().monthdatescalendar(first.year, first.month)
    ]
