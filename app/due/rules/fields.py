"""The kinds of due items, their rules, and the fields of items and plans; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from app.defects.rules.fields import GARAGE
from app.errors import Invalid
from app.fields import Choice, Day, LabelledEnum, Text, WholeNumber


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


@dataclass(frozen=True)
class KindRule:
    """The rules of a kind of item.

    `runs_out` chooses 'ran out' instead of 'was due'; `months` is its interval without a plan, None
    if nothing follows by itself; `is_tested` kinds can be failed. `is_legal` kinds are due on a day
    and never at a mileage, and can't be snoozed.
    """

    runs_out: bool = False
    months: int | None = None
    is_legal: bool = False
    is_tested: bool = False
    blocks: Blocks = Blocks.WARN


_LEGAL = KindRule(runs_out=True, months=12, is_legal=True, blocks=Blocks.BLOCK)

KINDS: Mapping[DueKind, KindRule] = dict.fromkeys(DueKind, KindRule()) | {
    DueKind.MOT: replace(_LEGAL, is_tested=True),
    DueKind.TAX: _LEGAL,
    DueKind.INSURANCE: _LEGAL,
    DueKind.INSPECTION: KindRule(is_tested=True, blocks=Blocks.BLOCK),
    DueKind.LOLER: KindRule(is_tested=True, blocks=Blocks.BLOCK),
    DueKind.TACHO: KindRule(is_tested=True),
    DueKind.BREAKDOWN: KindRule(runs_out=True, months=12),
    DueKind.WARRANTY: KindRule(runs_out=True),
}


def blocks_when_overdue(kind: DueKind, by_plan: Blocks | None) -> Blocks:
    """Return an overdue item's effect by its plan, else by its kind."""
    rule = KINDS[kind]
    # No plan weakens MOT, tax and insurance, without which a vehicle may not be used.
    return rule.blocks if by_plan is None or rule.is_legal else by_plan


def check_due(kind: DueKind, due_on: date | None, due_miles: int | None) -> None:
    """Check that an item of a kind is due on a day or at a mileage. Raises Invalid."""
    check_miles(kind, due_miles, "due_miles")
    if due_on is None and KINDS[kind].is_legal:
        raise Invalid("Enter the day on which it runs out.", "due_on")
    if due_on is None and due_miles is None:
        raise Invalid("Enter a day, a mileage, or both.", "due_on")


def check_miles(kind: DueKind, miles: int | None, field: str) -> None:
    """Check that no MOT, tax or insurance is counted in miles. Raises Invalid at a field."""
    if miles is not None and KINDS[kind].is_legal:
        raise Invalid(f"{kind.label} runs out on a day. Leave the miles empty.", field)


def in_sentence(label: str) -> str:
    """Return a label within a sentence: 'Service' as 'service', 'MOT' as it is."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


DAYS_AHEAD = 20 * 366
MAX_LINES = 2000
MAX_SNOOZE_DAYS = 30

LABEL = Text(name="label", label="Name", limit=100, example="8-weekly inspection")
DUE_ON = Day(name="due_on", days_ahead=DAYS_AHEAD, example="2027-01-03")
DUE_MILES = WholeNumber(name="due_miles", label="Due at (miles)", what="Mileage", example=60_000)
KIND = Choice(name="kind", kind=DueKind, required="Choose a kind.", example="inspection")
CERTIFICATE = Text(name="certificate_number", limit=60, example="1234 5678 9012")
DONE_BY = Text(label="Done by", limit=GARAGE.limit, example="Northgate Garage")
REASON = Text(name="reason", limit=200, required="Reason is required.", example="Booked")
UNTIL = Day(
    name="until",
    label="Quiet until",
    required="Day is required.",
    days_ahead=DAYS_AHEAD,
    example="2026-02-01",
)
