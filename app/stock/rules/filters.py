"""The filters and orders of the stock list and the history, and the terms of a search; pure."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from app import money, names
from app.divisions import Division
from app.errors import Invalid
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


def history_orders(division: Division) -> SortColumns:
    """Return the orders of a division's history: by each of its columns."""
    hidden = () if division in PRICED else ("price", "total")
    columns = {name: column for name, column in _HISTORY.items() if name not in hidden}
    return SortColumns(columns, NEWEST_FIRST)


LOW_LEVEL = "low"
"""The value of the filter of a stock list that has the items below their minimums."""


@dataclass(frozen=True)
class StockFilters:
    """A stock list's filters and order; `mode` ('dec' or 'inc') is the form of its rows."""

    search: str = ""
    category: str = ""
    order: SortOrder = STOCK_ORDERS.default
    mode: str = ""
    is_low: bool = False

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.category or self.is_low)

    @property
    def args(self) -> dict[str, Any]:
        """Return the filters and the order as arguments of the list's URL."""
        order = "" if self.order == STOCK_ORDERS.default else str(self.order)
        values = {"q": self.search, "category": self.category, "sort": order, "mode": self.mode}
        values["level"] = LOW_LEVEL if self.is_low else ""
        return {name: value for name, value in values.items() if value}

    @cached_property
    def words(self) -> list[str]:
        """Return the words of the name as keys."""
        return names.search_words(self.search)


MAX_TERMS = 12

_MONTHS = {
    name: number
    for number, month in enumerate(calendar.month_name)
    for name in (month.casefold(), month[:3].casefold())
    if name
}
# A day such as '9 Dec 2011' is one term, any other word is one of its own.
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TERM = re.compile(rf"(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH}) (?P<year>\d{{4}})(?!\S)|\S+")
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@dataclass(frozen=True)
class Term:
    """What a column of a row must have: a key, or the days or signed amounts it can mean."""

    text: str
    days: tuple[date, date] | None = None
    amounts: frozenset[int] = frozenset()


def search_terms(search: str) -> Sequence[Term]:
    """Return the terms of a search; all of them must match."""
    text = names.key(search[: names.MAX_SEARCH_LENGTH])
    terms: dict[str, Term] = {}
    for match in _TERM.finditer(text):
        term = match[0]
        if match["month"]:
            days = _day_range(int(match["year"]), _MONTHS[match["month"]], match["day"])
        else:
            iso = _ISO.fullmatch(term)
            days = _day_range(int(iso[1]), iso[2], iso[3]) if iso else None
        terms[term] = Term(term, days, _parse_amounts(term))
    return list(terms.values())[:MAX_TERMS]


def _day_range(year: int, month: int | str | None, day: str | None) -> tuple[date, date] | None:
    try:
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        first = date(year, int(month), int(day) if day else 1)
    except ValueError:
        return None
    if day:
        return first, first
    return first, first.replace(day=calendar.monthrange(year, first.month)[1])


def _parse_amounts(text: str) -> frozenset[int]:
    try:
        number = money.parse_whole_number(text.removeprefix("+"))
    except Invalid:
        return frozenset()
    if abs(number) > money.MAX_AMOUNT:
        return frozenset()
    return frozenset({number} if text[0] in "+-−" else {number, -number})
