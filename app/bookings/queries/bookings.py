"""Reads of one booking, and of its checks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import case, or_, select

from app import dates, names
from app.accounts.queries import usernames
from app.assets.models import Asset
from app.bookings.models import Booking
from app.bookings.queries.availability import IS_OCCUPYING, BookingSubject, with_keys
from app.bookings.rules import (
    EARLIEST_HANDOVER,
    OCCUPYING,
    BookingKind,
    BookingState,
    describe_moment,
)
from app.db import db
from app.defects.models import Defect
from app.errors import existing
from app.fleet.models import Check, Vehicle
from app.fleet.queries.checks import CheckRow, check_rows
from app.fleet.queries.vehicles import IN_LISTS, classifications
from app.fleet.rules.findings import BookingStep, HandoverStep, VehicleBooking
from app.lists import grouped
from app.records.filters import Conditions


def get_booking(number: int) -> Booking:
    """Return a booking by its number; raises NotFound."""
    return existing(find_booking(number), "There is no such booking. Load the list again.")


def find_booking(number: int) -> Booking | None:
    """Return a booking by its number, None without one."""
    return db.session.execute(select(Booking).filter_by(number=number)).scalar_one_or_none()


def over_message(row: Booking) -> str:
    """Return why a booking can't be changed any more, '' if it can."""
    today = dates.today()
    if row.state is BookingState.CANCELLED and row.cancelled_at:
        when = dates.moment_in_sentence(row.cancelled_at, today)
        return f"{row.reference} was cancelled {when}."
    if row.state is BookingState.NO_SHOW:
        return f"Nobody took {row.reference} in time, and somebody else has its time."
    if row.state is BookingState.BACK and row.back_at:
        return f"{row.reference} came back {dates.moment_in_sentence(row.back_at, today)}."
    if row.state is BookingState.OUT and row.out_at:
        by = usernames([row.out_by])[row.out_by] or "Somebody"
        return f"{by} took it {dates.moment_in_sentence(row.out_at, today)}."
    return ""


def why_not_out(row: Booking, at: datetime) -> str:
    """Return why a booking can't be handed over at a time though it is free then, '' if it can."""
    if row.state is not BookingState.RESERVED:
        return over_message(row)
    if at < row.starts_at - EARLIEST_HANDOVER:
        earliest = describe_moment(row.starts_at - EARLIEST_HANDOVER, at)
        return f"It can be handed over from {earliest}. Change its time to begin now."
    return f"The time of {row.reference} is over. Book it from now." if at >= row.ends_at else ""


def why_not_back(row: Booking) -> str:
    """Return why a booking can't be brought back, '' if it can."""
    return "" if row.state is BookingState.OUT else over_message(row) or "It isn't out."


def may_step(row: Booking, now: datetime) -> bool:
    """Return whether a booking can be handed over now, or is out and can come back."""
    return row.state is BookingState.OUT or not why_not_out(row, now)


def why_no_step(taken: BookingStep) -> str:
    """Return why a check of now can't take a step of a booking of a vehicle, '' if it can."""
    row = find_booking(taken.number)
    if row is None or row.kind is not BookingKind.VEHICLE:
        return f"There is no {taken.reference}."
    is_out = taken.step is HandoverStep.OUT
    return why_not_out(row, dates.utc_now()) if is_out else why_not_back(row)


def vehicle_bookings(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[VehicleBooking]]:
    """Return the bookings by vehicle that a check of today or tomorrow may be about.

    Those that are out are among them however late they are; None means of all vehicles.
    """
    today, is_out = dates.today(), Booking.state == BookingState.OUT
    statement = (
        select(Booking)
        .where(
            Booking.kind == BookingKind.VEHICLE,
            IS_OCCUPYING,
            Booking.starts_at < dates.end_of_day(today + timedelta(days=1)),
            or_(is_out, Booking.ends_at > dates.start_of_day(today)),
        )
        .order_by(Booking.starts_at, Booking.id)
    )
    if reg_keys is not None:
        statement = statement.where(Booking.subject_key.in_(reg_keys))
    return grouped((row.subject_key, _of_vehicle(row)) for row in db.session.scalars(statement))


def _of_vehicle(row: Booking) -> VehicleBooking:
    step = HandoverStep.BACK if row.state is BookingState.OUT else HandoverStep.OUT
    return VehicleBooking(row.number, step, row.for_name, row.starts_at, row.ends_at)


@dataclass(frozen=True)
class BookingRow:
    """A booking with its subject, None for one in no list, and with the names of users."""

    booking: Booking
    subject: BookingSubject | None
    users: Mapping[int | None, str]

    @property
    def asset(self) -> str | None:
        """Return the ID of its equipment."""
        name = self.subject.name if self.subject else self.booking.subject
        return name if self.booking.kind is BookingKind.ASSET else None

    @property
    def class_name(self) -> str:
        """Return the class or the item of its subject."""
        return self.subject.class_name if self.subject else self.booking.class_name


def new_defects(row: Booking) -> Sequence[Defect]:
    """Return the defects that the check of a booking's return opened."""
    if row.back_check_id is None:
        return ()
    opened = select(Defect).filter_by(check_id=row.back_check_id).order_by(Defect.number)
    return db.session.scalars(opened).all()


def booking_rows(bookings: Sequence[Booking]) -> Sequence[BookingRow]:
    """Return bookings with what their lists show besides."""
    users = usernames(by for row in bookings for by in (row.created_by, row.out_by, row.back_by))
    found = {
        kind: with_keys(kind, {row.subject_key for row in bookings if row.kind is kind})
        for kind in {row.kind for row in bookings}
    }
    return [BookingRow(row, found[row.kind].get(row.subject_key), users) for row in bookings]


def is_of_class(class_name: str, _: bool) -> Conditions:
    """Return the conditions of bookings of the vehicles of a class."""
    key = names.key(class_name)
    spellings = [each for each in classifications() if names.key(each) == key]
    regs = select(Vehicle.reg_key).where(IN_LISTS, Vehicle.classification.in_(spellings))
    return [Booking.kind == BookingKind.VEHICLE, Booking.subject_key.in_(regs)]


def made_with(booking_id: int) -> Sequence[Booking]:
    """Return the bookings of a submission by its first."""
    first = db.session.get_one(Booking, booking_id)
    alike = (
        select(Booking)
        .filter_by(created_by=first.created_by, created_at=first.created_at)
        .where(Booking.id >= booking_id)
    )
    return db.session.execute(alike.order_by(Booking.id)).scalars().all()


def overlap_problems() -> Iterator[str]:
    """Yield the bookings that occupy more units of a subject at a time than it has."""
    units = select(Asset.quantity).where(Asset.asset_key == Booking.subject_key).scalar_subquery()
    statement = (
        select(Booking, case((Booking.kind == BookingKind.VEHICLE, 1), else_=units).label("most"))
        .where(Booking.state.in_(OCCUPYING))
        .order_by(Booking.kind, Booking.subject_key, Booking.starts_at, Booking.id)
    )
    for _, of_subject in groupby(
        db.session.execute(statement), key=lambda row: (row.Booking.kind, row.Booking.subject_key)
    ):
        earlier: list[Booking] = []
        for row, most in of_subject:
            earlier = [each for each in earlier if each.ends_at > row.starts_at]
            if earlier and sum(each.units for each in (*earlier, row)) > (most or 1):
                others = ", ".join(each.reference for each in earlier)
                yield f"{row.subject}: {row.reference} overlaps {others}"
            earlier.append(row)


def step_problems() -> Iterator[str]:
    """Yield the vehicles' bookings that were handed over or returned without check or reason."""
    for name, at, check_id, reason in (
        ("out", Booking.out_at, Booking.out_check_id, Booking.out_reason),
        ("back", Booking.back_at, Booking.back_check_id, Booking.back_reason),
    ):
        is_step = Booking.kind == BookingKind.VEHICLE, at.is_not(None)
        unexplained = select(Booking).where(*is_step, check_id.is_(None), reason == "")
        for row in db.session.scalars(unexplained.order_by(Booking.number)):
            yield f"{row.reference} of {row.subject} is {name} without a check or a reason"


def checks_of(row: Booking) -> Mapping[HandoverStep, CheckRow | None]:
    """Return the checks by which a booking was handed over and came back."""
    ids = {HandoverStep.OUT: row.out_check_id, HandoverStep.BACK: row.back_check_id}
    requested = [id_ for id_ in ids.values() if id_]
    found = {each.id: each for each in check_rows(select(Check).where(Check.id.in_(requested)))}
    return {step: found.get(id_ or 0) for step, id_ in ids.items()}
