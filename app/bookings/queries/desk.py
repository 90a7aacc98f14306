"""The desk: what goes out and comes back, what is late, and what needs another vehicle."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, literal, or_, select, union_all

from app import dates
from app.bookings.models import Bookable, Booking
from app.bookings.queries.availability import (
    IS_OCCUPYING,
    BookingSubject,
    Occupancy,
    is_given_up,
    is_late,
    subjects,
    with_keys,
)
from app.bookings.rules import NEXT_DAYS, NO_SHOW_AFTER, BookingKind, BookingState, TimeSpan
from app.db import db
from app.fleet.queries.vehicles import ON_SCREENS

IS_OUT = and_(IS_OCCUPYING, Booking.state == BookingState.OUT)


@dataclass(frozen=True)
class Unfit:
    """A booking whose vehicle isn't free for it: why, and the free vehicles of its class."""

    booking: Booking
    why: str
    free: Sequence[BookingSubject]


@dataclass(frozen=True)
class Desk:
    """The bookings at hand, each in one part, but for those of the person and of a manager.

    `next` are the reserved ones that wait for something late, by the id of the late booking.
    """

    today: Sequence[Booking]
    due_back: Sequence[Booking]
    late: Sequence[Booking]
    unfit: Sequence[Unfit]
    own: Sequence[Booking]
    to_look_at: Sequence[Booking]
    next: Mapping[int, Booking]

    @property
    def waits(self) -> Mapping[int, Booking]:
        """Return the late bookings by the ids of the bookings that wait for them."""
        return {self.next[row.id].id: row for row in self.late if row.id in self.next}


def desk(kinds: Collection[BookingKind], now: datetime, user_id: int | None = None) -> Desk:
    """Return the bookings at hand now; without a person no other vehicles are offered."""
    today, soon = dates.london_day(now), now + NEXT_DAYS
    start, end = dates.start_of_day(today), dates.end_of_day(today)
    is_mine = or_(Booking.for_user_id == user_id, Booking.created_by == user_id)
    is_reserved = (Booking.state == BookingState.RESERVED, Booking.ends_at > start)
    ids = union_all(
        select(Booking.id).where(IS_OUT),
        select(Booking.id).where(*is_reserved, or_(Booking.starts_at < soon, is_mine)),
        select(Booking.id).where(Booking.look_at != ""),
    )
    found = select(Booking).where(Booking.kind.in_(kinds), Booking.id.in_(ids))
    rows = db.session.scalars(found.order_by(Booking.starts_at, Booking.id)).all()
    coming = [row for row in rows if row.state is BookingState.RESERVED]
    following = [row for row in coming if row.starts_at < soon]
    stranded = unfit(following, now, offers=user_id is not None)
    apart = {each.booking.id for each in stranded}
    late = [row for row in rows if is_late(row, now)]
    out = [row for row in rows if row.state is BookingState.OUT and row not in late]
    waiting = {(row.kind, row.subject_key): row for row in reversed(coming)}
    fit = [row for row in coming if row.id not in apart]
    return Desk(
        today=[row for row in fit if row.starts_at < end]
        + [row for row in out if row.ends_at > end],
        due_back=[row for row in out if row.ends_at <= end],
        late=late,
        unfit=stranded,
        own=[
            row
            for row in fit
            if row.starts_at >= end and user_id in (row.for_user_id, row.created_by)
        ],
        to_look_at=[row for row in rows if row.look_at],
        next={
            row.id: waiting[key] for row in late if (key := (row.kind, row.subject_key)) in waiting
        },
    )


def unfit(bookings: Sequence[Booking], now: datetime, *, offers: bool = True) -> Sequence[Unfit]:
    """Return the reserved bookings of vehicles that can't have theirs, as Occupancy says."""
    rows = [
        row for row in bookings if row.kind is BookingKind.VEHICLE and not is_given_up(row, now)
    ]
    if not rows:
        return []
    keys = {row.subject_key for row in rows}
    kind = BookingKind.VEHICLE
    listed = subjects(kind, ON_SCREENS) if offers else with_keys(kind, keys)
    booked = keys & listed.keys()
    classes = {listed[key].class_key for key in booked}
    found = {
        key: each
        for key, each in listed.items()
        if key in booked or (each.class_name and each.class_key in classes)
    }
    if not found:
        return []
    period = TimeSpan(min(row.starts_at for row in rows), max(row.ends_at for row in rows))
    occupancy = Occupancy(found, period, now)
    stranded = []
    for row in (row for row in rows if row.subject_key in found):
        subject = found[row.subject_key]
        obstacles = occupancy.obstacles(subject.key, row.period, but=[row.id])
        if obstacles and subject.is_bookable:
            free = [
                each
                for key, each in found.items()
                if each.class_key == subject.class_key
                if each.class_name and not occupancy.obstacles(key, row.period, but=[row.id])
            ]
            stranded.append(Unfit(row, f"{row.subject} {obstacles[0].text}.", free))
    return stranded


def late_now(row: Booking, now: datetime) -> Booking | None:
    """Return the late booking that still has the subject of another one."""
    is_of_subject = (Booking.kind == row.kind, Booking.subject_key == row.subject_key)
    late = select(Booking).where(IS_OUT, *is_of_subject, Booking.ends_at <= now)
    return db.session.scalar(late.order_by(Booking.ends_at).limit(1))


def next_bookings(kind: BookingKind, key: str) -> Mapping[str, Any]:
    """Return the next three bookings of a subject, and whether it can be booked."""
    now = dates.utc_now()
    decided = select(Bookable.is_bookable).where(Bookable.kind == kind, Bookable.subject_key == key)
    is_open = and_(
        *(Booking.kind == kind, Booking.subject_key == key, IS_OCCUPYING),
        or_(Booking.ends_at > now, Booking.state == BookingState.OUT),
        or_(Booking.starts_at > now - NO_SHOW_AFTER, Booking.state == BookingState.OUT),
    )
    one = select(literal(1).label("one")).subquery()
    found = select(decided.scalar_subquery(), Booking).select_from(one).outerjoin(Booking, is_open)
    rows = db.session.execute(found.order_by(Booking.starts_at).limit(3)).all()
    is_bookable = kind is BookingKind.VEHICLE if rows[0][0] is None else rows[0][0]
    return {"is_bookable": is_bookable, "rows": [row for _, row in rows if row]}
