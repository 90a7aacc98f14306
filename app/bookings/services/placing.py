"""Give bookings a subject and a time that are free.

Every change locks the bookings of all subjects that it may touch, in the order of their keys, and
only then asks what is free. A check locks its vehicle before, and nothing that locks bookings first
locks a vehicle later.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sqlalchemy.exc import IntegrityError

from app import names
from app.bookings.models import Booking
from app.bookings.queries.availability import (
    BookingSubject,
    Occupancy,
    of_class,
    subjects,
    with_keys,
)
from app.bookings.queries.bookings import get_booking
from app.bookings.rules import (
    OWNERS,
    SUBJECT,
    BookingKind,
    BookingRequest,
    BookingState,
    Obstacle,
    Taken,
    TimeSpan,
)
from app.db import advisory_lock, db, lock_rows, run_last
from app.engines import violates
from app.errors import Conflict, Invalid
from app.events.rules import EventKind, Values
from app.events.services import record_event
from app.fleet.rules.vehicles import BOOKINGS
from app.versions import increment_version


def lock_subjects(kind: BookingKind, keys: Collection[str]) -> None:
    """Lock the bookings of subjects until the transaction ends."""
    advisory_lock(*(f"bookings of {kind} {key}" for key in sorted(set(keys))))


def lock_booking(number: int, *keys: str) -> Booking:
    """Lock a booking with those of its class, and of other subjects; raises NotFound."""
    row = get_booking(number)
    locked: set[str] = set()
    # It may move to another subject while this waits for the locks.
    while not locked.issuperset({row.subject_key, *keys}):
        locked.update(with_class(row.kind, {row.subject_key, *keys}, [row.class_name]))
        lock_subjects(row.kind, locked)
        db.session.refresh(row, with_for_update=True)
    return row


def occupy(
    row: Booking, subject: BookingSubject | None, period: TimeSpan, now: datetime, *, by: int | None
) -> Sequence[str]:
    """Give a booking a time, and a subject that is free then; None stands for one of its class.

    Bookings of the class alone make room, and those that nobody took are given up. The caller has
    checked the period, and locked all subjects of the class. Returns which bookings moved; raises
    Invalid and Taken.
    """
    but, most = [row.id], subject.units if subject else 1
    if row.units > most:
        raise Invalid(f"There {'is' if most == 1 else 'are'} {most}.", "units")
    if subject is None:
        found = of_class(row.class_name)
        if not found:
            raise Invalid(f"There is no {row.class_name}.", "class")
        occupancy = Occupancy(found, period, now)
        free = occupancy.free(period, but=but)
        if not free:
            obstacle = Obstacle(f"is free {period.describe(now)}")
            raise Taken(f"No {row.class_name}", [obstacle], [], period, now)
        _place(row, free[0], period, occupancy)
        return ()
    if not subject.is_bookable and subject.key != row.subject_key:
        raise Invalid(f"{subject.label} isn't for booking.", "reg")
    # What was booked before that was decided stays booked.
    occupancy = Occupancy({subject.key: replace(subject, is_bookable=True)}, period, now)
    moved = _make_room(row, subject, period, occupancy, by)
    _place(row, subject, period, occupancy)
    return moved


def _make_room(
    row: Booking, subject: BookingSubject, period: TimeSpan, occupancy: Occupancy, by: int | None
) -> Sequence[str]:
    now, but = occupancy.now, [row.id]
    obstacles = occupancy.obstacles(subject.key, period, units=row.units, but=but)

    def taken() -> Taken:
        free: Sequence[BookingSubject] = ()
        if subject.kind is BookingKind.VEHICLE and subject.class_name:
            free = Occupancy(of_class(subject.class_name), period, now).free(period, but=but)
        return Taken(subject.label, obstacles, [each.label for each in free], period, now)

    if not all(each.is_movable for each in obstacles):
        raise taken()
    if obstacles:
        # One of them may get the vehicle that this booking leaves.
        row.is_single = False
        db.session.flush()
    moved = []
    for booking in (each.booking for each in obstacles):
        others = Occupancy(of_class(booking.class_name), booking.period, now)
        free = others.free(booking.period, but=[booking.id, row.id])
        other = next((each for each in free if each.key != subject.key), None)
        if other is None:
            raise taken()
        before = {"vehicle": booking.subject}
        _place(booking, other, booking.period, others)
        after = {"vehicle": booking.subject}
        record_change(EventKind.BOOKING_MOVED, booking, by, before=before, after=after)
        moved.append(f"{booking.reference} has {booking.subject} now.")
    return moved


def _place(row: Booking, subject: BookingSubject, period: TimeSpan, occupancy: Occupancy) -> None:
    given_up = [
        other.id
        for other in occupancy.given_up.get(subject.key, ())
        if other is not row and other.period.overlaps(period)
    ]
    if given_up:
        is_reserved = Booking.state == BookingState.RESERVED
        for other in lock_rows(Booking, Booking.id.in_(given_up), is_reserved):
            other.state = BookingState.NO_SHOW
            record_change(EventKind.BOOKING_NO_SHOW, other, None)
    row.subject_key, row.subject = subject.key, subject.label
    row.is_single = subject.units == 1
    row.starts_at, row.ends_at = period.start, period.end


def find_subject(kind: BookingKind, key: str, typed: str = "") -> BookingSubject:
    """Return a vehicle or an asset; raises Invalid, with its name as typed, if none is listed."""
    subject = with_keys(kind, [key]).get(key)
    if subject is None:
        raise Invalid(f"{typed or key.upper()} is in no list.", "reg")
    return subject


def lock_requested(requested: Sequence[BookingRequest]) -> None:
    """Lock the bookings of all that is requested, with those of its classes."""
    for kind in sorted({each.kind for each in requested}):
        keys = {each.subject_key for each in requested if each.kind is kind and each.subject_key}
        classes = {each.class_name for each in requested if each.kind is kind and each.class_name}
        lock_subjects(kind, with_class(kind, keys, classes))


def with_class(
    kind: BookingKind, keys: Collection[str], classes: Collection[str] = ()
) -> Collection[str]:
    """Return subjects with all others of their classes, to which bookings may move."""
    if kind is not BookingKind.VEHICLE:
        return keys
    class_of = {key: each.class_key for key, each in subjects(kind).items()}
    moving = {*map(names.key, classes), *(class_of.get(key, "") for key in keys)} - {""}
    return {*keys, *(key for key, name in class_of.items() if name in moving)}


def record_change(
    kind: EventKind,
    row: Booking,
    by: int | None,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Write a change with its event, which names nobody; raises Conflict for a second booking."""
    if kind is not EventKind.BOOKING_MADE:
        row.revision += 1
    try:
        db.session.flush()
    except IntegrityError as error:
        if not violates(error, "ex_booking_occupied"):
            raise
        message = "Somebody has just booked it for this time. Look at what is free again."
        raise Conflict(message) from error
    division = OWNERS[row.kind][0]
    record_event(kind, SUBJECT, row.id, division=division, by=by, before=before, after=after)


def bookings_changed() -> None:
    """Give the list a new version when the transaction ends, after the lists below this one."""
    run_last(partial(increment_version, BOOKINGS))
