"""The picture of an item's amount over its last days; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app import dates
from app.charts import Label, StepPicture, step_picture
from app.stock.rules.items import EntryKind

PICTURE_DAYS = 90
LABEL_ROOM = 18
"""How much of an axis, in percent, the label at its end takes with the gap before the next."""

MARKED = {EntryKind.DELIVERY: "Delivery", EntryKind.COUNT: EntryKind.COUNT.label}
"""The kinds of entries that a picture marks, with their names in its legend."""


@dataclass(frozen=True)
class DayChange:
    """By how much the entries of one kind changed an item's amount on a day."""

    day: date
    kind: EntryKind
    delta: int


def first_day(today: date) -> date:
    """Return the first day of a picture that ends today."""
    return today - timedelta(days=PICTURE_DAYS - 1)


def day_labels(today: date) -> Sequence[Label]:
    """Return the labels of the days of a picture: its first, the months well within it, today."""
    days = _days(today)
    months = [
        Label(f"{day:%b}", round(100 * number / len(days), 1))
        for number, day in enumerate(days)
        if day.day == 1
    ]
    inner = [month for month in months if LABEL_ROOM <= month.at <= 100 - LABEL_ROOM]
    return [Label(dates.short_day(days[0]), 0), *inner, Label("Today", 100)]


def picture_of(amount: int, changes: Sequence[DayChange], today: date) -> StepPicture:
    """Return the picture of an item that has an amount now, from its changes since `first_day`."""
    days = _days(today)
    by_day = dict.fromkeys(days, 0)
    marks: dict[EntryKind, set[date]] = {kind: set() for kind in MARKED}
    for change in changes:
        day = min(change.day, today)
        by_day[day] += change.delta
        if change.kind in marks and (change.delta > 0 or change.kind is EntryKind.COUNT):
            marks[change.kind].add(day)
    amounts = [amount]
    for day in reversed(days):
        amounts.append(amounts[-1] - by_day[day])
    # Movements are ordered by the days that users gave them: in between, an amount can be below 0.
    steps = [max(before, 0) for before in reversed(amounts)]
    return step_picture(steps, days, {MARKED[kind]: sorted(marks[kind]) for kind in MARKED})


def _days(today: date) -> Sequence[date]:
    return [first_day(today) + timedelta(days=number) for number in range(PICTURE_DAYS)]
