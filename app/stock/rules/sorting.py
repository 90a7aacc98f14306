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

_DATE = {"date": SortColumn("Date", SortKind.DAY, indexed=True)}
_TEXTS = {"event": SortColumn("Event"), "team": SortColumn("Team"), "item": SortColumn("Item")}
_AMOUNT = {"amount": SortColumn("Amount", SortKind.NUMBER)}
_PRICES = {
    "price": SortColumn("Unit Price", SortKind.NUMBER),
    "total": SortColumn("Total", SortKind.NUMBER),
}
_SITE = {"site": SortColumn("Site")}


def history_orders(division: Division) -> SortColumns:
    """Return the orders of a division's history: by each of its columns."""
    prices = _PRICES if division in PRICED else {}
    columns = {**_DATE, **_TEXTS, **_AMOUNT, **prices, **_SITE}
    return SortColumns(columns, NEWEST_FIRST)
