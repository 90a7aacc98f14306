"""Bookings, what can be booked, and the limits of bookings."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.bookings.rules import (
    CLASS,
    FOR_NAME,
    OCCUPYING,
    PURPOSE,
    SUBJECT_LABEL,
    BookingKind,
    BookingState,
    Condition,
    TimeSpan,
)
from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT
from app.reference_numbers import ReferenceNumber, Series


class Booking(Base):
    """A booking of one subject from `starts_at` until `ends_at`, both in UTC.

    `subject_key` is a plate's or an asset's key, `subject` how it is written. One of some vehicle
    of a class has `class_name`. `is_single` holds if its subject can't be booked twice at a time.
    `planned_end` is the planned end of one that came back early. `out_reason` and `back_reason` say
    why there was no check, `look_at` why a check's step wasn't taken.
    """

    __tablename__ = "booking"

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    kind: Mapped[BookingKind] = mapped_column(text_enum(BookingKind, "kind"))
    subject_key: Mapped[str] = mapped_column(key_text(4 * SUBJECT_LABEL.limit))
    subject: Mapped[str] = mapped_column(String(SUBJECT_LABEL.limit))
    class_name: Mapped[str] = mapped_column(String(CLASS.limit), default="")
    units: Mapped[int] = mapped_column(default=1)
    is_single: Mapped[bool]
    starts_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[BookingState] = mapped_column(
        text_enum(BookingState, "state"), default=BookingState.RESERVED
    )
    for_user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    for_name: Mapped[str] = mapped_column(String(FOR_NAME.limit))
    purpose: Mapped[str] = mapped_column(String(PURPOSE.limit), default="")
    planned_end: Mapped[datetime | None] = mapped_column(UtcDateTime)
    out_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    out_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    out_check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    out_miles: Mapped[int | None]
    out_reason: Mapped[str] = mapped_column(Text, default="")
    back_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    back_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    back_check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    back_miles: Mapped[int | None]
    back_reason: Mapped[str] = mapped_column(Text, default="")
    condition: Mapped[Condition | None] = mapped_column(text_enum(Condition, "condition"))
    cancelled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    cancelled_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    cancel_reason: Mapped[str] = mapped_column(Text, default="")
    look_at: Mapped[str] = mapped_column(Text, default="")
    created_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    client_key: Mapped[str | None] = mapped_column(String(64))
    client_digest: Mapped[str | None] = mapped_column(String(64))
    made_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revision: Mapped[int] = mapped_column(default=0)

    @property
    def reference(self) -> str:
        """Return its number as people say it, such as 'B-0031'."""
        return str(ReferenceNumber(Series.BOOKING, self.number))

    @property
    def what(self) -> str:
        """Return what is booked: some vehicle of a class is 'a van' until it is handed over."""
        if self.class_name and self.state is BookingState.RESERVED:
            name = self.class_name.lower()
            return f"an {name}" if name[0] in "aeiou" else f"a {name}"
        return f"{self.units} × {self.subject}" if self.units > 1 else self.subject

    @property
    def period(self) -> TimeSpan:
        """Return the time that it is booked for."""
        return TimeSpan(self.starts_at, self.ends_at)

    __table_args__: Any = (
        CheckConstraint("starts_at < ends_at", name="ends_after_it_begins"),
        CheckConstraint(f"units BETWEEN 1 AND {MAX_AMOUNT}", name="units_in_range"),
        Index("ix_booking_starts_at_id", "starts_at", "id"),
        Index("ix_booking_subject", "subject_key", "starts_at", "id"),
        partial_index(
            "ix_booking_occupying",
            *("kind", "subject_key", "starts_at", "ends_at", "state"),
            where=state.in_([sa.literal_column(f"'{each}'") for each in OCCUPYING]),
        ),
        partial_index("ix_booking_to_look_at", "id", where=look_at != sa.literal_column("''")),
    )


keep_client_keys(
    Booking.id, Booking.created_by, Booking.client_key, Booking.client_digest, Booking.created_at
)


class Bookable(Base):
    """A manager's decision whether a subject can be booked, which replaces its kind's default."""

    __tablename__ = "bookable"

    kind: Mapped[BookingKind] = mapped_column(text_enum(BookingKind, "kind"), primary_key=True)
    subject_key: Mapped[str] = mapped_column(key_text(4 * SUBJECT_LABEL.limit), primary_key=True)
    is_bookable: Mapped[bool]


class BookingLimits(Base):
    """The limits of bookings of a kind and class; '' stands for all that have none of their own."""

    __tablename__ = "booking_rule"

    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    class_key: Mapped[str] = mapped_column(key_text(4 * CLASS.limit), primary_key=True)
    buffer_minutes: Mapped[int]
    longest_hours: Mapped[int]
    ahead_days: Mapped[int]
