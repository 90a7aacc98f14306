"""What can be booked and when, and the texts of bookings; pure. docs/domain.md, Bookings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import accumulate
from typing import Any

from app import dates
from app.dates import LONDON
from app.divisions import Division
from app.errors import Conflict, ErrorCode, Invalid
from app.fields import LabelledEnum, Lines, Text, WholeNumber, attribute
from app.fleet.rules.vehicles import CLASSIFICATION
from app.money import count_of

NO_SHOW_AFTER = timedelta(minutes=60)
"""How long after its start a booking that nobody takes keeps its time."""

EARLIEST_HANDOVER = timedelta(minutes=60)
"""How long before its start a booking can be handed over."""

BACKDATED = timedelta(minutes=15)
SHORTEST = timedelta(minutes=15)

NEXT_DAYS = timedelta(days=14)
"""The bookings that a vehicle off the road flags begin within this time."""

SUBJECT = "booking"
"""The subject of a booking's events."""


class BookingState(LabelledEnum):
    """How far a booking is; one past its end that is out is late."""

    RESERVED = "reserved", "Reserved"
    OUT = "out", "Out", "warn"
    BACK = "back", "Back", "ok"
    CANCELLED = "cancelled", "Cancelled"
    NO_SHOW = "no_show", "Not taken"


OCCUPYING = (BookingState.RESERVED, BookingState.OUT)
"""The states of the bookings that occupy their time."""


class BookingKind(LabelledEnum):
    """The kinds of things that are booked."""

    VEHICLE = "vehicle", "Vehicle"
    ASSET = "asset", "Equipment"


OWNERS: Mapping[BookingKind, Sequence[Division]] = {
    BookingKind.VEHICLE: (Division.FLEET, Division.GPM),
    BookingKind.ASSET: (Division.ASSETS,),
}
"""The divisions whose people book a kind of things."""


class Condition(LabelledEnum):
    """How equipment comes back."""

    FINE = "fine", "Fine", "ok"
    DAMAGED = "damaged", "Damaged", "bad"
    LOST = "lost", "Lost", "bad"


PURPOSE = Text(name="purpose", limit=200, example="Tools to the Guildford site")
FOR_NAME = Text(name="for_name", json="for", label="For", limit=80, example="Kitchen team")
REASON = Lines(name="reason", limit=500, example="The phone was empty", required="Give the reason.")
UNITS = WholeNumber(name="units", label="How many", minimum=1, default=1, example=1)
CLASS = replace(CLASSIFICATION, name="class_name", json="class", label="Class", example="Van")
SUBJECT_LABEL = Text(limit=200)
MILES = WholeNumber(name="odometer", label="Mileage", default=None, example=48210)


@dataclass(frozen=True)
class TimeSpan:
    """A time from a moment until another, which isn't part of it; both are full minutes in UTC."""

    start: datetime
    end: datetime

    def overlaps(self, other: "TimeSpan") -> bool:
        """Return whether some moment is in both; periods that touch have none."""
        return self.start < other.end and other.start < self.end

    def extended(self, by: timedelta) -> "TimeSpan":
        """Return the period with some time after it."""
        return TimeSpan(self.start, self.end + by)

    @property
    def last_day(self) -> date:
        """Return its last London day."""
        return dates.london_day(self.end - timedelta(microseconds=1))

    def describe(self, now: datetime) -> str:
        """Return it as in 'from Tue 9:00 to 12:00'."""
        return f"from {describe_moment(self.start, now)} to {self.describe_later(self.end, now)}"

    def describe_later(self, at: datetime, now: datetime) -> str:
        """Return a moment as '12:00', with its day if that isn't the day on which it starts."""
        is_same_day = dates.london_day(at) == dates.london_day(self.start)
        return dates.short_time(at) if is_same_day else describe_moment(at, now)


def describe_moment(at: datetime, now: datetime) -> str:
    """Return a moment as 'today 9:00', 'Tue 9:00' or, six days away, 'Tue 8 Dec 9:00'."""
    day, today = dates.london_day(at), dates.london_day(now)
    if day == today:
        return f"today {dates.short_time(at)}"
    named = f"{day:%a}" if 0 < (day - today).days < 7 else dates.weekday(day, today)
    return f"{named} {dates.short_time(at)}"


@dataclass(frozen=True)
class BookingRule:
    """The limits of bookings of a kind and class."""

    buffer_minutes: int = 0
    longest_hours: int = 336
    ahead_days: int = 366

    @property
    def buffer(self) -> timedelta:
        """Return the time that stays free between two bookings."""
        return timedelta(minutes=self.buffer_minutes)

    def check(self, period: TimeSpan, now: datetime, *, has_begun: bool = False) -> None:
        """Raise Invalid unless a period may be booked; one that `has_begun` keeps its start."""
        length = period.end - period.start
        if length <= timedelta():
            raise Invalid("It must end after it begins.", "to")
        if length < SHORTEST:
            raise Invalid("At least 15 minutes.", "to")
        if length > timedelta(hours=self.longest_hours):
            days, hours = divmod(self.longest_hours, 24)
            limit = count_of(self.longest_hours, "hour") if hours else count_of(days, "day")
            raise Invalid(f"At most {limit}.", "to")
        if period.start > now + timedelta(days=self.ahead_days):
            raise Invalid(f"At most {count_of(self.ahead_days, 'day')} ahead.", "from")
        if not has_begun and period.start < now - BACKDATED:
            raise Invalid("It has begun already. Book from now.", "from")


class ComesTwice(Invalid):
    """A London time comes twice on the night on which the clocks go back."""

    message = "This time comes twice that night. Choose the first or the second."


def parse_time(text: str, turn: str = "") -> datetime:
    """Return the moment of a London time such as '2026-11-24T09:00', or of one with an offset.

    Of a time that comes twice, `turn` is 'first' or 'second'. Raises Invalid, ComesTwice without a
    turn.
    """
    stripped = text.strip()
    try:
        moment = datetime.fromisoformat(stripped)
    except ValueError:
        moment = None
    if moment is None or len(stripped) < len("2026-11-24T09:00") or moment.second:
        raise Invalid(f'"{stripped[:40]}" is not a day and time such as 2026-11-24T09:00.')
    if not 2000 <= moment.year <= 2200:
        raise Invalid("Choose a year from 2000 to 2200.")
    moment = moment.replace(microsecond=0)
    if moment.tzinfo:
        return moment.astimezone(UTC)
    first, second = (moment.replace(tzinfo=LONDON, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    # In a gap the earlier offset gives the later moment.
    if first > second:
        raise Invalid(f"The clocks go from {moment.hour}:00 to {moment.hour + 1}:00 then.")
    if turn not in ("first", "second"):
        raise ComesTwice
    return first if turn == "first" else second


@dataclass(frozen=True)
class BookingRequest:
    """A thing to book: a subject by its key, as typed, or some vehicle of a class."""

    kind: BookingKind
    period: TimeSpan
    subject_key: str = ""
    class_name: str = attribute(CLASS)
    units: int = attribute(UNITS)
    for_name: str = attribute(FOR_NAME)
    purpose: str = attribute(PURPOSE)
    subject: str = ""


def most_units(occupied: Iterable[tuple[TimeSpan, int]], period: TimeSpan) -> int:
    """Return the most units that are occupied at a moment of a period, each for some time."""
    changes = sorted(
        change
        for span, units in occupied
        if span.overlaps(period)
        for change in ((span.start, units), (span.end, -units))
    )
    return max(accumulate(units for _, units in changes), default=0)


MAX_FREE = 5
"""How many free vehicles a refusal names."""


@dataclass(frozen=True)
class Obstacle:
    """Something that keeps a subject from being free: a booking, or a fact about the subject.

    `text` follows the subject's name. The subject is free again at `until`, None if that isn't
    known. A booking that is movable may have another vehicle of its class.
    """

    text: str
    until: datetime | None = None
    booking: Any = None
    is_movable: bool = False


def free_from(obstacles: Sequence[Obstacle]) -> datetime | None:
    """Return when a subject is free again, None if it is free or that isn't known."""
    until = [each.until for each in obstacles if each.until]
    return max(until) if until and len(until) == len(obstacles) else None


class Taken(Conflict):
    """A subject isn't free in a period; `free` are the vehicles of its class that are."""

    code = ErrorCode.BOOKED

    def __init__(
        self,
        subject: str,
        obstacles: Sequence[Obstacle],
        free: Sequence[str],
        period: TimeSpan,
        now: datetime,
    ) -> None:
        offers = [", ".join(free[:MAX_FREE])] if free else []
        if until := free_from(obstacles):
            offers.append(f"from {period.describe_later(until, now)} this one")
        offered = f" Free: {'; '.join(offers)}." if offers else ""
        super().__init__(f"{subject} {obstacles[0].text}.{offered}")
        bookings = [each.booking for each in obstacles if each.booking]
        self.details = {
            "conflicts": [
                {
                    "number": each.reference,
                    "from": f"{each.starts_at:%Y-%m-%dT%H:%M:%SZ}",
                    "to": f"{each.ends_at:%Y-%m-%dT%H:%M:%SZ}",
                }
                for each in bookings
            ],
            "free": list(free[:MAX_FREE]),
        }
