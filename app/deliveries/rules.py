"""What a delivery may be, when it is overdue, and what it does to stock; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app import names
from app.divisions import SITES, Division, Site, Store
from app.stock.rules.operations import Add, ItemState, Kind, Operation, plan_delivery

LONGEST_SUPPLIER = 100
LONGEST_PERSON = 100
LONGEST_CONFIRMATION = 200

OFFICES = SITES[Division.GPM]
"""Where deliveries come to."""

TEAM = "Deliveries"

DAYS_TO_COME = 14
"""How many days after its order a delivery may still be pending without being overdue."""

DAYS_AHEAD = 366
"""How many days ahead an order can be scheduled."""


@dataclass(frozen=True)
class Order:
    """What is ordered; its cost is in pence for one."""

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
class Arrival:
    """What a delivery does to stock, and the reason that the history gives for it."""

    operations: Sequence[Operation]
    reason: str


def store_of(office: Site) -> Store:
    """Return the stock that deliveries to an office go into."""
    return Store(Division.GPM, office)


def plan_arrival(
    item: str, amount: int, unit_cost: int, existing: ItemState | None, on: date
) -> Arrival:
    """Return how a delivery gets into stock: more of the item there is, or a new one (seed §4)."""
    if existing is not None:
        return Arrival(plan_delivery(existing, amount), f"Delivery from GPM ({on.isoformat()})")
    new = ItemState(id=None, name=item, amount=amount, unit_price=unit_cost)
    return Arrival([Add(new, Kind.DELIVERY)], "New item from GPM delivery")


def overdue_before(today: date) -> date:
    """Return the day: what was ordered before it and hasn't come is overdue."""
    return today - timedelta(days=DAYS_TO_COME)


def days_overdue(ordered_on: date, today: date) -> int:
    """Return for how many days a pending delivery has been overdue, 0 when it isn't."""
    return max(0, (overdue_before(today) - ordered_on).days)


def search_key(*texts: str) -> str:
    """Return what a search looks at: the keys of all texts, so that no word spans two."""
    return "\n".join(names.key(text) for text in texts)
