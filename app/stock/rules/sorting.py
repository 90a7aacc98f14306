"""The orders of a stock list and of the history; pure."""

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
