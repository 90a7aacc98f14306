"""What can be booked in a period, and the timeline of vehicles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from app import dates, names
from app.bookings.models import Bookable, Booking
from app.bookings.queries.availability import BookingSubject, Occupancy, occupied_period, subjects
from app.bookings.rules import BookingKind, Obstacle, TimeSpan
from app.charts import share
from app.due.queries.due import open_items
from app.fleet.queries.vehicles import ON_SCREENS
from app.lists import grouped
from app.mileage.queries import current_mileages

MAX_OFFERS = 100
"""The most free things, and the most others, that the form lists."""


@dataclass(frozen=True)
class Offer:
    """A thing that may be booked: what is in its way, its mileage, and what is due.

    It `is_free` also if what is in its way can make room.
    """

    subject: BookingSubject
    obstacles: Sequence[Obstacle]
    is_free: bool
    miles: int | None
    due: Sequence[str]


def offers(
    kind: BookingKind, period: TimeSpan, now: datetime, class_name: str = ""
) -> Sequence[Offer]:
    """Return what can be booked, of a class or of all, and what keeps it in a period."""
    is_vehicle, key = kind is BookingKind.VEHICLE, names.key(class_name)
    condition = ON_SCREENS if is_vehicle else Bookable.is_bookable.is_(True)
    found = {
        each.key: each
        for each in subjects(kind, condition).values()
        if each.is_bookable and key in ("", each.class_key)
    }
    if not found:
        return []
    can_have = Occupancy(found, period, now).can_have(period)
    miles = current_mileages(found) if is_vehicle else {}
    items = open_items(dates.london_day(now)) if is_vehicle else ()
    notices = grouped((reg, row.standing.notice) for row in items for reg in row.vehicles)
    return [
        Offer(
            each,
            *can_have[key],
            miles[key].miles if key in miles else None,
            [*filter(None, notices.get(key, ()))],
        )
        for key, each in found.items()
    ]


class BookingBar(NamedTuple):
    """A booking on the timeline: its place, its room until the next one, and its share of that."""

    booking: Booking
    x: float
    room: float
    width: float


@dataclass(frozen=True)
class TimelineRow:
    """A vehicle with its bookings, and its days off the road, in runs also as place and width."""

    subject: BookingSubject
    bars: Sequence[BookingBar]
    closed: Sequence[tuple[float, float]]
    closed_on: Sequence[date]


def timeline(
    listed: Mapping[str, BookingSubject], days: Sequence[TimeSpan], now: datetime
) -> Sequence[TimelineRow]:
    """Return the bookings of vehicles on some days."""
    if not listed:
        return []
    whole = TimeSpan(days[0].start, days[-1].end)
    occupancy = Occupancy(listed, whole, now)

    def place(period: TimeSpan) -> tuple[float, float]:
        return share(period.start, period.end, whole.start, whole.end)

    rows = []
    for key, subject in listed.items():
        bookings = occupancy.bookings.get(key, ())
        places = [place(occupied_period(row, now)) for row in bookings]
        ends = [*(x for x, _ in places), 100.0][1:]
        bars = [
            BookingBar(row, x, room := max(round(end - x, 2), width), round(100 * width / room, 1))
            for row, (x, width), end in zip(bookings, places, ends, strict=True)
            if width
        ]
        runs = groupby(days, key=lambda day: bool(occupancy.facts(key, day)))
        off = [[*run] for is_off, run in runs if is_off]
        closed = [place(TimeSpan(run[0].start, run[-1].end)) for run in off]
        closed_on = [day.last_day for run in off for day in run]
        rows.append(TimelineRow(subject, bars, closed, closed_on))
    return rows


def days_from(now: datetime, number: int) -> Sequence[TimeSpan]:
    """Return some London days, today first."""
    today = dates.london_day(now)
    starts = [dates.start_of_day(today + timedelta(days=day)) for day in range(number + 1)]
    return [*map(TimeSpan, starts, starts[1:])]
