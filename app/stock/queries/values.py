"""The stock of sites on any day: amounts, prices and their value.

An amount is the sum of the changes up to a day. A price is that of the last entry up to then that
set one, since other entries have the price of the day on which they were recorded.
"""

from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import String, and_, cast, func, or_, select

from app import dates
from app.db import db
from app.divisions import Site
from app.lists import grouped
from app.paging import COUNT_LIMIT
from app.stock.models import Item, ItemUse, LedgerEntry, StockOperation, StockSite
from app.stock.rules.items import EntryKind
from app.sums import capped


class ItemLine(NamedTuple):
    """An item's amount and price of a day, its last withdrawal or check, and its other users."""

    item_id: int
    name: str
    unit: str
    amount: int
    price: int
    site: Site
    last: date | None = None
    elsewhere: str = ""

    @property
    def value(self) -> int:
        """Return the value in pence."""
        return self.amount * self.price


class LateEntry(NamedTuple):
    """A change of an item that was recorded after a day, for that day or an earlier one."""

    item_id: int
    site: Site
    name: str
    day: date
    recorded_on: date
    delta: int


def first_days(site_ids: Collection[int]) -> Mapping[int, date]:
    """Return the days of sites' first changes of stock, before which their stock isn't known."""
    statement = select(Item.site_id, func.min(ItemUse.day)).join(Item, Item.id == ItemUse.item_id)
    moved = statement.where(Item.site_id.in_(site_ids), ItemUse.delta != 0)
    return {row[0]: row[1] for row in db.session.execute(moved.group_by(Item.site_id))}


def stock_on(
    site_ids: Collection[int], day: date, recorded_by: date | None = None
) -> Sequence[ItemLine]:
    """Return what sites had on a day, by name; with `recorded_by` as it was known on that day."""
    source: Any = LedgerEntry if recorded_by else ItemUse
    of_days = (Item.site_id.in_(site_ids), ItemUse.day <= day)
    where = _until(site_ids, day, recorded_by) if recorded_by else of_days
    summed = select(source.item_id, func.sum(source.delta)).join(Item, Item.id == source.item_id)
    amounts = summed.where(*where).group_by(source.item_id)
    statement = (
        select(Item.id, Item.name, Item.unit, StockSite.site)
        .join(StockSite, StockSite.id == Item.site_id)
        .where(Item.site_id.in_(site_ids))
        .order_by(Item.name_key, Item.id)
    )
    found = {id_: int(amount) for id_, amount in db.session.execute(amounts) if amount}
    changed = _price_changes(site_ids, day, recorded_by) if found else ()
    prices = {row.item_id: row.unit_price for row in changed}
    return [
        ItemLine(id_, name, unit, found[id_], prices.get(id_, 0), site)
        for id_, name, unit, site in db.session.execute(statement)
        if id_ in found
    ]


def values_on(
    site_ids: Collection[int], days: Sequence[date]
) -> Mapping[int, Sequence[int | None]]:
    """Return the value of each site's stock at ends of months, then on any day; None if unknown."""
    firsts = first_days(site_ids)
    month = func.substr(cast(ItemUse.day, String), 1, len("2011-12")).label("month")
    statement = (
        select(Item.site_id, ItemUse.item_id, month, func.sum(ItemUse.delta).label("delta"))
        .join(Item, Item.id == ItemUse.item_id)
        .where(Item.site_id.in_(site_ids), ItemUse.day <= days[-1], ItemUse.delta != 0)
        .group_by(Item.site_id, ItemUse.item_id, month)
    )
    months, ends = [f"{day:%Y-%m}" for day in days], [dates.end_of_day(day) for day in days]
    rows = db.session.execute(statement).all()
    moved = grouped((bisect_left(months, row.month), row) for row in rows)
    changed = _price_changes(site_ids, days[-1])
    priced = grouped((bisect(ends, row.effective_at), row) for row in changed)
    amounts: Mapping[int, Counter[int]] = {id_: Counter() for id_ in site_ids}
    prices: Counter[int] = Counter()
    values: dict[int, list[int | None]] = {id_: [] for id_ in site_ids}
    for number, day in enumerate(days):
        for row in moved.get(number, ()):
            amounts[row.site_id][row.item_id] += int(row.delta)
        for row in priced.get(number, ()):
            prices[row.item_id] = row.unit_price
        for id_, of_site in amounts.items():
            worth = sum(amount * prices[item_id] for item_id, amount in of_site.items())
            values[id_].append(worth if firsts.get(id_, date.max) <= day else None)
    return values


def late_entries(
    site_ids: Collection[int], day: date, recorded_by: date, limit: int
) -> tuple[Sequence[LateEntry], int]:
    """Return changes up to a day that were recorded after another, the latest first, and how many.

    There are at most `limit` of them.
    """
    end = dates.end_of_day(recorded_by)
    entry, recorded = LedgerEntry, StockOperation.recorded_at
    statement = (
        select(entry.item_id, StockSite.site, Item.name, entry.effective_at, recorded, entry.delta)
        .join(Item, Item.id == entry.item_id)
        .join(StockSite, StockSite.id == entry.site_id)
        .join(StockOperation, StockOperation.id == entry.operation_id)
        .where(*_until(site_ids, day, None), recorded >= end, entry.delta != 0)
        .order_by(entry.id.desc())
        .limit(COUNT_LIMIT + 1)
    )
    rows = db.session.execute(statement).all()
    found = [
        LateEntry(id_, site, name, dates.london_day(at), dates.london_day(recorded_at), delta)
        for id_, site, name, at, recorded_at, delta in rows[:limit]
    ]
    return found, capped(len(rows))


def _until(site_ids: Collection[int], day: date, recorded_by: date | None) -> Sequence[Any]:
    where: list[Any] = [LedgerEntry.site_id.in_(site_ids), LedgerEntry.imported_amount.is_(None)]
    where.append(LedgerEntry.effective_at < dates.end_of_day(day))
    if recorded_by:
        until_then = StockOperation.recorded_at < dates.end_of_day(recorded_by)
        where.append(LedgerEntry.operation_id.in_(select(StockOperation.id).where(until_then)))
    return where


def _price_changes(
    site_ids: Collection[int], day: date, recorded_by: date | None = None
) -> Sequence[Any]:
    changed, kind = cast(LedgerEntry.changes, String), LedgerEntry.kind
    # Of entries older than the column `changes`, the kind and the reason tell.
    is_repriced = and_(kind == EntryKind.CORRECTION, LedgerEntry.reason.contains("Unit price £"))
    is_moved = kind.in_([EntryKind.ADDITION, EntryKind.REMOVAL])
    sets_price = or_(
        changed.contains('"unit_price"'),
        changed.contains('"removed"'),
        and_(LedgerEntry.changes.is_(None), or_(is_moved, is_repriced)),
    )
    statement = select(LedgerEntry.item_id, LedgerEntry.effective_at, LedgerEntry.unit_price)
    where = (*_until(site_ids, day, recorded_by), sets_price)
    ordered = statement.where(*where).order_by(LedgerEntry.effective_at, LedgerEntry.id)
    return db.session.execute(ordered).all()
