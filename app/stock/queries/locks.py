"""Items and sites, locked until the transaction ends.

Items are always locked in the order of their ids and before their sites, so that changes of the
same items wait in turn instead of for each other.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, or_, select, true
from sqlalchemy.orm import aliased

from app import names
from app.db import db, execute
from app.divisions import Store
from app.fields import fields_of
from app.lists import batches
from app.stock.models import Item, StockSite
from app.stock.queries import levels
from app.stock.rules.items import ItemState, NoSuchItem

_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_NAMED = aliased(Item)
_IS_LIVE = Item.removed_at.is_(None)
_CONDITIONS = {
    "live": true(),
    "keys": Item.name_key.in_(bindparam("keys", expanding=True)),
    "ids": Item.id.in_(_IDS),
    "namesakes": Item.name_key.in_(select(_NAMED.name_key).where(_NAMED.id.in_(_IDS))),
}


@dataclass(frozen=True, slots=True)
class LockedItem:
    """A locked item with its name's key, edits (`revision`) and minimum in force, if any."""

    site_id: int
    state: ItemState
    key: str
    revision: int
    minimum: int | None

    @property
    def is_low(self) -> bool:
        """Return whether it is below its minimum."""
        is_below = self.minimum is not None and self.state.amount < self.minimum
        return is_below and not self.state.removed


@dataclass(frozen=True)
class LockedStock:
    """Some locked items by id, and the ids of the sites they belong to."""

    site_ids: Mapping[Store, int]
    items: Mapping[int, LockedItem]

    def by_key(self, store: Store) -> dict[str, ItemState]:
        """Return the items of one site by the keys of their names, in the order of their ids."""
        site_id = self.site_ids[store]
        return {item.key: item.state for item in self.items.values() if item.site_id == site_id}


def lock_items(
    stores: Sequence[Store],
    item_names: Collection[str] = (),
    *,
    ids: Collection[int] = (),
    namesakes: bool = False,
) -> LockedStock:
    """Lock the live items of some stores with these names or ids.

    With `namesakes` other items with the names of the `ids` are locked too. One statement reads
    them all, so that their order holds: some 30,000 names at most.
    """
    values = {"keys": sorted({names.key(name) for name in item_names}), "ids": list(ids)}
    given = {name: each for name, each in values.items() if each}
    # An item is a namesake of itself.
    called = {"ids": "namesakes"} if namesakes else {}
    return _lock(stores, tuple(called.get(name, name) for name in given), given)


def lock_item(store: Store, item_id: int) -> tuple[LockedStock, LockedItem]:
    """Lock one live item; raises NotFound."""
    stock = lock_items([store], ids=[item_id])
    if item_id not in stock.items:
        raise NoSuchItem
    return stock, stock.items[item_id]


def lock_past_items(stores: Sequence[Store], ids: Collection[int]) -> LockedStock:
    """Lock the items of some stores with these ids, removed ones included."""
    items: dict[int, LockedItem] = {}
    for batch in batches(sorted(ids)):
        items |= _lock(stores, ("ids",), {"ids": batch}, past=True).items
    return LockedStock(levels.site_ids(stores), items)


def lock_whole_stock(store: Store) -> LockedStock:
    """Lock all live items of a store."""
    return _lock([store], ("live",), {})


def lock_site(store: Store) -> StockSite:
    """Lock a store's row and return it."""
    statement = select(StockSite).filter_by(division=store.division, site=store.site)
    locked = statement.with_for_update(key_share=True)
    return db.session.execute(locked, execution_options={"populate_existing": True}).scalar_one()


def _lock(
    stores: Sequence[Store],
    conditions: tuple[str, ...],
    values: Mapping[str, Any],
    *,
    past: bool = False,
) -> LockedStock:
    items: dict[int, LockedItem] = {}
    site_ids: tuple[int, ...] = ()
    if conditions:
        at_stores: dict[str, str] = {}
        for n, store in enumerate(stores):
            at_stores |= {f"division_{n}": store.division, f"site_{n}": store.site}
        rows = execute(_statement(len(stores), conditions, past), {**at_stores, **values})
        for row in rows:
            state, (key, revision, site_id, minimum), site_ids = row[:7], row[7:11], row[11:]
            items[row[0]] = LockedItem(site_id, ItemState(*state), key, revision, minimum)
    if not items:
        return LockedStock(levels.site_ids(stores), items)
    return LockedStock(dict(zip(stores, site_ids, strict=True)), items)


@cache
def _statement(stores: int, conditions: tuple[str, ...], past: bool) -> Select[*tuple[Any, ...]]:
    site_ids = [
        select(StockSite.id)
        .where(
            StockSite.division == bindparam(f"division_{n}"),
            StockSite.site == bindparam(f"site_{n}"),
        )
        .scalar_subquery()
        for n in range(stores)
    ]
    statement = (
        select(
            Item.id,
            *(getattr(Item, name) for name in fields_of(ItemState)),
            Item.removed_at.is_not(None),
            Item.name_key,
            Item.revision,
            Item.site_id,
            Item.minimum,
            *site_ids,
        )
        .where(Item.site_id.in_(site_ids), or_(*(_CONDITIONS[name] for name in conditions)))
        .order_by(Item.id)
        .with_for_update(key_share=True)
    )
    return statement if past else statement.where(_IS_LIVE)
