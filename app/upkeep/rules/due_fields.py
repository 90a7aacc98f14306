"""The fields of items, of what was done, of plans and of readings, for forms and JSON bodies."""

from app.fields import Day, Lines, Pounds, Text, WholeNumber

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
DONE_ON = Day(
    name="done_on",
    json="doneOn",
    label="Done on",
    required="Day is required.",
    example="2026-01-15",
)
DONE_MILES = WholeNumber(
    name="done_miles", json="doneMiles", label="Mileage", what="Mileage", example=48_210
)
NEXT_ON = Day(
    name="next_due_on",
    json="nextDueOn",
    label="Next due on",
    days_ahead=DAYS_AHEAD,
    example="2027-01-03",
)
NEXT_MILES = WholeNumber(
    name="next_due_miles",
    json="nextDueMiles",
    label="Next due at (miles)",
    what="Mileage",
    example=60_210,
)
CERTIFICATE = Text(
    name="certificate_number",
    json="certificateNumber",
    label="Certificate number",
    limit=60,
    example="1234 5678 9012",
)
GARAGE = Text(name="garage", label="Done by", limit=120, example="Northgate Garage")
COST = Pounds(name="cost", label="Cost", default=0, example=54.85)
DONE_NOTE = Lines(name="note", label="Note", limit=MAX_LINES, example="Pads at 4 mm")
DEFECT_LINES = Lines(name="defects", label="Advisories or failures, one a line", limit=MAX_LINES)

PLAN_LABEL = Text(
    name="label", label="Name", limit=100, required="Name is required.", example="MOT"
)
CLASSIFICATION = Text(name="classification", label="Classification", limit=60, example="Van")
VEHICLES = Lines(name="vehicles", label="Vehicles", limit=20_000)
EVERY_MONTHS = WholeNumber(
    name="every_months", json="everyMonths", label="Months", minimum=1, maximum=240, example=12
)
EVERY_DAYS = WholeNumber(name="every_days", json="everyDays", label="Days", minimum=1, maximum=7300)
EVERY_MILES = WholeNumber(
    name="every_miles", json="everyMiles", label="Miles", minimum=1, maximum=1_000_000
)
EARLY_WINDOW = WholeNumber(
    name="early_window_days",
    json="earlyWindowDays",
    label="Early window (days)",
    minimum=1,
    maximum=366,
)
SOON_DAYS = WholeNumber(
    name="soon_days", json="soonDays", label="Soon (days)", default=30, maximum=366, example=30
)
SOON_MILES = WholeNumber(
    name="soon_miles",
    json="soonMiles",
    label="Soon (miles)",
    default=1000,
    maximum=100_000,
    example=1000,
)
FIRST_DUE = Day(
    name="first_due_on",
    json="firstDueOn",
    label="First due on",
    days_ahead=DAYS_AHEAD,
    example="2026-02-01",
)

READ_ON = Day(name="day", label="Day", required="Day is required.", example="2026-01-15")
MILES = WholeNumber(name="miles", label="Mileage", required="Mileage is required.", example=48_210)
VOID_REASON = Text(
    name="reason", label="Reason", limit=200, required="Reason is required.", example="Typing error"
)
