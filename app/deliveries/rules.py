"""Deliveries: orders, when they are overdue, and how they are received into stock; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app import names
from app.divisions import SITES, Division, Site, Store
from app.fields import Pounds, Text
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.movements import plan_delivery
from app.stock.rules.operations import Add, Operation

UNIT_COST = Pounds(name="unit_cost", json="unitCost", label="Unit cost", default=0, example=2.1)
SUPPLIER = Text(name="supplier", label="Supplier", limit=100, example="Office & Co")
ORDERED_BY = Text(
    name="ordered_by", json="orderedBy", label="Ordered by", limit=100, example="j.marsh"
)
CONFIRMATION = Text(
    name="confirmation", label="Delivery note / reference", limit=200, example="DN-20417"
)
RECIPIENT = Text(name="recipient", label="Recipient", limit=100, example="A. Brown")

OFFICES = SITES[Division.GPM]
"""The sites that deliveries can be for."""

TEAM = "Deliveries"
"""The team of the ledger entries of received deliveries."""

OVERDUE_AFTER = timedelta(days=14)
"""How long after its order a pending delivery becomes overdue."""

MAX_DAYS_AHEAD = 366
"""How many days ahead an order can be dated."""

NOT_DELIVERED = "This delivery is pending: mark it delivered when it comes."
IN_STOCK = "The stock of this delivery is in the inventory already."
"""Why a delivery can't be delivered again."""


@dataclass(frozen=True)
class DeliveryOrder:
    """The content of a scheduled delivery; its cost is in pence for one."""

    item: str
    amount: int
    unit_cost: int
    supplier: str
    office: Site
    ordered_by: str
    ordered_on: date
    recipient: str = ""
    confirmation: str = ""


@dataclass(frozen=True)
class Receipt:
    """The operations that receive a delivery into stock, and their reason in the history."""

    operations: Sequence[Operation]
    reason: str


def store_of(office: Site) -> Store:
    """Return the store that deliveries for an office are received into."""
    return Store(Division.GPM, office)


def plan_receipt(
    item: str, amount: int, unit_cost: int, existing: ItemState | None, on: date
) -> Receipt:
    """Return the receipt of a delivery: more of the existing item, or a new item at its cost."""
    if existing is not None:
        return Receipt([plan_delivery(existing, amount)], f"Delivery from GPM ({on.isoformat()})")
    new = ItemState(id=None, name=item, amount=amount, unit_price=unit_cost)
    return Receipt([Add(new, EntryKind.DELIVERY)], "New item from GPM delivery")


def overdue_before(today: date) -> date:
    """Return the day before which pending deliveries were ordered if they are overdue today."""
    return today - OVERDUE_AFTER


def days_overdue(ordered_on: date, today: date) -> int:
    """Return for how many days a pending delivery has been overdue, 0 if it isn't."""
    return max(0, (overdue_before(today) - ordered_on).days)


def search_key(*texts: str) -> str:
    """Return the text that is searched: the keys of all texts, a line each.

    A word of a search can't match across two texts.
    """
    return "\n".join(names.key(text) for text in texts)
