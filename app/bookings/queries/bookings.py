"""Reads of bookings: one, those of the desk, and those of vehicles."""

from sqlalchemy import select

from app import dates
from app.accounts.queries import usernames
from app.bookings.models import Booking
from app.db import db
from app.errors import existing


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
