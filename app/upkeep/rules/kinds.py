"""Kinds and words of upkeep."""

import re
from datetime import date
from enum import StrEnum

from app.dates import format_day, short_day
from app.fields import LabelledEnum
from app.money import format_number


class DefectState(LabelledEnum):
    """The state of a defect; REPAIRED waits for a sign-off."""

    OPEN = "open", "Open"
    ASSESSED = "assessed", "Assessed"
    BOOKED = "booked", "Booked in"
    REPAIRED = "repaired", "To sign off"
    CLOSED = "closed", "Closed"


class Closing(LabelledEnum):
    """Why a defect was closed."""

    REPAIRED = "repaired", "Repaired and signed off"
    NO_FAULT = "no_fault", "No fault found"
    DUPLICATE = "duplicate", "Duplicate"
    ACCEPTED = "accepted", "Accepted"
    VEHICLE_LEFT = "vehicle_left", "Vehicle left"


class OffRoadReason(LabelledEnum):
    """Why a vehicle is off the road."""

    DEFECT = "defect", "Defect"
    ACCIDENT = "accident", "Accident"
    SERVICE = "service", "Service"
    MOT = "mot", "MOT"
    PARTS = "parts", "Waiting for parts"
    SORN = "sorn", "SORN"
    OTHER = "other", "Other"


class DueKind(LabelledEnum):
    """The kind of a due item."""

    MOT = "mot", "MOT"
    TAX = "tax", "Tax"
    INSURANCE = "insurance", "Insurance"
    SERVICE = "service", "Service"
    INSPECTION = "inspection", "Inspection"
    TYRES = "tyres", "Tyres"
    LOLER = "loler", "LOLER"
    TACHO = "tacho", "Tachograph"
    BREAKDOWN = "breakdown", "Breakdown cover"
    WARRANTY = "warranty", "Warranty"
    OTHER = "other", "Other"


class Applies(LabelledEnum):
    """The vehicles that a plan applies to."""

    ALL = "all", "All vehicles"
    CLASSIFICATION = "classification", "A classification"
    VEHICLES = "vehicles", "Chosen vehicles"


class Anchor(LabelledEnum):
    """The base of the next date: the day of the work, or the day when it was due."""

    DONE = "done", "From the day that it was done"
    DUE = "due", "From the day that it was due"


class Blocks(LabelledEnum):
    """The effect of an overdue item on its vehicle."""

    NONE = "none", "Nothing"
    WARN = "warn", "A warning"
    BLOCK = "block", "It keeps the vehicle off the road"


class DoneResult(LabelledEnum):
    """The result of done work."""

    PASS = "pass", "Pass"
    FAIL = "fail", "Fail"
    ADVISORIES = "advisories", "Advisories"


class DueClosing(StrEnum):
    """Why an item that was due is closed."""

    DONE = "done"
    VEHICLE_LEFT = "vehicle_left"
    WITHDRAWN = "withdrawn"


class ReadingSource(LabelledEnum):
    """The source of an odometer reading."""

    CHECK = "check", "Read at a check"
    REPAIR = "repair", "Read at a repair"
    DUE = "due", "Read when an item was done"
    BY_HAND = "by_hand", "Entered by hand"
    IMPORT = "import", "Imported"


class Doubt(LabelledEnum):
    """Why a reading isn't used until somebody accepts it."""

    FELL = "fell", "it fell"
    JUMPED = "jumped", "it rose too fast"


DEFECT_REFERENCE = re.compile(r"\bD-\d{4,9}\b", re.ASCII)
"""The number of a defect in a text, such as 'D-0142'."""

_NEAR_DAYS = 300


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: '1 day', '1,200 miles'."""
    return f"{format_number(number)} {noun}" if number == 1 else f"{format_number(number)} {noun}s"


def near_day(day: date, today: date) -> str:
    """Return a day as '18 Nov', with its year if that is far from today."""
    return short_day(day) if abs((day - today).days) < _NEAR_DAYS else format_day(day)


def weekday(day: date, today: date) -> str:
    """Return a day with its weekday, as 'Mon 23 Nov', and with its year if it isn't this one."""
    return f"{day:%a} {short_day(day) if day.year == today.year else format_day(day)}"
