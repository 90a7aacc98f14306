"""The sums of a history's rows; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.stock.rules.history import HistoryEvent, event_of, signed_amount
from app.stock.rules.items import EntryKind


@dataclass(frozen=True)
class HistorySums:
    """The units of some rows by event, signed for Other.

    `value` is the signed sum of their total prices in pence.
    """

    delivered: int = 0
    withdrawn: int = 0
    other: int = 0
    value: int = 0

    @property
    def units(self) -> int:
        """Return by how much the rows changed the stock together."""
        return self.delivered - self.withdrawn + self.other

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Return the signed units of each event that has any, by its word."""
        parts = [
            ("delivered", self.delivered),
            ("withdrawn", -self.withdrawn),
            ("other", self.other),
        ]
        return [(word, units) for word, units in parts if units]


def add_up(groups: Iterable[tuple[EntryKind, int, int]]) -> HistorySums:
    """Add up the amounts and total prices of rows, or of groups of rows, by their kinds' events."""
    sums = dict.fromkeys(HistoryEvent, 0)
    value = 0
    for kind, amount, price in groups:
        event = event_of(kind)
        sums[event] += amount
        value += signed_amount(event, price)
    return HistorySums(
        delivered=sums[HistoryEvent.DELIVERY],
        withdrawn=sums[HistoryEvent.WITHDRAWAL],
        other=sums[HistoryEvent.OTHER],
        value=value,
    )


def total_price(amount: int, unit_price: int, imported_total: int | None) -> int:
    """Return the total price of a row in pence; an imported row can have one of its own."""
    return amount * unit_price if imported_total is None else imported_total
