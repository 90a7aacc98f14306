"""The fields of items, done work, plans and readings, for forms and JSON bodies."""

from app.fields import Choice, Day, Lines, Text, WholeNumber
from app.upkeep.rules.defect_fields import GARAGE
from app.upkeep.rules.kinds import DueKind

DAYS_AHEAD = 20 * 366
MAX_LINES = 2000

LABEL = Text(name="label", label="Name", limit=100, example="8-weekly inspection")
DUE_ON = Day(
    name="due_on", json="dueOn", label="Due on", days_ahead=DAYS_AHEAD, example="2027-01-03"
)
DUE_MILES = WholeNumber(
    name="due_miles", json="dueMiles", label="Due at (miles)", what="Mileage", example=60_000
)
REGISTERED_ON = Day(name="registered_on", label="First registered on")
UNTIL = Day(
    name="until",
    label="Quiet until",
    required="Day is required.",
    days_ahead=DAYS_AHEAD,
    example="2026-02-01",
)
REASON = Text(
    name="reason", label="Reason", limit=200, required="Reason is required.", example="Booked"
)
CERTIFICATE = Text(
    name="certificate_number",
    json="certificateNumber",
    label="Certificate number",
    limit=60,
    example="1234 5678 9012",
)
DONE_BY = Text(label="Done by", limit=GARAGE.limit, example="Northgate Garage")
DEFECT_LINES = Lines(name="defects", label="Advisories or failures, one a line", limit=MAX_LINES)

PLAN_LABEL = Text(
    name="label", label="Name", limit=100, required="Name is required.", example="MOT"
)
CLASSIFICATION = Text(name="classification", label="Classification", limit=60, example="Van")
KIND = Choice(
    name="kind", label="Kind", kind=DueKind, required="Choose a kind.", example="inspection"
)

READ_ON = Day(name="day", label="Day", required="Day is required.", example="2026-01-15")
MILES = WholeNumber(name="miles", label="Mileage", required="Mileage is required.", example=48_210)
VOID_REASON = Text(
    name="reason", label="Reason", limit=200, required="Reason is required.", example="Typing error"
)
