"""Fields and rules of items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app import dates
from app.charts import Label, StepPicture, step_picture
from app.errors import Conflict, ErrorCode, Invalid, NotFound
from app.fields import Day, LabelledEnum, Pounds, Text, WholeNumber, aliases_of, attribute
from app.money import MAX_AMOUNT, format_number

NAME = Text(
    name="name",
    json="item",
    aliases=("name", "id"),
    label="Item name",
    limit=200,
    required="Item name is required",
    example="HAND WARMER UNION JACK",
)
AMOUNT = WholeNumber(
    name="amount", aliases=("qty",), label="Amount", required="Enter name and amount", example=79
)
CATEGORY = Text(name="category", label="Category", limit=100, example="Seasonal")
UNIT_PRICE = Pounds(name="unit_price", label="Unit price", what="Price", default=0, example=2.1)
UNIT = Text(name="unit", label="Unit", limit=20, example="pcs")

ITEM_ALIASES = aliases_of([NAME, AMOUNT])

QUANTITY = WholeNumber(
    name="quantity",
    label="Quantity",
    minimum=1,
    required="Quantity must be at least 1",
    default=1,
    example=3,
)
TEAM = Text(name="team", label="Team", limit=100, example="Kitchen")
REASON = Text(name="reason", label="Reason", limit=400, example="Damaged in store")
DATE = Day(name="date", label="Date", required="Please pick a date.", example="2026-01-15")


DEFAULT_UNIT = "pcs"


class EntryKind(LabelledEnum):
    """Why a ledger entry was written."""

    DELIVERY = "delivery", "Delivery"
    WITHDRAWAL = "withdrawal", "Withdrawal"
    TRANSFER = "transfer", "Transfer"
    COUNT = "count", "Stock check"
    ADDITION = "addition", "Addition"
    CORRECTION = "correction", "Correction"
    REMOVAL = "removal", "Removal"


@dataclass(frozen=True)
class ItemState:
    """The values of an item before or after an operation; `id` is None before it is stored."""

    id: int | None
    name: str = attribute(NAME)
    amount: int = attribute(AMOUNT)
    category: str = attribute(CATEGORY)
    unit_price: int = attribute(UNIT_PRICE)
    unit: str = attribute(UNIT, default=DEFAULT_UNIT)
    removed: bool = False


class NoSuchItem(NotFound):
    """The item isn't in stock, or no longer."""

    message = "This item is no longer in stock. Load the list again."


class NotEnough(Conflict):
    """The requested quantity of an item exceeds its stock; `details` have the available amount."""

    code = ErrorCode.NOT_ENOUGH_STOCK

    def __init__(self, item: ItemState) -> None:
        message = f'Not enough stock: "{item.name}" has {format_number(item.amount)}'
        super().__init__(message, "quantity")
        self.name = item.name
        self.details = {"available": item.amount}


class ItemNameTaken(Conflict):
    """An addition would change an item whose current amount the user hasn't confirmed."""

    code = ErrorCode.NAME_TAKEN

    def __init__(self, existing: ItemState) -> None:
        super().__init__(
            f'Name already exists: "{existing.name}" has {format_number(existing.amount)}. '
            "Choose Update to change it, or deliver instead.",
            "name",
        )


def check_enough(item: ItemState, quantity: int) -> None:
    """Raise NotEnough unless a quantity is in stock: no amount falls below 0 (docs/domain.md)."""
    if quantity > item.amount:
        raise NotEnough(item)


def check_amount(item: ItemState) -> None:
    """Check that an item's amount is from 0 to MAX_AMOUNT; raises Conflict."""
    if not 0 <= item.amount <= MAX_AMOUNT:
        raise Conflict(
            f'"{item.name}" would have {format_number(item.amount)}. '
            f"An item has 0 to {format_number(MAX_AMOUNT)}.",
            "quantity",
        )


def check_quantity(quantity: int) -> int:
    """Return a quantity that is at least 1; raises Invalid."""
    if quantity < QUANTITY.minimum:
        raise Invalid(QUANTITY.minimum_message, "quantity")
    return quantity


def stored_id(item: ItemState) -> int:
    """Return the id of an item that is stored; raises Invalid for a new one."""
    if item.id is None:
        raise Invalid(f'"{item.name}" is not in stock yet. Add it first.')
    return item.id


PICTURE_DAYS = 90
LABEL_ROOM = 18
"""How much of an axis, in percent, the label at its end takes with the gap before the next."""


def first_day(today: date) -> date:
    """Return the first day of a picture that ends today."""
    return today - timedelta(days=PICTURE_DAYS - 1)


def day_labels(today: date) -> Sequence[Label]:
    """Return the labels of the days of a picture: its first, the months well within it, today."""
    days = _days(today)
    months = [
        Label(f"{day:%b}", round(100 * number / len(days), 1))
        for number, day in enumerate(days)
        if day.day == 1
    ]
    inner = [month for month in months if LABEL_ROOM <= month.at <= 100 - LABEL_ROOM]
    return [Label(dates.short_day(days[0]), 0), *inner, Label("Today", 100)]


def picture_of(
    amount: int,
    changes: Iterable[tuple[date, EntryKind, int]],
    today: date,
    minimum: int | None = None,
) -> StepPicture:
    """Return the picture of an item: its amount follows from changes by day since `first_day`."""
    days = _days(today)
    by_day = dict.fromkeys(days, 0)
    marks: dict[EntryKind, set[date]] = {EntryKind.DELIVERY: set(), EntryKind.COUNT: set()}
    for changed_on, kind, delta in changes:
        day = min(changed_on, today)
        by_day[day] += delta
        if kind in marks and (delta > 0 or kind is EntryKind.COUNT):
            marks[kind].add(day)
    amounts = [amount]
    for day in reversed(days):
        amounts.append(amounts[-1] - by_day[day])
    # Movements are ordered by the days that users gave them: in between, an amount can be below 0.
    steps = [max(before, 0) for before in reversed(amounts)]
    return step_picture(steps, days, {kind.label: sorted(marks[kind]) for kind in marks}, minimum)


def _days(today: date) -> Sequence[date]:
    return [first_day(today) + timedelta(days=number) for number in range(PICTURE_DAYS)]
