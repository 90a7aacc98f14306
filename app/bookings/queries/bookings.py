"""Reads of bookings: one, those of the desk, and those of vehicles."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from sqlalchemy import or_, select

from app import dates
from app.accounts.queries import usernames
from app.bookings.models import Booking
from app.bookings.queries.availability import IS_OCCUPYING
from app.bookings.rules import BookingKind, BookingState
from app.db import db
from app.errors import existing
from app.fleet.rules.findings import HandoverStep, VehicleBooking
from app.lists import grouped


def get_booking(number: int) -> Booking:
    """Return a booking by its number; raises NotFound."""
    return existing(find_booking(number), "There is no such booking. Load the list again.")


def find_booking(number: int) -> Booking | None:
    """Return a booking by its number, None without one."""
    return db.session.execute(select(Booking).filter_by(number=number)).scalar_one_or_none()


def cancelled_message(row: Booking) -> str:
    """Return who cancelled a booking and when."""
    by = usernames([row.cancelled_by])[row.cancelled_by] or "The system"
    when = dates.moment_in_sentence(row.cancelled_at or row.created_at, dates.today())
    return f"{by} cancelled {row.reference} {when}."


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
