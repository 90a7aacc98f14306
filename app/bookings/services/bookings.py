"""Make, change and cancel bookings."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app import dates, names
from app.accounts.queries import user_named, usernames
from app.bookings.models import Bookable, Booking, BookingLimits
from app.bookings.queries.bookings import cancelled_message
from app.bookings.rules import (
    OWNERS,
    BookingKind,
    BookingRequest,
    BookingRule,
    BookingState,
    TimeSpan,
)
from app.bookings.services.placing import (
    bookings_changed,
    check_period,
    find_subject,
    lock_booking,
    lock_requested,
    lock_subjects,
    occupy,
    record_change,
    subject_of,
    translated,
)
from app.db import db
from app.errors import Conflict, EditConflict
from app.events.rules import EventKind
from app.events.services import record_event
from app.fields import camel_case
from app.idempotency import UNSTAMPED, Stamp
from app.number_counter import next_number
from app.reference_numbers import Series


@dataclass(frozen=True)
class BookingResult:
    """Bookings that were made or changed, and what became of others."""

    numbers: list[int]
    message: str
    warnings: list[str] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Return the number of the first."""
        return self.numbers[0]


def book(
    requested: Sequence[BookingRequest], *, by: int, stamp: Stamp = UNSTAMPED
) -> BookingResult:
    """Book things, all or none.

    Raises Invalid for what can't be booked then, and Taken for what isn't free.
    """
    now = dates.utc_now()
    lock_requested(requested)
    rows: list[Booking] = []
    warnings: list[str] = []
    for each in requested:
        person = user_named(each.for_name) if each.for_name else None
        row = Booking(
            kind=each.kind,
            class_name=each.class_name,
            units=each.units,
            for_user_id=person.id if person else None if each.for_name else by,
            for_name=person.username if person else each.for_name or usernames([by])[by],
            purpose=each.purpose,
            created_by=by,
            created_at=now,
            **({} if rows else vars(stamp)),
        )
        subject = subject_of(each)
        check_period(each.kind, subject, each.period, now, class_name=each.class_name)
        warnings += occupy(row, subject, each.period, now, by=by)
        row.number = next_number(Series.BOOKING)
        with translated():
            db.session.add(row)
            db.session.flush()
        record_change(EventKind.BOOKING_MADE, row, by, after=_values(row))
        rows.append(row)
    bookings_changed()
    booked = [f"{row.what} ({row.reference})" for row in rows]
    message = f"Booked {' and '.join(booked)} {rows[0].period.describe(now)}."
    return BookingResult([row.number for row in rows], message, warnings)


def change_booking(
    number: int,
    *,
    period: TimeSpan | None = None,
    subject_key: str = "",
    subject: str = "",
    purpose: str | None = None,
    revision: int,
    by: int,
) -> BookingResult:
    """Change the time, the subject, also named as it was typed, or the purpose of a booking.

    Raises Conflict for one that is over, EditConflict, Invalid and Taken.
    """
    now = dates.utc_now()
    row = lock_booking(number, *filter(None, [subject_key]))
    if row.state not in (BookingState.RESERVED, BookingState.OUT):
        raise Conflict(over_message(row))
    if row.revision != revision:
        raise EditConflict("booking")
    if subject_key and subject_key != row.subject_key and row.state is BookingState.OUT:
        raise Conflict(f"{row.subject} is out. Return it first.")
    before = _values(row)
    warnings = []
    new_period, key = period or row.period, subject_key or row.subject_key
    if row.state is BookingState.OUT:
        new_period = TimeSpan(row.starts_at, new_period.end)
    if (new_period, key) != (row.period, row.subject_key):
        if subject_key:
            row.class_name = ""
        is_some = row.class_name and not subject_key and row.state is BookingState.RESERVED
        found = None if is_some else find_subject(row.kind, key, subject)
        has_begun = row.starts_at == new_period.start
        check_period(
            row.kind, found, new_period, now, class_name=row.class_name, has_begun=has_begun
        )
        warnings = [*occupy(row, found, new_period, now, by=by)]
    if purpose is not None:
        row.purpose = purpose
    after = _values(row)
    if after == before and not db.session.is_modified(row):
        return BookingResult([row.number], f"{row.reference} is unchanged.")
    row.revision += 1
    with translated():
        db.session.flush()
    record_change(EventKind.BOOKING_CHANGED, row, by, before=before, after=after)
    bookings_changed()
    message = f"{row.reference} is {row.what} {row.period.describe(now)} now."
    return BookingResult([row.number], message, warnings)


def cancel_booking(
    number: int, *, reason: str, revision: int | None = None, by: int
) -> BookingResult:
    """Cancel a reserved booking. Raises Conflict for any other, and EditConflict."""
    row = lock_booking(number)
    if row.state is not BookingState.RESERVED:
        raise Conflict(over_message(row))
    if revision is not None and row.revision != revision:
        raise EditConflict("booking")
    cancel(row, reason, by=by)
    bookings_changed()
    return BookingResult([row.number], f"{row.reference} is cancelled.")


def cancel(row: Booking, reason: str, *, by: int | None) -> None:
    """Cancel a locked booking."""
    row.state, row.cancel_reason = BookingState.CANCELLED, reason
    row.cancelled_at, row.cancelled_by = dates.utc_now(), by
    row.revision += 1
    db.session.flush()
    record_change(EventKind.BOOKING_CANCELLED, row, by)


def look_at(number: int, *, by: int) -> BookingResult:
    """Take the flag from a booking whose check took no step."""
    row = lock_booking(number)
    row.look_at = ""
    row.revision += 1
    db.session.flush()
    record_change(EventKind.BOOKING_CHANGED, row, by, after={"lookedAt": True})
    bookings_changed()
    return BookingResult([row.number], f"{row.reference} is looked at.")


def decide_bookable(kind: BookingKind, key: str, *, is_bookable: bool, by: int) -> BookingResult:
    """Say whether a subject can be booked; bookings made before stay."""
    subject = find_subject(kind, key)
    lock_subjects(kind, [key])
    db.session.merge(Bookable(kind=kind, subject_key=key, is_bookable=is_bookable))
    db.session.flush()
    after = {"kind": kind, "subject": key, "isBookable": is_bookable}
    record_event(
        EventKind.BOOKABLE_CHANGED, "bookable", key, division=OWNERS[kind][0], by=by, after=after
    )
    bookings_changed()
    can = "can be booked" if is_bookable else "can't be booked any more"
    return BookingResult([], f"{subject.label} {can}.")


def set_limits(kind: BookingKind, class_name: str, rule: BookingRule, *, by: int | None) -> None:
    """Set the limits of a kind and class, of a whole kind for ''; bookings made before stay."""
    key, values = names.key(class_name), asdict(rule)
    db.session.merge(BookingLimits(kind=kind, class_key=key, **values))
    db.session.flush()
    subject, after = f"{kind} {key}".strip(), {camel_case(name): n for name, n in values.items()}
    record_event(
        EventKind.BOOKING_RULE_CHANGED,
        "booking_rule",
        subject,
        division=OWNERS[kind][0],
        by=by,
        after=after,
    )
    bookings_changed()


def over_message(row: Booking) -> str:
    """Return why a booking can't be changed any more, '' if it can."""
    today = dates.today()
    if row.state is BookingState.CANCELLED and row.cancelled_at:
        return cancelled_message(row)
    if row.state is BookingState.NO_SHOW:
        return f"Nobody took {row.reference} in time, and somebody else has its time."
    if row.state is BookingState.BACK and row.back_at:
        return f"{row.reference} came back {dates.moment_in_sentence(row.back_at, today)}."
    if row.state is BookingState.OUT and row.out_at:
        by = usernames([row.out_by])[row.out_by] or "Somebody"
        return f"{by} took it {dates.moment_in_sentence(row.out_at, today)}."
    return ""


def _values(row: Booking) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "subject": row.subject_key,
        "class": row.class_name,
        "units": row.units,
        "from": row.starts_at.isoformat(),
        "to": row.ends_at.isoformat(),
    }
