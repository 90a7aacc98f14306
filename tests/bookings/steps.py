"""What happens to bookings, in steps that tests take."""

from datetime import UTC, datetime, timedelta

from app import dates
from app.bookings.queries.bookings import get_booking
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services import bookings as services
from app.db import transaction
from app.defects.rules.fields import OffRoadReason
from app.divisions import Division, Role
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.findings import BookingStep, HandoverStep
from app.fleet.services.checks import CheckPlan, submit_check
from app.idempotency import Stamp
from tests import factories

VANS = ("LK19 VTE", "LM20 ABC", "LN21 XYZ")
LK, LM, LN = (reg.replace(" ", "").lower() for reg in VANS)
WORKER, MANAGER = 1, 2
NINE = datetime(2027, 1, 12, 9, tzinfo=UTC)
"""A Tuesday; the clock of tests stands at 8:00 of the day before."""
NOW = NINE - timedelta(hours=25)
OFF = {"reason": OffRoadReason.OTHER, "detail": "", "expected_back": None, "by": WORKER}
"""How a vehicle is taken off the road."""

NEW = "/bookings/new?from=2027-01-12T09:00&to=2027-01-12T12:00"


def add_vans():
    """Add three vans, a worker and a manager."""
    factories.user("k.lee", Division.FLEET, roles=(Role.WORKER,))
    factories.user("j.marsh", Division.FLEET)
    for reg in VANS:
        factories.vehicle(reg, classification="Van")


def hours(start, end, day=0):
    """Return a period of hours on the Tuesday, or some days later."""
    midnight = NINE - timedelta(hours=9) + timedelta(days=day)
    return TimeSpan(midnight + timedelta(hours=start), midnight + timedelta(hours=end))


def requested(period, key=LK, **values):
    kind = values.pop("kind", BookingKind.VEHICLE)
    return BookingRequest(kind, period, "" if values.get("class_name") else key, **values)


def book(period, key=LK, *, now=NOW, by=WORKER, **values):
    """Book a vehicle, or with `class_name` some vehicle, and return the booking."""
    with dates.as_of(now), transaction():
        number = services.book([requested(period, key, **values)], by=by).number
    return get_booking(number)


def booking(row):
    """Return a booking as it is now."""
    return get_booking(row.number)


def checked(row, step, *, reg="", at=NINE, odometer=1000, made_at=None):
    """Submit a check that takes a step of a booking; return the sentences for its sender."""
    check = SubmittedCheck(
        reg or row.subject,
        odometer,
        dates.london_day(at),
        {},
        booking=BookingStep(row.number, HandoverStep(step)),
    )
    with dates.as_of(at), transaction():
        plan = CheckPlan(check, reg or row.subject, odometer, None, {})
        result = submit_check(plan, by=WORKER, stamp=Stamp(made_at=made_at))
        return [*result.messages, *result.warnings]


def do(service, *values, now=NOW, **details):
    with dates.as_of(now):
        return factories.do(service, *values, **details)
