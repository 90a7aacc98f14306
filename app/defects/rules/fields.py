"""The fields of defects and repairs, their states, and the checks of a repair; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.dates import near_day
from app.divisions import Store
from app.errors import Invalid
from app.fields import Choice, Day, Flag, LabelledEnum, Lines, Pounds, Text, WholeNumber, attribute
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Severity
from app.money import MAX_AMOUNT


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


DEFECT_REFERENCE = re.compile(r"\bD-\d{4,9}\b", re.ASCII)
"""The number of a defect in a text, such as 'D-0142'."""

MAX_ACCEPTED_DAYS = 366
"""How many days ahead a defect can be accepted."""

MAX_TEXT_LENGTH = 2000
"""The most characters of a detail, a note or a reason."""

CHOSEN_CLOSINGS = (Closing.NO_FAULT, Closing.DUPLICATE, Closing.ACCEPTED)
"""How a manager closes a defect without a repair; a sign-off closes a repaired one."""

PART = Text(
    name="part",
    limit=80,
    required="Which part is it?",
    example="Mirrors",
    description="What a check form calls it; a part of a vehicle has one open defect",
)

TITLE = Text(
    name="title",
    label="What is wrong",
    limit=MAX_TITLE_LENGTH,
    required="What is wrong with it?",
    example="Nearside mirror cracked",
)

SEVERITY = Choice(
    name="severity",
    label="How bad is it?",
    kind=Severity,
    offered=(Severity.STOP, Severity.REPAIR, Severity.ADVISORY),
    none="Not assessed",
    refusal="Choose how bad it is from the list.",
    example="repair",
)

DETAIL = Lines(name="detail", limit=MAX_TEXT_LENGTH, example="Glass loose, still usable")
DAY = Day(name="day", label="Seen on", example="2026-01-15")
ODOMETER = WholeNumber(name="odometer", label="Mileage", maximum=MAX_AMOUNT, example=47604)
GARAGE = Text(name="garage", limit=120, example="Kwik-Fix Guildford")
BOOKED_FOR = Day(name="booked_for", label="Day", days_ahead=2 * 366, example="2026-01-20")
NOTE = Lines(name="note", limit=MAX_TEXT_LENGTH, example="Ask for the heated glass.")
NOTE_TEXT = replace(NOTE, name="text", json="text", example="The glass is ordered.")
REASON = Lines(name="reason", limit=MAX_TEXT_LENGTH, example="Only dirt on the glass.")

CLOSING = Choice(
    name="closing",
    label="How does it close?",
    kind=Closing,
    offered=CHOSEN_CLOSINGS,
    refusal="Choose how it closes.",
    example="no_fault",
)

ACCEPTED_UNTIL = Day(name="accepted_until", days_ahead=MAX_ACCEPTED_DAYS, example="2026-06-30")

UNBOOKED = (DefectState.OPEN, DefectState.ASSESSED)
"""The states of a defect before its booking; lists name both of them open."""

TABS = tuple(state for state in DefectState if state is not DefectState.ASSESSED)
"""The parts of the list of defects, by their states."""

MAX_PARTS = 20

INVOICE_NUMBER = Text(label="Invoice number", limit=60, example="KF-20417")

WARRANTY_MILES = WholeNumber(
    label="Warranty until mileage",
    example=60000,
    description="The mileage at which the warranty ends",
)


@dataclass(frozen=True)
class StockPart:
    """A quantity of an item that a repair takes from a store, by the item's name."""

    store: Store
    item: str
    quantity: int


@dataclass(frozen=True, kw_only=True)
class RepairValues:
    """A repair as it is recorded; `defects` are the numbers of the mended ones."""

    reg: str
    defects: Sequence[int] = ()
    started_on: date | None = attribute(Day(example="2026-01-14"))
    finished_on: date = attribute(
        Day(label="Done on", required="Please pick the day it was done.", example="2026-01-15")
    )
    odometer: int | None = attribute(
        WholeNumber(label="Mileage", example=48210, description="Miles")
    )
    garage: str = attribute(GARAGE)
    invoice_number: str = attribute(INVOICE_NUMBER)
    labour: int = attribute(Pounds(default=0, example=35.0))
    parts: int = attribute(Pounds(default=0, example=48.6, description="Bought ones"))
    other: int = attribute(Pounds(default=0, example=0.0))
    warranty_until: date | None = attribute(Day(days_ahead=20 * 366, example="2027-01-15"))
    warranty_miles: int | None = attribute(WARRANTY_MILES)
    note: str = attribute(Lines(limit=2000, example="Mirror glass replaced"))
    includes_vat: bool = attribute(Flag(label="These amounts include VAT", example=True))
    stock_parts: Sequence[StockPart] = ()


def check_repair(values: RepairValues) -> None:
    """Check the values of a repair; raises Invalid."""
    cost = values.labour or values.parts or values.other or values.stock_parts
    if not (values.defects or cost or values.note):
        raise Invalid("Tick what was repaired, or enter a cost or a note.", "note")
    if values.started_on and values.started_on > values.finished_on:
        raise Invalid("It can't be done before it was started.", "started_on")
    if values.warranty_until and values.warranty_until < values.finished_on:
        raise Invalid("The warranty can't end before the repair is done.", "warranty_until")
    until, odometer, label = values.warranty_miles, values.odometer, WARRANTY_MILES.label
    if until is not None and odometer is not None and until <= odometer:
        raise Invalid(f"{label} must be above the mileage of the repair.", "warranty_miles")
    if len(values.stock_parts) > MAX_PARTS:
        raise Invalid(f"A repair takes up to {MAX_PARTS} parts from stock.", "stock_parts")


def check_seen_by(finished_on: date, reference: str, seen_on: date, today: date) -> None:
    """Check that a defect was seen by the day on which it was mended; raises Invalid."""
    if finished_on < seen_on:
        day = near_day(seen_on, today)
        raise Invalid(f"{reference} was seen on {day}. Enter a day from then on.", "finished_on")
