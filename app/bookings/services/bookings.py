"""Make, change and cancel bookings."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app import dates, names
from app.accounts.queries import user_named, usernames
from app.bookings.models import Bookable, Booking, BookingLimits
from app.bookings.queries.availability import rule_of
from app.bookings.queries.bookings import over_message
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
    find_subject,
    lock_booking,
    lock_requested,
    lock_subjects,
    occupy,
    record_change,
)
from app.db import db
from app.errors import Conflict, Invalid, check_revision
from app.events.rules import EventKind
from app.events.services import record_event
from app.fields import camel_case
from app.fleet.rules.vehicles import plate_key
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
    """Book things, all or none; raises Invalid, and Taken for what isn't free."""
    if not requested:
        raise Invalid("Choose what to book.")
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
        key = each.subject_key
        subject = find_subject(each.kind, key, each.subject) if key else None
        class_name = subject.class_name if subject else each.class_name
        rule_of(each.kind, class_name).check(each.period, now)
        warnings += occupy(row, subject, each.period, now, by=by)
        row.number = next_number(Series.BOOKING)
        db.session.add(row)
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
    reg: str = "",
    purpose: str | None = None,
    revision: int,
    by: int,
) -> BookingResult:
    """Change a booking; of one that is out not its start. Raises Conflict, Invalid and Taken."""
    now, key = dates.utc_now(), plate_key(reg)
    row = lock_booking(number, *filter(None, [key]))
    is_out = row.state is BookingState.OUT
    if not is_out and row.state is not BookingState.RESERVED:
        raise Conflict(over_message(row))
    check_revision("booking", row.revision, revision)
    period = period or row.period
    if is_out and key not in ("", row.subject_key):
        raise Conflict(f"{row.subject} is out. Return it first.")
    if is_out and period.start != row.starts_at:
        raise Invalid("It is out: only its end can change.", "from")
    if is_out and period.end <= now:
        raise Invalid("It is out: let it end later than now, or return it.", "to")
    before, warnings = _values(row), []
    if period != row.period or (key and (key != row.subject_key or row.class_name)):
        row.class_name = "" if key else row.class_name
        is_some = row.class_name and not is_out
        subject = None if is_some else find_subject(row.kind, key or row.subject_key, reg)
        rule = rule_of(row.kind, subject.class_name if subject else row.class_name)
        rule.check(period, now, has_begun=row.starts_at == period.start)
        warnings = [*occupy(row, subject, period, now, by=by)]
    if purpose is not None:
        row.purpose = purpose
    after = _values(row)
    if after == before and not db.session.is_modified(row):
        return BookingResult([row.number], f"{row.reference} is unchanged.")
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
    check_revision("booking", row.revision, revision)
    cancel(row, reason, by=by)
    bookings_changed()
    return BookingResult([row.number], f"{row.reference} is cancelled.")


def cancel(row: Booking, reason: str, *, by: int | None) -> None:
    """Cancel a locked booking."""
    row.state, row.cancel_reason = BookingState.CANCELLED, reason
    row.cancelled_at, row.cancelled_by = dates.utc_now(), by
    record_change(EventKind.BOOKING_CANCELLED, row, by)


def look_at(number: int, *, by: int) -> BookingResult:
    """Take the flag from a booking whose check took no step."""
    row = lock_booking(number)
    row.look_at = ""
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


def _values(row: Booking) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "subject": row.subject,
        "class": row.class_name,
        "units": row.units,
        "from": row.starts_at.isoformat(),
        "to": row.ends_at.isoformat(),
    }
