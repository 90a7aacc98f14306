"""The stock of sites on any day: amounts, prices and their value.

An amount is the sum of the changes up to a day. A price is that of the last entry up to then that
set one, since other entries have the price of the day on which they were recorded.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Select, String, cast, func, or_, select

from app import dates
from app.db import db
from app.divisions import Site
from app.stock.models import Item, ItemUse, LedgerEntry, StockOperation, StockSite


class ItemLine(NamedTuple):
    """An item with its amount of a day, by its present name, and its price in pence.

    `last` is the day of its last withdrawal or stock check in a report about these, and `elsewhere`
    says which other sites use it.
    """

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


@dataclass(frozen=True)
class LateEntry:
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
    amounts = (
        _amounts(site_ids, day)
        if recorded_by is None
        else _recorded_amounts(site_ids, day, recorded_by)
    )
    statement = (
        select(Item.id, Item.name, Item.unit, StockSite.site)
        .join(StockSite, StockSite.id == Item.site_id)
        .where(Item.site_id.in_(site_ids))
        .order_by(Item.name_key, Item.id)
    )
    found = {id_: int(amount) for id_, amount in db.session.execute(amounts) if amount}
    prices = _prices_until(_price_changes(site_ids, day, recorded_by), [day])[0] if found else {}
    return [
        ItemLine(id_, name, unit, found[id_], prices.get(id_, 0), site)
        for id_, name, unit, site in db.session.execute(statement)
        if id_ in found
    ]


def values_on(
    site_ids: Collection[int], days: Sequence[date]
) -> Mapping[int, Sequence[int | None]]:
    """Return the value of each site's stock on the last days of months, and then on any day.

    It is None before the stock is known.
    """
    firsts = first_days(site_ids)
    month = func.substr(cast(ItemUse.day, String), 1, len("2011-12")).label("month")
    statement = (
        select(Item.site_id, ItemUse.item_id, month, func.sum(ItemUse.delta).label("delta"))
        .join(Item, Item.id == ItemUse.item_id)
        .where(Item.site_id.in_(site_ids), ItemUse.day <= days[-1], ItemUse.delta != 0)
        .group_by(Item.site_id, ItemUse.item_id, month)
        .order_by(month)
    )
    changes = iter(db.session.execute(statement).all())
    prices = _prices_until(_price_changes(site_ids, days[-1], None), days)
    amounts: dict[tuple[int, int], int] = defaultdict(int)
    values: dict[int, list[int | None]] = {id_: [] for id_ in site_ids}
    change = next(changes, None)
    for day, priced in zip(days, prices, strict=True):
        while change and change.month <= f"{day:%Y-%m}":
            amounts[change.site_id, change.item_id] += int(change.delta)
            change = next(changes, None)
        worth = dict.fromkeys(site_ids, 0)
        for (site_id, item_id), amount in amounts.items():
            worth[site_id] += amount * priced.get(item_id, 0)
        for site_id, first in ((id_, firsts.get(id_)) for id_ in site_ids):
            values[site_id].append(worth[site_id] if first and first <= day else None)
    return values


def late_entries(
    site_ids: Collection[int], day: date, recorded_by: date, limit: int
) -> Sequence[LateEntry]:
    """Return changes up to a day that were recorded after another day, the latest first."""
    end = dates.end_of_day(recorded_by)
    statement = (
        select(LedgerEntry, Item.name, StockSite.site, StockOperation.recorded_at)
        .join(Item, Item.id == LedgerEntry.item_id)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
        .where(*_until(site_ids, day), StockOperation.recorded_at >= end, LedgerEntry.delta != 0)
        .order_by(LedgerEntry.id.desc())
        .limit(limit)
    )
    return [
        LateEntry(
            entry.item_id,
            site,
            name,
            dates.london_day(entry.effective_at),
            dates.london_day(recorded_at),
            entry.delta,
        )
        for entry, name, site, recorded_at in db.session.execute(statement)
    ]


def _until(site_ids: Collection[int], day: date) -> Sequence[Any]:
    return (
        LedgerEntry.site_id.in_(site_ids),
        LedgerEntry.imported_amount.is_(None),
        LedgerEntry.effective_at < dates.end_of_day(day),
    )


def _recorded_until(recorded_by: date) -> Any:
    recorded = select(StockOperation.id).where(
        StockOperation.recorded_at < dates.end_of_day(recorded_by)
    )
    return LedgerEntry.operation_id.in_(recorded)


def _amounts(site_ids: Collection[int], day: date) -> Select[int, int]:
    statement = select(ItemUse.item_id, func.sum(ItemUse.delta)).group_by(ItemUse.item_id)
    of_site = statement.join(Item, Item.id == ItemUse.item_id).where(Item.site_id.in_(site_ids))
    return of_site.where(ItemUse.day <= day)


def _recorded_amounts(site_ids: Collection[int], day: date, recorded_by: date) -> Select[int, int]:
    statement = select(LedgerEntry.item_id, func.sum(LedgerEntry.delta))
    recorded = statement.where(*_until(site_ids, day), _recorded_until(recorded_by))
    return recorded.group_by(LedgerEntry.item_id)


def _price_changes(site_ids: Collection[int], day: date, recorded_by: date | None) -> Iterable[Any]:
    """Return the entries up to a day that set a price, in their order."""
    changed = cast(LedgerEntry.changes, String)
    sets_price = or_(changed.contains('"unit_price"'), changed.contains('"removed"'))
    statement = select(LedgerEntry.item_id, LedgerEntry.effective_at, LedgerEntry.unit_price)
    conditions = [*_until(site_ids, day), LedgerEntry.changes.is_not(None), sets_price]
    if recorded_by:
        conditions.append(_recorded_until(recorded_by))
    ordered = statement.where(*conditions).order_by(LedgerEntry.effective_at, LedgerEntry.id)
    return db.session.execute(ordered).all()


def _prices_until(changes: Iterable[Any], days: Sequence[date]) -> Sequence[Mapping[int, int]]:
    """Return the prices on some days, by item, from changes in their order."""
    remaining = iter(changes)
    change = next(remaining, None)
    prices: dict[int, int] = {}
    found = []
    for day in days:
        end = dates.end_of_day(day)
        while change and change.effective_at < end:
            prices[change.item_id] = change.unit_price
            change = next(remaining, None)
        found.append(dict(prices))
    return found
