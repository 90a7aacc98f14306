"""The bookings that are made when their screens are looked at, with the longest texts.

B-0001 is out and late, B-0002 waits for it, and B-0003 is cancelled, with a check that came later.
"""

from datetime import timedelta

from app import dates
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services.bookings import book, cancel_booking
from app.bookings.services.handover import hand_over
from app.fleet.rules.findings import BookingStep, HandoverStep
from tests import factories

LISTS = {
    "bookings": "/bookings",
    "timeline": "/bookings/timeline",
    "all bookings": "/bookings/all",
}
"""The lists of bookings."""

PAGES = {
    "book": "/bookings/new",
    "booking": "/bookings/B-0001",
    "booking that needs another vehicle": "/bookings/B-0002",
    "change booking": "/bookings/B-0002/change",
    "cancel booking": "/bookings/B-0002/cancel",
    "hand over without a check": "/bookings/B-0002/out",
    "return without a check": "/bookings/B-0001/back",
    "look at booking": "/bookings/B-0003/look",
    "decide what can be booked": "/bookings/bookable/vehicle/lk1vte",
}
"""The other pages of bookings."""


def some_bookings(*regs: str, by: int, text: str = "Tools to the Guildford site") -> None:
    """Book vehicles: the first is late, the second waits for it, and the third is cancelled."""
    now = dates.utc_now().replace(second=0, microsecond=0)
    values = {"purpose": text[:200], "for_name": text[:80]}

    def booked(reg: str, hours: int, length: int) -> int:
        start = now + timedelta(hours=hours)
        period = TimeSpan(start, start + timedelta(hours=length))
        key = reg.replace(" ", "").lower()
        return factories.do(
            book, [BookingRequest(BookingKind.VEHICLE, period, key, **values)], by=by
        ).number

    with dates.as_of(now - timedelta(hours=3)):
        out = booked(regs[0], -3, 1)
        factories.do(hand_over, out, odometer=None, reason=text, by=by)
        booked(regs[0], 1, 2)
        cancelled = booked(regs[1], 20, 40)
        factories.do(cancel_booking, cancelled, reason=text, by=by)
    factories.check(regs[1], by=by, booking=BookingStep(cancelled, HandoverStep.OUT))
    for number, reg in enumerate(regs[1:]):
        booked(reg, 1 + 5 * number, 4 + 3 * number)
