"""Fleet's interface with upkeep, the briefings made of it, and shared steps of upkeep's changes."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum
from functools import partial
from typing import Any, cast

from blinker import Signal
from flask import current_app
from sqlalchemy import ColumnElement

from app import dates
from app.db import db, run_last
from app.divisions import Division
from app.errors import Conflict
from app.events.rules import EventKind, Values
from app.events.services import ChangedSubject, record_events
from app.fleet.models import Check
from app.fleet.queries.vehicles import ON_SCREENS, lock_records, plate_keys, stored_plates
from app.fleet.rules.findings import (
    AnsweredDefects,
    BookingStep,
    HandoverStep,
    LastReading,
    OpenDefect,
    SightingAnswer,
    Standing,
    VehicleBooking,
)
from app.fleet.rules.vehicles import UPKEEP, describe_missing, plate_key
from app.number_counter import next_number
from app.reference_numbers import Series
from app.versions import increment_version, lock_version

check_submitted = Signal()
"""Sent with a saved Check, its `findings` and `by`, in its transaction.

Receivers return Consequences, and run in any order.
"""

vehicles_left = Signal()
"""Sent with the keys of vehicles that are in no list any more and `by`, in that transaction."""


class Rank(IntEnum):
    """The order in which the sender of a check reads what followed; a step not taken warns."""

    UPKEEP = 1
    BOOKING = 2
    NOT_TAKEN = 3


Consequences = tuple[Rank, Sequence[str]]
"""The sentences of one receiver for the sender of a check, with their rank."""


@dataclass(frozen=True)
class Upkeep:
    """The functions of features above fleet that it calls, each in fleet's own transaction.

    Where they take keys of registrations, None means those of all vehicles.
    """

    check_answers: Callable[[str, Mapping[int, SightingAnswer]], AnsweredDefects]
    open_defects: Callable[[Collection[str] | None], Mapping[str, Sequence[OpenDefect]]]
    due_notices: Callable[[Collection[str] | None], Mapping[str, Sequence[str]]]
    last_readings: Callable[[Collection[str] | None], Mapping[str, LastReading]]
    reading_before: Callable[[Check], LastReading | None]
    is_odometer_unused: Callable[[Any], ColumnElement[bool]]
    standings: Callable[[Collection[str]], Mapping[str, Standing]]
    off_road_since: Callable[[Collection[str] | None], Mapping[str, date]]
    is_off_road: Callable[[Any], ColumnElement[bool]]
    was_off_road: Callable[[str, datetime], bool]
    bookings: Callable[[Collection[str] | None], Mapping[str, Sequence[VehicleBooking]]]
    why_no_step: Callable[[BookingStep], str]


def upkeep() -> Upkeep:
    """Return the functions of the features above."""
    return cast(Upkeep, current_app.extensions["upkeep"])


@dataclass(frozen=True)
class Briefing:
    """What a driver should know of a vehicle; its bookings are those of today and tomorrow."""

    reading: LastReading | None = None
    notices: Sequence[str] = ()
    off_road_since: date | None = None
    defects: Sequence[OpenDefect] = ()
    bookings: Sequence[VehicleBooking] = ()

    @property
    def off_road(self) -> str:
        """Return that it is off the road, '' if it isn't."""
        since = self.off_road_since
        return f"Off the road since {dates.short_day(since)}" if since else ""

    @property
    def current_bookings(self) -> Sequence[VehicleBooking]:
        """Return the bookings whose step a check of now can take."""
        now = dates.utc_now()
        midnight = dates.end_of_day(dates.london_day(now))
        return [
            each
            for each in self.bookings
            if each.step is HandoverStep.BACK or (each.starts_at < midnight and each.ends_at > now)
        ]


def briefing_of(reg_key: str) -> Briefing:
    """Return the briefing of a vehicle."""
    return _briefings([reg_key], [reg_key])[reg_key]


def briefings() -> Mapping[str, Briefing]:
    """Return the briefings of the current list's vehicles by key, without empty ones."""
    found = _briefings(plate_keys(ON_SCREENS), None)
    return {key: briefing for key, briefing in found.items() if briefing != Briefing()}


def _briefings(keys: Sequence[str], read: Sequence[str] | None) -> Mapping[str, Briefing]:
    """Return briefings of vehicles; `read` are the keys to read by, None reads of all."""
    readings, notices = upkeep().last_readings(read), upkeep().due_notices(read)
    defects, off_road = upkeep().open_defects(read), upkeep().off_road_since(read)
    bookings = upkeep().bookings(read)
    return {
        key: Briefing(
            readings.get(key),
            notices.get(key, ()),
            off_road.get(key),
            defects.get(key, ()),
            bookings.get(key, ()),
        )
        for key in keys
    }


def take_number(series: Series) -> int:
    """Return the next number of a series, for one row alone.

    It locks the list's version first, as the last release does, whose changes may run meanwhile: in
    another order the two would deadlock.
    """
    lock_version(UPKEEP)
    return next_number(series)


def lock_changeable(row: Any, over: Callable[[Any], str]) -> None:
    """Lock a record with its vehicle; raises Conflict if `over` says why it can't be changed."""
    lock_records([row.reg_key])
    db.session.refresh(row, with_for_update=True)
    if message := over(row):
        raise Conflict(message)


def record_changes(
    kind: EventKind, subject_kind: str, changes: Iterable[ChangedSubject], *, by: int | None
) -> None:
    """Append an event for each change, with days as JSON has them; the list has a new version."""
    recorded = (ChangedSubject(id_, _as_json(old), _as_json(new)) for id_, old, new in changes)
    record_events(kind, subject_kind, recorded, division=Division.FLEET, by=by)
    upkeep_changed()


def record_change(
    kind: EventKind,
    subject_kind: str,
    subject_id: int,
    *,
    before: Values | None = None,
    after: Values | None = None,
    by: int | None,
) -> None:
    """Append the event of one change, as `record_changes` does."""
    record_changes(kind, subject_kind, [ChangedSubject(subject_id, before, after)], by=by)


def _as_json(values: Values | None) -> Values | None:
    days = {name: day.isoformat() for name, day in (values or {}).items() if isinstance(day, date)}
    return {**values, **days} if values else None


_raise_version = partial(increment_version, UPKEEP)


def upkeep_changed() -> None:
    """Give the list of upkeep a new version once, when the transaction ends."""
    run_last(_raise_version, once=True)


def refuse_missing_vehicles(lines: Sequence[Any]) -> Mapping[str, str]:
    """Add an error to each line's `row` whose `reg` is in no list; '' has an error already.

    Returns the registrations as the lists write them, by their keys. The caller has locked the
    upkeep of the vehicles: otherwise one could leave the lists meanwhile and keep the added
    records.
    """
    plates = stored_plates({plate_key(line.reg) for line in lines})
    for line in lines:
        if line.reg and plate_key(line.reg) not in plates:
            line.row.refuse("reg", describe_missing(line.reg))
    return plates
