"""What is free: lists, timeline and refusals are made of `Occupancy`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, literal_column, or_, select

from app import dates, names
from app.assets.models import Asset
from app.bookings.models import Bookable, Booking, BookingLimits
from app.bookings.rules import (
    NO_SHOW_AFTER,
    OCCUPYING,
    BookingKind,
    BookingRule,
    BookingState,
    Obstacle,
    TimeSpan,
    most_units,
)
from app.db import db
from app.defects.models import OffRoad
from app.defects.queries.off_road import current_times, objections_to
from app.defects.rules.off_road import Objection, join_reasons
from app.due.queries.due import DueRow, items_of, may_block
from app.due.rules.fields import KINDS, in_sentence
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import IN_LISTS, ON_SCREENS
from app.lists import grouped, rows_with

# Written out, since the engines compare it with the condition of the index.
IS_OCCUPYING = Booking.state.in_([literal_column(f"'{state}'") for state in OCCUPYING])


@dataclass(frozen=True)
class BookingSubject:
    """A thing that may be booked: `units` of it, by its key, and its registration or id.

    `class_name` is a vehicle's classification, and the item of equipment.
    """

    kind: BookingKind
    key: str
    name: str
    class_name: str = ""
    units: int = 1
    is_bookable: bool = True

    @property
    def class_key(self) -> str:
        """Return the key of its class."""
        return names.key(self.class_name)

    @property
    def label(self) -> str:
        """Return how people call it."""
        is_vehicle = self.kind is BookingKind.VEHICLE
        return self.name if is_vehicle else f"{self.class_name} ({self.name})"


def subjects(kind: BookingKind, *where: ColumnElement[bool]) -> Mapping[str, BookingSubject]:
    """Return the listed vehicles or the assets that meet conditions, by key in its order."""
    found: dict[str, BookingSubject] = {}
    for row in db.session.execute(_SUBJECTS[kind].where(*where)):
        is_bookable = kind is BookingKind.VEHICLE if row.is_bookable is None else row.is_bookable
        subject = BookingSubject(kind, row.key, row.name, row.class_name, row.units, is_bookable)
        found.setdefault(row.key, subject)
    return found


def _columns(kind: BookingKind, key: Any, name: Any, class_name: Any, units: Any) -> Select[Any]:
    decides = and_(Bookable.kind == kind, Bookable.subject_key == key)
    columns = {"key": key, "name": name, "class_name": class_name, "units": units}
    named = [column.label(each) for each, column in columns.items()]
    statement = select(*named, Bookable.is_bookable)
    return statement.outerjoin_from(key.class_, Bookable, decides)


_SUBJECTS = {
    BookingKind.VEHICLE: _columns(
        BookingKind.VEHICLE, Vehicle.reg_key, Vehicle.reg, Vehicle.classification, literal(1)
    )
    .where(IN_LISTS)
    .order_by(Vehicle.reg_key, Vehicle.id),
    BookingKind.ASSET: _columns(
        BookingKind.ASSET, Asset.asset_key, Asset.asset_id, Asset.item, Asset.quantity
    ).order_by(Asset.item_key, Asset.asset_key),
}


def with_keys(kind: BookingKind, keys: Collection[str]) -> Mapping[str, BookingSubject]:
    """Return the subjects with these keys."""
    column = Vehicle.reg_key if kind is BookingKind.VEHICLE else Asset.asset_key
    return subjects(kind, column.in_(keys))


def of_class(class_name: str) -> Mapping[str, BookingSubject]:
    """Return the vehicles of a class on the screens that can be booked."""
    found = subjects(BookingKind.VEHICLE, ON_SCREENS, Vehicle.classification > "")
    key = names.key(class_name)
    return {each.key: each for each in found.values() if each.is_bookable and each.class_key == key}


def rule_of(kind: BookingKind, class_name: str = "") -> BookingRule:
    """Return the rule of a class of a kind, or of the kind itself; a session reads all once."""
    limits = db.session.info.get(_LIMITS)
    if limits is None:
        columns = (BookingLimits.buffer_minutes, BookingLimits.longest_hours)
        key = (BookingLimits.kind, BookingLimits.class_key)
        rows = db.session.execute(select(*key, *columns, BookingLimits.ahead_days))
        limits = {(of, class_key): BookingRule(*values) for of, class_key, *values in rows}
        db.session.info[_LIMITS] = limits
    keys = ((kind.value, names.key(class_name)), (kind.value, ""), ("", ""))
    return next((limits[key] for key in keys if key in limits), BookingRule())


_LIMITS = "limits of bookings"


def is_given_up(booking: Booking, now: datetime) -> bool:
    """Return whether nobody took a booking in time, so that its time is free."""
    return booking.state is BookingState.RESERVED and booking.starts_at + NO_SHOW_AFTER <= now


def is_late(booking: Booking, now: datetime) -> bool:
    """Return whether a booking is out past its end."""
    return booking.state is BookingState.OUT and booking.ends_at <= now


def occupied_period(booking: Booking, now: datetime) -> TimeSpan:
    """Return the time that a booking occupies: one that is late also the rest of today."""
    if not is_late(booking, now):
        return booking.period
    return TimeSpan(booking.starts_at, dates.end_of_day(dates.london_day(now)))


def occupying(kind: BookingKind, keys: Collection[str], period: TimeSpan) -> Iterator[Booking]:
    """Yield the bookings that may occupy time of a period, even if nobody took them, in order."""
    is_out = Booking.state == BookingState.OUT
    overlaps = (Booking.starts_at < period.end, or_(Booking.ends_at > period.start, is_out))
    statement = (
        select(Booking)
        .where(Booking.kind == kind, IS_OCCUPYING, *overlaps)
        .execution_options(populate_existing=True)
    )
    rows = (row for (row,) in rows_with(statement, Booking.subject_key, keys))
    # SQLite would read all bookings to have them in order.
    yield from sorted(rows, key=attrgetter("starts_at"))


class Occupancy:
    """What occupies subjects of one kind in a period and keeps them from use, read once.

    It answers for all times within the period. The buffer of each subject's class follows each
    booking. `bookings` are the bookings that count, `given_up` the ones that nobody took in time;
    both by subject.
    """

    def __init__(
        self, found: Mapping[str, BookingSubject], period: TimeSpan, now: datetime
    ) -> None:
        self.subjects, self.now = found, now
        self._kind = next((each.kind for each in found.values()), BookingKind.VEHICLE)
        self._vehicles = list(found) if self._kind is BookingKind.VEHICLE else []
        self._times = current_times(self._vehicles) if self._vehicles else {}
        self._stops = objections_to(self._vehicles, {}) if self._vehicles else {}
        self._read(period)

    def _read(self, period: TimeSpan) -> None:
        found, now = self.subjects, self.now
        classes = {each.class_name for each in found.values()}
        widest = max((rule_of(self._kind, name).buffer for name in classes), default=timedelta())
        around = TimeSpan(period.start - widest, period.end + widest)
        rows = [*occupying(self._kind, found, around)]
        self.bookings = grouped((r.subject_key, r) for r in rows if not is_given_up(r, now))
        self.given_up = grouped((r.subject_key, r) for r in rows if is_given_up(r, now))
        self._due = grouped(
            (key, row)
            for row in items_of(self._vehicles, period.last_day, condition=may_block)
            if row.standing.objection
            for key in row.vehicles.keys() & found.keys()
        )

    def can_have(self, period: TimeSpan) -> Mapping[str, tuple[Sequence[Obstacle], bool]]:
        """Return what is in the way of each subject, and whether it can be had all the same.

        It can if each booking in the way, of a class alone, can move to another vehicle of it.
        """
        found = {key: self.obstacles(key, period) for key in self.subjects}
        spans = [each.booking.period for some in found.values() for each in some if each.is_movable]
        if spans:
            starts, ends = [span.start for span in spans], [span.end for span in spans]
            self._read(TimeSpan(min(period.start, *starts), max(period.end, *ends)))
        return {
            key: (some, all(each.is_movable and self._can_move(each.booking) for each in some))
            for key, some in found.items()
        }

    def _can_move(self, booking: Booking) -> bool:
        return any(
            not self.obstacles(key, booking.period, but=[booking.id])
            for key, each in self.subjects.items()
            if key != booking.subject_key and each.class_key == names.key(booking.class_name)
        )

    def obstacles(
        self, key: str, period: TimeSpan, *, units: int = 1, but: Collection[int] = ()
    ) -> Sequence[Obstacle]:
        """Return what keeps a subject from being free in a period, () for nothing.

        `but` are the ids of bookings that don't count, `units` how many are to be booked.
        """
        subject = self.subjects[key]
        if not subject.is_bookable:
            return [Obstacle("isn't for booking")]
        rows = [row for row in self.bookings.get(key, ()) if row.id not in but]
        return [*self.facts(key, period), *self._in_the_way(subject, rows, period, units)]

    def facts(self, key: str, period: TimeSpan) -> Sequence[Obstacle]:
        """Return what keeps a vehicle off the road in a period."""
        today, time = dates.london_day(self.now), self._times.get(key)
        overdue = (row for row in self._due.get(key, ()) if _is_overdue(row, period.last_day))
        objections = [*self._stops.get(key, ()), *(_ending(row, period, today) for row in overdue)]
        is_off = time is not None and not _is_back_before(time, period, today)
        text = "is off the road" if is_off else "isn't free"
        if objections:
            text = f"{text}: {join_reasons([each.text for each in objections])}"
        elif time and time.expected_back:
            was = "was " if time.expected_back < today else ""
            text = f"{text}, {was}expected back on {dates.near_day(time.expected_back, today)}"
        return [Obstacle(text)] if is_off or objections else []

    def free(self, period: TimeSpan, *, but: Collection[int] = ()) -> Sequence[BookingSubject]:
        """Return the free subjects, the one whose gap fits best first."""
        free = [
            each for key, each in self.subjects.items() if not self.obstacles(key, period, but=but)
        ]
        gaps = _gaps([each.key for each in free], period) if len(free) > 1 else {}
        return sorted(free, key=lambda each: (gaps.get(each.key, timedelta()), each.key))

    def _in_the_way(
        self, subject: BookingSubject, bookings: Sequence[Booking], period: TimeSpan, units: int
    ) -> Iterator[Obstacle]:
        buffer, now = rule_of(subject.kind, subject.class_name).buffer, self.now
        requested = period.extended(buffer)
        occupied = [(row, occupied_period(row, now).extended(buffer)) for row in bookings]
        taken = [(row, period) for row, period in occupied if period.overlaps(requested)]
        most = most_units(((period, row.units) for row, period in taken), requested)
        if most + units <= subject.units:
            return
        for row, period in taken:
            text = f"is {row.for_name}'s {row.period.describe(now)} ({row.reference})"
            until: datetime | None = period.end
            if is_late(row, now):
                text, until = f"is late: {row.for_name} still has it ({row.reference})", None
            elif subject.units > 1:
                text = f"has {subject.units - most} free then, of {subject.units} ({row.reference})"
            is_movable = bool(row.class_name) and row.state is BookingState.RESERVED
            yield Obstacle(text, until, row, is_movable)


def _is_back_before(time: OffRoad, period: TimeSpan, today: date) -> bool:
    back = time.expected_back
    return back is not None and today <= back < dates.london_day(period.start)


def _is_overdue(row: DueRow, day: date) -> bool:
    ends_on, miles_left = row.standing.ended_on, row.standing.miles_left
    return ends_on is None or ends_on < day or (miles_left is not None and miles_left < 0)


def _ending(row: DueRow, period: TimeSpan, today: date) -> Objection:
    ends_on, kind = row.standing.ended_on, row.terms.kind
    if ends_on is None or ends_on < today:
        return Objection(row.standing.objection, kind=kind)
    verb = "runs out" if KINDS[kind].runs_out else "is due"
    day, label = dates.near_day(ends_on, today), in_sentence(row.terms.label)
    where = "before" if ends_on < dates.london_day(period.start) else "inside"
    return Objection(f"its {label} {verb} on {day}, {where} your booking", kind=kind)


def _gaps(keys: Collection[str], period: TimeSpan) -> Mapping[str, timedelta]:
    before = func.max(case((Booking.ends_at <= period.start, Booking.ends_at)))
    after = func.min(case((Booking.starts_at >= period.end, Booking.starts_at)))
    statement = (
        select(Booking.subject_key, before, after)
        .where(Booking.kind == BookingKind.VEHICLE, IS_OCCUPYING)
        .group_by(Booking.subject_key)
    )
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    around = rows_with(statement, Booking.subject_key, keys)
    gaps = {key: (end or last) - (start or first) for key, start, end in around}
    return {key: gaps.get(key, last - first) for key in keys}
