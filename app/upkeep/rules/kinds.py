"""The words of upkeep that tables hold: how bad, in which state, why, and of which kind."""

from enum import StrEnum


class DefectState(StrEnum):
    """Where a defect stands; REPAIRED waits for a sign-off."""

    OPEN = "open"
    ASSESSED = "assessed"
    BOOKED = "booked"
    REPAIRED = "repaired"
    CLOSED = "closed"


class Closing(StrEnum):
    """Why a defect was closed."""

    REPAIRED = "repaired"
    NO_FAULT = "no_fault"
    DUPLICATE = "duplicate"
    ACCEPTED = "accepted"
    VEHICLE_LEFT = "vehicle_left"


class OffRoadReason(StrEnum):
    """Why a vehicle is off the road."""

    DEFECT = "defect"
    ACCIDENT = "accident"
    SERVICE = "service"
    MOT = "mot"
    PARTS = "parts"
    SORN = "sorn"
    OTHER = "other"


class DueKind(StrEnum):
    """What is due."""

    MOT = "mot"
    TAX = "tax"
    INSURANCE = "insurance"
    SERVICE = "service"
    INSPECTION = "inspection"
    TYRES = "tyres"
    LOLER = "loler"
    TACHO = "tacho"
    BREAKDOWN = "breakdown"
    WARRANTY = "warranty"
    OTHER = "other"


class Applies(StrEnum):
    """The vehicles that a plan applies to."""

    ALL = "all"
    CLASSIFICATION = "classification"
    VEHICLES = "vehicles"


class Anchor(StrEnum):
    """From which day the next date is counted: when it was done, or when it was due."""

    DONE = "done"
    DUE = "due"


class Blocks(StrEnum):
    """What an overdue item does to its vehicle."""

    NONE = "none"
    WARN = "warn"
    BLOCK = "block"


class DoneResult(StrEnum):
    """The result of what was done."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    ADVISORIES = "advisories"


class DueClosing(StrEnum):
    """Why an item that was due is closed."""

    DONE = "done"
    VEHICLE_LEFT = "vehicle_left"
    WITHDRAWN = "withdrawn"


class ReadingSource(StrEnum):
    """Where an odometer reading comes from."""

    CHECK = "check"
    REPAIR = "repair"
    DUE = "due"
    BY_HAND = "by_hand"
    IMPORT = "import"


class Doubt(StrEnum):
    """Why a reading isn't used until somebody accepts it."""

    FELL = "fell"
    JUMPED = "jumped"
