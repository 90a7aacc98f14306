"""What the rows of a history add up to; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.stock.rules.history import HistoryEvent, event_of, signed_amount
from app.stock.rules.items import EntryKind


@dataclass(frozen=True)
class HistorySums:
    """The units of some rows by their event, those of Other with their sign.

    `value` is the signed sum of their total prices in pence, None where it isn't added up.
    """

    delivered: int = 0
    withdrawn: int = 0
    other: int = 0
    value: int | None = None

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


def add_up(amounts: Iterable[tuple[EntryKind, int]]) -> HistorySums:
    """Add up the amounts of rows, or of groups of rows, by the events of their kinds."""
    sums = dict.fromkeys(HistoryEvent, 0)
    for kind, amount in amounts:
        sums[event_of(kind)] += amount
    return HistorySums(
        delivered=sums[HistoryEvent.DELIVERY],
        withdrawn=sums[HistoryEvent.WITHDRAWAL],
        other=sums[HistoryEvent.OTHER],
    )


def total_price(amount: int, unit_price: int, imported_total: int | None) -> int:
    """Return the total price of a row in pence; an imported row can have one of its own."""
    return amount * unit_price if imported_total is None else imported_total


def add_up_values(rows: Iterable[tuple[EntryKind, int, int, int | None]]) -> int:
    """Return the signed sum of the total prices of rows, in pence.

    A row is its kind, amount, unit price, and the total price of its own.
    """
    return sum(
        signed_amount(event_of(kind), total_price(amount, unit_price, imported_total))
        for kind, amount, unit_price, imported_total in rows
    )
