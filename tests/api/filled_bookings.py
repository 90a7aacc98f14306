"""Bookings of vehicles and of equipment: of each a reserved one, one that is out, and another."""

from datetime import timedelta

from app import dates
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services.bookings import book, decide_bookable
from app.bookings.services.handover import hand_over
from app.db import transaction


def hours_from_now(start: float, end: float) -> TimeSpan:
    now = dates.utc_now().replace(second=0, microsecond=0)
    return TimeSpan(now + timedelta(hours=start), now + timedelta(hours=end))


def fill_bookings(user: int) -> None:
    with transaction():
        decide_bookable(BookingKind.ASSET, "a1", is_bookable=True, by=user)
        for kind, reserved, out in (
            (BookingKind.VEHICLE, "ab12cde", "vab12cde"),
            (BookingKind.ASSET, "a1", "a1"),
        ):
            book([BookingRequest(kind, hours_from_now(0.5, 8), reserved)], by=user)
            taken = book([BookingRequest(kind, hours_from_now(0, 0.4), out)], by=user)
            hand_over(taken.number, reason="The phone was empty", by=user)
            book([BookingRequest(kind, hours_from_now(48, 50), reserved)], by=user)
