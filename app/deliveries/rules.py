"""Deliveries: orders, when they are due, and how they are received into stock; pure."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from app.divisions import SITES, Division, Site
from app.errors import Invalid
from app.fields import Choice, Day, Pounds, Text, WholeNumber, attribute, fields_of
from app.stock.rules.items import NAME, EntryKind, ItemState
from app.stock.rules.movements import plan_delivery
from app.stock.rules.operations import Add, Operation

MAX_DAYS_AHEAD = 366
"""How many days ahead an order or its delivery can be dated."""

_MISSING = "Enter item and amount"

ITEM = replace(NAME, name="item", label="Item", what="Item", required=_MISSING)
AMOUNT = WholeNumber(name="amount", label="Amount", minimum=1, required=_MISSING, default=1)
SUPPLIER = Text(name="supplier", label="Supplier", limit=100, example="Office & Co")
ORDERED_BY = Text(name="ordered_by", label="Ordered by", limit=100, example="j.marsh")
CONFIRMATION = Text(
    name="confirmation", label="Delivery note / reference", limit=200, example="DN-20417"
)
RECIPIENT = Text(name="recipient", label="Recipient", limit=100, example="A. Brown")
RECEIVED = WholeNumber(
    name="received", label="Amount", minimum=1, example=12, description="The whole if missing"
)
CANCEL_REASON = Text(name="cancel_reason", label="Reason", limit=200, example="Out of stock")

_DAY = Day(days_ahead=MAX_DAYS_AHEAD, example="2011-12-09")

OFFICE = Choice(
    name="office",
    label="Office/Site",
    kind=Site,
    default=Site.MAIN,
    refusal="Choose an office from the list.",
    example="main",
)

NOTED_LATER = ("recipient", "confirmation")
"""The values of an order that are noted when it comes."""

TEAM = "Deliveries"
"""The team of the ledger entries of received deliveries."""

DUE_AFTER = timedelta(days=14)
"""When a delivery without an expected date is due after its order."""

EXPECTED_BEFORE_ORDERED = "Expected date can't be before the ordered date."


class DeliveryStatus(StrEnum):
    """The status of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class DeliveryOrder:
    """The content of a scheduled delivery; its cost is in pence for one."""

    item: str = attribute(ITEM)
    amount: int = attribute(AMOUNT)
    _: KW_ONLY
    unit_cost: int = attribute(Pounds(default=0, example=2.1))
    supplier: str = attribute(SUPPLIER)
    office: Site = attribute(OFFICE)
    ordered_by: str = attribute(ORDERED_BY)
    ordered_on: date = attribute(
        replace(_DAY, json="orderedDate", label="Ordered date", required="Please pick a date.")
    )
    recipient: str = attribute(RECIPIENT)
    confirmation: str = attribute(CONFIRMATION)
    expected_on: date | None = attribute(
        replace(_DAY, json="expectedDate", label="Expected date", example="2011-12-16")
    )


class ChangeKind(StrEnum):
    """The kind of a change in a delivery's list of changes."""

    EDITED = "edited"
    CANCELLED = "cancelled"
    SCHEDULED_AGAIN = "scheduled again"


def list_of(division: Division, name: str = "deliveries") -> str:
    """Return the name of a division's list, by which it is counted and has its version."""
    return name if division is Division.GPM else f"{division}-{name}"


def plan_receipt(item: str, amount: int, unit_cost: int, existing: ItemState | None) -> Operation:
    """Return the operation that adds to the item, or adds it at its cost."""
    if existing is not None:
        return plan_delivery(existing, amount)
    new = ItemState(id=None, name=item, amount=amount, unit_price=unit_cost)
    return Add(new, EntryKind.DELIVERY)


def receipt_reason(division: Division, reference: str, on: date, *, is_new: bool) -> str:
    """Return the reason of the stock entry of a receipt, maybe of a new item."""
    if division is not Division.GPM:
        return f"Delivery {reference} ({on.isoformat()})"
    return "New item from GPM delivery" if is_new else f"Delivery from GPM ({on.isoformat()})"


def due_on(ordered_on: date, expected_on: date | None) -> date:
    """Return when a delivery is due, and late the next day: when expected, else two weeks on."""
    return expected_on or ordered_on + DUE_AFTER


def check_order(division: Division, order: DeliveryOrder) -> None:
    """Raise Invalid for an office of another division, or if it's expected before it was made."""
    if order.office not in SITES[division]:
        raise Invalid(f"Must be one of: {', '.join(SITES[division])}.", "office")
    if order.expected_on is not None and order.expected_on < order.ordered_on:
        raise Invalid(EXPECTED_BEFORE_ORDERED, "expected_on")


def differences(before: DeliveryOrder, after: DeliveryOrder) -> Sequence[tuple[str, str, str]]:
    """Return the label of each changed value of an order, and both values as texts."""
    texts = (
        (field.label, field.show(getattr(before, name)), field.show(getattr(after, name)))
        for name, field in fields_of(DeliveryOrder).items()
        if name not in NOTED_LATER
    )
    return [(label, old or "none", new or "none") for label, old, new in texts if old != new]
