"""The demo's deliveries as its file holds them: their days are so many days ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from app import money
from app.deliveries.rules import OFFICES, Order
from app.web.csv_files import Table

_COLUMNS = (
    "item",
    "amount",
    "unitCost",
    "supplier",
    "orderedBy",
    "orderedDaysAgo",
    "deliveredDaysAgo",
    "confirmation",
    "recipient",
)


@dataclass(frozen=True)
class PastDelivery:
    """An order, and the day when it came; None while it is pending."""

    order: Order
    came_on: date | None


def read_deliveries(file: Path, today: date) -> Sequence[PastDelivery]:
    """Return the demo's deliveries."""
    table = Table(file, _COLUMNS)
    found = []
    for cells in table:
        order = Order(
            item=cells.read("item", str),
            amount=cells.read("amount", money.parse_whole_number),
            unit_cost=cells.read("unitCost", money.parse_pounds),
            supplier=cells.read("supplier", str),
            office=OFFICES[0],
            ordered_by=cells.read("orderedBy", str),
            ordered_on=today - timedelta(days=int(cells.read("orderedDaysAgo", str))),
            recipient=cells.read("recipient", str),
            confirmation=cells.read("confirmation", str),
        )
        came = cells.read("deliveredDaysAgo", str)
        found.append(PastDelivery(order, today - timedelta(days=int(came)) if came else None))
    table.check()
    return found
