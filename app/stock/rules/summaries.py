"""Rules of the kept sums."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app import dates, money
from app.stock.rules.history import HistoryEvent, event_of, listed_amount, signed_amount
from app.stock.rules.items import EntryKind
from app.stock.rules.operations import LedgerLine

ALL_DAYS = date(1, 1, 1)
"""The day of the summary rows that sum up all days."""

KEY = ("site_id", "day", "kind", "team", "site", "is_imported")
"""The columns that a summary row counts by."""

SUMS = ("entries", "units", "value_high", "value_low")
"""The columns that a summary row adds up."""

UNDONE_SUMS = ("undone_units", "undone_high", "undone_low")
"""The columns that add up which of the entries of a summary row were undone."""

USE_KEY = ("item_id", "day")
USE_SUMS = ("delta", "units", "undone", "value_high", "value_low")
"""The columns of an item's use of a day."""


SITE_SUMS = ("items", "units", "value_high", "value_low")
"""The columns of a site that add up its live items."""


def change_of_site(lines: Iterable[LedgerLine]) -> dict[str, int]:
    """Return by how much the lines of an operation change the sums of their site, by column."""
    items = units = high = low = 0
    for line in lines:
        items += line.before.removed - line.after.removed
        units += line.delta
        for state, sign in ((line.before, -1), (line.after, 1)):
            high_part, low_part = divmod(state.unit_price, money.PRICE_PART)
            high += sign * state.amount * high_part
            low += sign * state.amount * low_part
    return dict(zip(SITE_SUMS, (items, units, high, low), strict=True))


def split_total(amount: int, unit_price: int, imported_total: int | None) -> tuple[int, int]:
    """Return the two parts of a row's total price: multiples of money.PRICE_PART, and the rest."""
    if imported_total is not None:
        return divmod(imported_total, money.PRICE_PART)
    high, low = divmod(unit_price, money.PRICE_PART)
    return amount * high, amount * low


def summarise(
    entries: Iterable[Mapping[str, Any]], sites: Mapping[int, str], *, undone: int = 0
) -> list[dict[str, Any]]:
    """Return the sums of ledger rows by key, or for `undone` 1 or -1 of those undone or redone."""
    days: dict[datetime, date] = {}
    sums: dict[tuple[Any, ...], tuple[int, ...]] = {}
    for entry in entries:
        kind, delta, imported = entry["kind"], entry["delta"], entry.get("imported_amount")
        if kind is EntryKind.COUNT and not delta:
            # A history doesn't list a count that found the amount right.
            continue
        at = entry["effective_at"]
        if at not in days:
            days[at] = dates.london_day(at)
        site = entry.get("imported_site")
        displayed = sites[entry["site_id"]] if site is None else site
        amount = listed_amount(kind, delta, imported)
        value = split_total(amount, entry["unit_price"], entry.get("imported_total"))
        for day in (ALL_DAYS, days[at]):
            key = (entry["site_id"], day, kind, entry["team"], displayed, imported is not None)
            entries_before, units, high, low = sums.get(key, (0, 0, 0, 0))
            sums[key] = entries_before + 1, units + amount, high + value[0], low + value[1]
    empty = dict.fromkeys(SUMS + UNDONE_SUMS, 0)
    columns, sign = (UNDONE_SUMS, undone) if undone else (SUMS, 1)
    rows = ((key, numbers[-len(columns) :]) for key, numbers in sorted(sums.items()))
    return [
        empty | dict(zip(KEY + columns, (*key, *(sign * n for n in numbers)), strict=True))
        for key, numbers in rows
    ]


def undone_use(entries: Iterable[Mapping[str, Any]], sign: int) -> list[dict[str, Any]]:
    """Return by how much the undo of entries, or for a `sign` of -1 its undo, changes uses."""
    changed: dict[tuple[int, date], list[int]] = defaultdict(lambda: [0, 0, 0])
    for entry in entries:
        if entry["kind"] is EntryKind.WITHDRAWAL:
            units = -entry["delta"]
            numbers = (units, *split_total(units, entry["unit_price"], None))
            key = entry["item_id"], dates.london_day(entry["effective_at"])
            changed[key] = [n + sign * by for n, by in zip(changed[key], numbers, strict=True)]
    names = ("item", "on", "by_units", "by_high", "by_low")
    return [
        dict(zip(names, (*key, *numbers), strict=True)) for key, numbers in sorted(changed.items())
    ]


@dataclass(frozen=True)
class HistorySums:
    """The signed units of rows by event, and the signed `value` of them in pence."""

    by_event: Mapping[HistoryEvent, int]
    value: int

    @property
    def units(self) -> int:
        """Return by how much the rows changed the stock together."""
        return sum(self.by_event.values())

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Return the units of each event that has any, by its word."""
        return [(_DONE[event], units) for event, units in self.by_event.items() if units]


_DONE = dict(zip(HistoryEvent, ("delivered", "withdrawn", "other"), strict=True))


def add_up(groups: Iterable[tuple[EntryKind, int, int]]) -> HistorySums:
    """Add up the amounts and total prices of rows, or of groups of rows, by their kinds' events."""
    units = dict.fromkeys(HistoryEvent, 0)
    value = 0
    for kind, amount, price in groups:
        event = event_of(kind)
        units[event] += signed_amount(event, amount)
        value += signed_amount(event, price)
    return HistorySums(units, value)


def total_price(amount: int, unit_price: int, imported_total: int | None) -> int:
    """Return the total price of a row in pence; an imported row can have one of its own."""
    return amount * unit_price if imported_total is None else imported_total
