"""The findings of a check about its vehicle, and the open defects known before; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from app import dates, names
from app.fields import LabelledEnum
from app.reference_numbers import ReferenceNumber, Series

MAX_TITLE_LENGTH = 160
"""The most characters of a defect's title, and of its part."""

STOP = "Stop: "
"""The beginning of a sentence that takes a vehicle off the road."""


class Severity(LabelledEnum):
    """How bad a defect is; `STOP` takes its vehicle off the road."""

    ADVISORY = "advisory", "Advisory"
    REPAIR = "repair", "Repair", "warn"
    STOP = "stop", "Stop", "bad"


class SightingAnswer(LabelledEnum):
    """A driver's answer to 'Still there?'."""

    YES = "yes", "Yes"
    WORSE = "worse", "Worse"
    ABSENT = "gone", "Gone"


class DriveReason(LabelledEnum):
    """Why a vehicle is driven while it is off the road; `UNANSWERED` without an answer."""

    GARAGE = "garage", "To the garage"
    TEST = "test", "To a test"
    OTHER = "other", "Other"
    UNANSWERED = "not_said", "Not said"

    @property
    def sentence(self) -> str:
        """Return it as a check shows it."""
        return f"Driven while off the road: {self.label.lower()}"


DRIVE_REASON = "driveReason"
"""The name of that answer in JSON and in forms."""


class HandoverStep(LabelledEnum):
    """The step of a booking that a check takes: its vehicle is handed over, or comes back."""

    OUT = "out", "Handover"
    BACK = "back", "Return"


@dataclass(frozen=True)
class BookingStep:
    """The step that a check takes in the booking with a number."""

    number: int
    step: HandoverStep

    @property
    def reference(self) -> str:
        """Return the number of the booking as people say it."""
        return str(ReferenceNumber(Series.BOOKING, self.number))


@dataclass(frozen=True)
class VehicleBooking(BookingStep):
    """A booking of a vehicle, with the step that a check can take next."""

    for_name: str
    starts_at: datetime
    ends_at: datetime

    @property
    def label(self) -> str:
        """Return it as a choice, such as 'Handover of B-0031 (k.lee, 9:00 to 12:00)'."""
        start, end = (_time_of(at, dates.today()) for at in (self.starts_at, self.ends_at))
        return f"{self.step.label} of {self.reference} ({self.for_name}, {start} to {end})"


def _time_of(at: datetime, today: date) -> str:
    day, time = dates.london_day(at), dates.short_time(at)
    return time if day == today else f"{dates.near_day(day, today)} {time}"


BOOKING, STEP = "booking", "step"
"""The names of the two in forms and in addresses of the check form."""


@dataclass(frozen=True)
class Failure:
    """An answer that fails: a part, its value, and how bad that is, None for not assessed."""

    part: str
    value: str
    severity: Severity | None

    @property
    def defect_part(self) -> str:
        """Return the part of its defect; a text that nobody has assessed is a part of its own."""
        return self.part if self.severity else self.title

    @property
    def title(self) -> str:
        """Return the title of its defect: the text, cut if it is too long."""
        return names.truncate(self.text, MAX_TITLE_LENGTH - 1)

    @property
    def text(self) -> str:
        """Return it as people read it, such as 'Brakes: fail'."""
        is_word = self.value[1:2].islower() or len(self.value) == 1
        value = self.value[:1].lower() + self.value[1:] if is_word else self.value
        return f"{self.part}: {value}"


@dataclass(frozen=True)
class Findings:
    """The findings of a check: its failures, and the answers about known defects by their numbers.

    `parts` are the parts of the answered defects, `booking` is the step of one that it takes.
    """

    failures: Sequence[Failure] = ()
    answers: Mapping[int, SightingAnswer] = field(default_factory=dict)
    parts: Mapping[int, str] = field(default_factory=dict)
    booking: BookingStep | None = None


@dataclass(frozen=True)
class AnsweredDefects:
    """The parts of the defects in a check's answers by number, and the answers left out."""

    parts: Mapping[int, str]
    ignored: Sequence[str] = ()


@dataclass(frozen=True)
class OpenDefect:
    """An open defect of a vehicle as the check form shows it.

    `reference` is 'D-0142', `part` the reported field, `standing` its state: 'booked in for Mon 23
    Nov'.
    """

    number: int
    reference: str
    part: str
    title: str
    since: date
    severity: Severity | None
    standing: str


@dataclass(frozen=True)
class Standing:
    """Whether a vehicle may be used, and since when it is off the road, in sentences and days."""

    is_roadworthy: bool = True
    reasons: Sequence[str] = ()
    off_road_since: date | None = None
    open_defects: int = 0


class LastReading(Protocol):
    """The last accepted odometer reading of a vehicle, in miles, and its day."""

    miles: Any
    day: Any
