"""Hand things over and take them back: by a check, or without one."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from app import dates, names
from app.assets.services.register import quantities_lowered
from app.bookings.models import Booking
from app.bookings.queries.availability import is_given_up, occupied_period, occupying
from app.bookings.queries.bookings import find_booking, get_booking, why_not_back, why_not_out
from app.bookings.rules import (
    BookingKind,
    BookingState,
    Condition,
    TimeSpan,
    describe_moment,
    most_units,
)
from app.bookings.services.bookings import BookingResult, cancel
from app.bookings.services.placing import (
    bookings_changed,
    find_subject,
    lock_booking,
    lock_subjects,
    occupy,
    record_change,
)
from app.db import db, lock_rows
from app.errors import Conflict, EditConflict, Invalid, QuartermasterError
from app.events.rules import EventKind
from app.fleet.models import Check
from app.fleet.rules.findings import Findings, HandoverStep, Severity
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.services.upkeep import Consequences, Rank, check_submitted, vehicles_left
from app.lists import batches, grouped
from app.mileage.services import add_reading
from app.versions import lock_version


def hand_over(number: int, *, odometer: int | None = None, reason: str, by: int) -> BookingResult:
    """Hand a thing over without a check, a vehicle with a reason; raises Conflict and Taken."""
    row = _lock(number, odometer, reason, by)
    moved = _take_out(row, dates.utc_now(), by=by)
    row.out_miles, row.out_reason = odometer, reason
    message = f"Handed over {row.subject} ({row.reference})."
    return _stepped(row, EventKind.BOOKING_OUT, None, by, message, moved)


def take_back(
    number: int,
    *,
    odometer: int | None = None,
    reason: str,
    condition: Condition | None = None,
    by: int,
) -> BookingResult:
    """Take a booked thing back without a check. Raises Conflict unless it is out."""
    row = _lock(number, odometer, reason, by)
    _bring_back(row, dates.utc_now(), by=by)
    row.back_miles, row.back_reason = odometer, reason
    row.condition = condition if row.kind is BookingKind.ASSET else None
    message = f"{row.subject} is back ({row.reference})."
    return _stepped(row, EventKind.BOOKING_BACK, None, by, message)


def _lock(number: int, odometer: int | None, reason: str, by: int) -> Booking:
    row = get_booking(number)
    key, is_vehicle = row.subject_key, row.kind is BookingKind.VEHICLE
    if is_vehicle and not reason:
        raise Invalid("Give the reason why there is no check.", "reason")
    if is_vehicle and odometer is not None:
        # Vehicles are locked before bookings.
        add_reading(row.subject, odometer, day=dates.today(), by=by)
        lock_version(UPKEEP)
    lock_booking(number)
    if row.subject_key != key:
        raise EditConflict("booking")
    return row


def _stepped(
    row: Booking,
    kind: EventKind,
    check: Check | None,
    by: int,
    message: str,
    moved: Sequence[str] = (),
) -> BookingResult:
    after, row.look_at = {row.kind.value: row.subject, "check": check and check.id}, ""
    record_change(kind, row, by, after=after)
    bookings_changed()
    return BookingResult([row.number], message, [*moved])


def _take_out(row: Booking, at: datetime, *, by: int, key: str = "") -> Sequence[str]:
    at = at.replace(second=0, microsecond=0)
    if why := why_not_out(row, at):
        raise Conflict(why)
    subject = find_subject(row.kind, key or row.subject_key)
    period = TimeSpan(min(at, row.starts_at), row.ends_at)
    moved = occupy(row, subject, period, dates.utc_now(), by=by)
    row.state, row.out_at, row.out_by = BookingState.OUT, at, by
    return moved


def _bring_back(row: Booking, at: datetime, *, by: int) -> None:
    if why := why_not_back(row):
        raise Conflict(why)
    at = max(at.replace(second=0, microsecond=0), row.out_at or row.starts_at)
    row.state, row.back_at, row.back_by = BookingState.BACK, at, by
    if at < row.ends_at:
        row.planned_end = row.ends_at
        row.ends_at = max(at, row.starts_at + timedelta(minutes=1))


def take_step(check: Check, findings: Findings, *, by: int) -> Consequences:
    """Take the step of a booking that a check names; flag a booking whose step can't be taken."""
    if findings.booking is None:
        return Rank.BOOKING, ()
    step, number = findings.booking.step, findings.booking.number
    counts = f"The check counts, the {step.label.lower()} doesn't."
    booking = find_booking(number)
    if booking is None or booking.kind is not BookingKind.VEHICLE:
        return Rank.NOT_TAKEN, [f"There is no {findings.booking.reference}. {counts}"]
    lock_version(UPKEEP)
    row = lock_booking(number, check.reg_key)
    at = check.made_at or check.submitted_at
    try:
        with db.session.begin_nested():
            if step is HandoverStep.OUT:
                result = _hand_over_by(check, row, findings, at, by)
            else:
                result = _take_back_by(check, row, at, by)
    except NotHandedOver as error:
        sentence = error.message
    except QuartermasterError as error:
        sentence = f"{error.message} {counts}"
    else:
        return Rank.BOOKING, [result.message, *result.warnings]
    row.look_at = sentence
    record_change(EventKind.BOOKING_CHANGED, row, by, after={"lookAt": True, "check": check.id})
    bookings_changed()
    return Rank.NOT_TAKEN, [sentence]


class NotHandedOver(Conflict):
    """A check found why its vehicle must not be driven."""


def _hand_over_by(
    check: Check, row: Booking, findings: Findings, at: datetime, by: int
) -> BookingResult:
    stops = [each.text for each in findings.failures if each.severity is Severity.STOP]
    if stops and row.state is BookingState.RESERVED:
        raise NotHandedOver(f"Not handed over: {', '.join(stops)}.")
    if row.state is BookingState.RESERVED and check.reg_key != row.subject_key:
        subject = find_subject(row.kind, check.reg_key)
        if not row.class_name or subject.class_key != names.key(row.class_name):
            raise Conflict(f"{row.reference} is for {row.what}, not for {check.reg}.")
    moved = _take_out(row, at, by=by, key=check.reg_key)
    row.out_miles, row.out_check_id = check.odometer, check.id
    until = describe_moment(row.ends_at, dates.utc_now())
    message = f"{row.subject} is handed over to {row.for_name} until {until} ({row.reference})."
    return _stepped(row, EventKind.BOOKING_OUT, check, by, message, moved)


def _take_back_by(check: Check, row: Booking, at: datetime, by: int) -> BookingResult:
    if row.state is BookingState.OUT and check.reg_key != row.subject_key:
        raise Conflict(f"{row.reference} has {row.subject}, not {check.reg}.")
    _bring_back(row, at, by=by)
    row.back_miles, row.back_check_id = check.odometer, check.id
    message = f"{row.subject} is back ({row.reference})."
    return _stepped(row, EventKind.BOOKING_BACK, check, by, message)


def cancel_for_vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """Cancel the reserved bookings of vehicles that are in no list any more."""
    lock_version(UPKEEP)
    _cancel_all(BookingKind.VEHICLE, reg_keys, "The vehicle left the list.", by)


def check_quantities(quantities: Mapping[str, int], *, by: int | None) -> None:
    """Raise Conflict for less than is booked; cancel the bookings of removed assets."""
    kind = BookingKind.ASSET
    lock_subjects(kind, quantities)
    now = dates.utc_now()
    ahead = TimeSpan(now, datetime.max.replace(tzinfo=UTC))
    rows_ahead = occupying(kind, quantities, ahead)
    coming = grouped((row.subject_key, row) for row in rows_ahead if not is_given_up(row, now))
    for key, rows in coming.items():
        occupied = ((occupied_period(row, now), row.units) for row in rows)
        most = most_units(occupied, ahead)
        if 0 < quantities[key] < most:
            booked = ", ".join(row.reference for row in rows)
            raise Conflict(f"{most} are booked ({booked}). Change these bookings first.")
    _cancel_all(kind, [key for key, left in quantities.items() if not left], "It was removed.", by)


def _cancel_all(kind: BookingKind, keys: Collection[str], reason: str, by: int | None) -> None:
    lock_subjects(kind, keys)
    for some in batches(sorted(keys)):
        is_of = (Booking.kind == kind, Booking.subject_key.in_(some))
        for row in lock_rows(Booking, *is_of, Booking.state == BookingState.RESERVED):
            cancel(row, reason, by=by)
    bookings_changed()


check_submitted.connect(take_step)
vehicles_left.connect(cancel_for_vehicles_left)
quantities_lowered.connect(check_quantities)
