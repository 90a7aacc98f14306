"""A repair: its fields, its required values, and its cost; pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from app import money
from app.dates import near_day
from app.defects.rules.defects import AnyDefect, booked_garage
from app.defects.rules.fields import GARAGE
from app.divisions import Store
from app.errors import Invalid
from app.fields import Day, Flag, Lines, Pounds, Text, WholeNumber, attribute

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
    if not values.defects and not values.note:
        raise Invalid("Tick what was mended, or note what was done.", "note")
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


def propose(waiting: Sequence[AnyDefect], chosen: Collection[int]) -> tuple[Sequence[int], str]:
    """Return the numbers of what a repair of a vehicle likely mends, and its garage.

    The chosen ones, else the worst booked one with the others at its garage, else the only one.
    """
    picked = [defect for defect in waiting if defect.number in chosen]
    garage = next(filter(None, map(booked_garage, picked or waiting)), "")
    if not chosen:
        booked = [defect for defect in waiting if garage and booked_garage(defect) == garage]
        picked = booked or list(waiting if len(waiting) == 1 else ())
    return [defect.number for defect in picked], garage


def check_stock_cost(pence: int) -> None:
    """Check that the cost of parts from stock can be stored; raises Invalid."""
    if pence > money.MAX_PENCE:
        highest = money.format_pence(money.MAX_PENCE)
        raise Invalid(f"The parts of a repair cost at most {highest}.", "stock_parts")
