"""The filters of a stock list, its orders and those of the history; pure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app import names
from app.divisions import Division
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

STOCK_ORDERS = SortColumns(
    {
        "item": SortColumn("Item", indexed=True),
        "amount": SortColumn("Amount", SortKind.NUMBER, indexed=True),
        "category": SortColumn("Category", indexed=True),
        "price": SortColumn("Unit Price", SortKind.NUMBER, indexed=True),
    },
    SortOrder("item"),
)

PRICED = {Division.GFM}
"""The divisions whose histories show prices."""

NEWEST_FIRST = SortOrder("date", descending=True)
"""The order of a history."""

_HISTORY = {
    "date": SortColumn("Date", SortKind.DAY, indexed=True),
    "event": SortColumn("Event"),
    "team": SortColumn("Team"),
    "item": SortColumn("Item"),
    "amount": SortColumn("Amount", SortKind.NUMBER),
    "price": SortColumn("Unit Price", SortKind.NUMBER),
    "total": SortColumn("Total", SortKind.NUMBER),
    "site": SortColumn("Site"),
}
_PRICES = ("price", "total")


def history_orders(division: Division) -> SortColumns:
    """Return the orders of a division's history: by each of its columns."""
    hidden = () if division in PRICED else _PRICES
    columns = {name: column for name, column in _HISTORY.items() if name not in hidden}
    return SortColumns(columns, NEWEST_FIRST)


@dataclass(frozen=True)
class StockFilters:
    """The filters of a stock list, words of the name and one category, and its order.

    `mode` is the form that a row's name opens: 'dec' to withdraw, 'inc' to deliver, '' its page.
    """

    search: str = ""
    category: str = ""
    order: SortOrder = STOCK_ORDERS.default
    mode: str = ""

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.category)

    @property
    def args(self) -> dict[str, Any]:
        """Return the filters and the order as arguments of the list's URL."""
        order = "" if self.order == STOCK_ORDERS.default else str(self.order)
        values = {"q": self.search, "category": self.category, "sort": order, "mode": self.mode}
        return {name: value for name, value in values.items() if value}

    @cached_property
    def words(self) -> list[str]:
        """Return the words of the name as keys."""
        return names.search_words(self.search)
