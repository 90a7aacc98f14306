"""How fast items are used, how long they last, and which minimum was enough; pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import NamedTuple

from app.money import count_of, format_number

RECENT_DAYS = 90
YEAR = 365
"""The days whose withdrawals count; the recent ones alone if there were enough of them."""

ENOUGH_DAYS = 4
"""On how many of the recent days something has to be withdrawn, so that they count alone."""

YOUNGEST = 28
"""The age in days from which an item has a daily use."""

FEWEST_STRETCHES = 4
"""The fewest stretches of days from which a minimum is suggested."""

REVIEW_DAYS = 7
"""The days from one look at the reorder list to the next, which a minimum has to last besides."""

COVER_DAYS = 28
"""The days of use that a suggested target holds above the suggested minimum."""


class DayUse(NamedTuple):
    """By how much an item changed on a day, and the units withdrawn on it that weren't undone."""

    day: date
    delta: int
    taken: int


@dataclass(frozen=True)
class ItemPast:
    """An item's amount, and its last year by day; amounts are known from `stocked_from` on."""

    today: date
    amount: int
    first: date
    stocked_from: date | None
    days: Sequence[DayUse]

    def by_month(self, number: int) -> Mapping[date, int]:
        """Return the units withdrawn in each of the last months, by its first day, newest first."""
        months = [self.today.replace(day=1)]
        while len(months) < number:
            months.append((months[-1] - timedelta(days=1)).replace(day=1))
        taken = Counter[date]()
        for each in self.days:
            taken[each.day.replace(day=1)] += each.taken
        return {month: taken[month] for month in months if month >= self.first.replace(day=1)}

    def empty_days(self) -> set[date]:
        """Return the days of the year at whose end the shelf was empty."""
        empty: set[date] = set()
        if self.stocked_from is None:
            return empty
        amount, after = self.amount, self.today + timedelta(days=1)
        stocked = [each for each in self.days if each.day >= self.stocked_from]
        start = max(self.stocked_from, self.today - timedelta(days=YEAR - 1))
        for day, delta in [*((each.day, each.delta) for each in reversed(stocked)), (start, 0)]:
            if amount == 0:
                empty.update(day + timedelta(days=n) for n in range((after - day).days))
            amount, after = amount - delta, day
        return empty


@dataclass(frozen=True)
class DailyUse:
    """The `units` that were withdrawn in a number of days."""

    units: int
    days: int

    def days_left(self, amount: int) -> int | None:
        """Return how many whole days an amount lasts, None without use."""
        return amount * self.days // self.units if self.units else None

    def of(self, days: int) -> int:
        """Return the use of some days, rounded up."""
        return -(-days * self.units // self.days)

    def __str__(self) -> str:
        if not self.units:
            return "–"
        is_daily = 10 * self.units >= self.days
        number = self.units / self.days if is_daily else 30 * self.units / self.days
        return f"{number:,.1f}".removesuffix(".0") + (" a day" if is_daily else " a month")


NO_USE = DailyUse(0, 1)


def daily_use(past: ItemPast) -> DailyUse:
    """Return the use of 90 days, or a year if rare; idle days of empty shelves don't count."""
    age = (past.today - past.first).days + 1
    if age < YOUNGEST:
        return NO_USE
    taken = {each.day: each.taken for each in past.days if each.taken > 0}
    recent = past.today - timedelta(days=RECENT_DAYS - 1)
    is_recent = sum(day >= recent for day in taken) >= ENOUGH_DAYS
    number = min(RECENT_DAYS if is_recent else YEAR, age)
    start = past.today - timedelta(days=number - 1)
    empty = sum(day >= start and day not in taken for day in past.empty_days())
    units = sum(units for day, units in taken.items() if day >= start)
    return DailyUse(units, number - empty) if units else NO_USE


@dataclass(frozen=True)
class Suggestion:
    """A minimum that was enough in 8 of 10 stretches of `days` that began with a withdrawal.

    `half` was enough in half of them and `most` in all; the shelf was `empty` in some.
    """

    minimum: int
    half: int
    most: int
    days: int
    stretches: int
    empty: int

    @property
    def reason(self) -> str:
        """Return why it is suggested, in a line."""
        enough = f"Enough in 8 of 10 stretches of {self.days} days: {format_number(self.minimum)}."
        others = f"In half: {format_number(self.half)}. Most: {format_number(self.most)}."
        empty = f", the shelf empty in {self.empty}" if self.empty else ""
        return f"{enough} {others} ({count_of(self.stretches, 'stretch', 'stretches')}{empty}.)"

    def target(self, use: DailyUse, pack: int) -> int:
        """Return the target: the minimum and four weeks' use, in whole packs."""
        return -(-(self.minimum + use.of(COVER_DAYS)) // pack) * pack


def suggest_minimum(past: ItemPast, lead_days: int) -> Suggestion | None:
    """Return the minimum that a year of use suggests, None with too little use.

    The stretches last from an order to the next order's delivery, as in Teunter and Duncan (2009);
    their quantities are taken as they are, as in Porras and Dekker (2008).
    """
    length = lead_days + REVIEW_DAYS
    start = past.today - timedelta(days=YEAR - 1)
    taken = [each for each in past.days if each.taken > 0 and each.day >= start]
    found, empty_days = [], past.empty_days()
    for first in taken:
        end = first.day + timedelta(days=length - 1)
        if end > past.today:
            break
        days = (first.day + timedelta(days=n) for n in range(length))
        quantity = sum(each.taken for each in taken if first.day <= each.day <= end)
        found.append((quantity, not empty_days.isdisjoint(days)))
    if len(found) < FEWEST_STRETCHES:
        return None
    ordered = sorted(quantity for quantity, _ in found)
    half, enough = (ordered[ceil(len(ordered) * tenths / 10) - 1] for tenths in (5, 8))
    empty = sum(was_empty for _, was_empty in found)
    return Suggestion(enough, half, ordered[-1], length, len(found), empty)
