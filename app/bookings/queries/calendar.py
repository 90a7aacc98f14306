"""Calendars of bookings: a person's own, and the desk's."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, or_, select

from app import dates
from app.accounts.models import User
from app.bookings.models import Booking
from app.bookings.rules import OCCUPYING, OWNERS, BookingState
from app.db import db
from app.due.rules.icalendar import CalendarEvent


def _own(owner: User) -> Sequence[CalendarEvent]:
    is_own = or_(Booking.for_user_id == owner.id, Booking.created_by == owner.id)
    return _events(owner, is_own)


def _events(owner: User, *where: ColumnElement[bool]) -> Sequence[CalendarEvent]:
    kinds = [kind for kind, owners in OWNERS.items() if owner.roles().keys() & set(owners)]
    is_current = or_(
        Booking.ends_at > dates.start_of_day(dates.today()), Booking.state == BookingState.OUT
    )
    statement = select(Booking).where(
        Booking.kind.in_(kinds), Booking.state.in_(OCCUPYING), is_current, *where
    )
    return [
        CalendarEvent(
            uid=f"booking-{row.number}@quartermaster",
            start=row.starts_at,
            end=row.ends_at,
            summary=f"{row.what}: {row.for_name} ({row.reference})",
            description=row.purpose,
            sequence=row.revision,
            changed_at=row.out_at or row.created_at,
        )
        for row in db.session.scalars(statement.order_by(Booking.starts_at, Booking.id))
    ]


CALENDARS = {"bookings": ("My bookings", _own), "desk": ("All bookings", _events)}
