"""The fields of a defect for forms, JSON and CSV files, and its states; pure."""

import re
from dataclasses import replace

from app.fields import Choice, Day, LabelledEnum, Lines, Text, WholeNumber
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

NOT_ASSESSED = "Not assessed"

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
    none=NOT_ASSESSED,
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
