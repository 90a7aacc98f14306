"""Items and sites, locked until the transaction ends.

Items are always locked in the order of their ids and before their sites, so that changes of the
same items wait in turn instead of for each other.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, false, or_, select
from sqlalchemy.orm import aliased

from app import names
from app.db import db
from app.divisions import Store
from app.lists import batches
from app.stock.models import Item, StockSite
from app.stock.queries import levels
from app.stock.rules.items import ItemState, NoSuchItem


@dataclass(frozen=True)
class LockedStock:
    """Some locked items by id, and the ids of the sites they belong to."""

    site_ids: Mapping[Store, int]
    items: Mapping[int, Item]

    def at(self, store: Store) -> list[ItemState]:
        """Return the states of the items of one site, in the order of their ids."""
        site_id = self.site_ids[store]
        return [levels.state_of(i) for i in self.items.values() if i.site_id == site_id]

    def by_key(self, store: Store) -> dict[str, ItemState]:
        """Return the states of the items of one site by the keys of their names."""
        return {names.key(item.name): item for item in self.at(store)}


def lock_items(
    stores: Sequence[Store],
    item_names: Collection[str] = (),
    *,
    ids: Collection[int] = (),
    namesakes: bool = False,
) -> LockedStock:
    """Lock the live items of some stores that have one of these names or ids.

    With `namesakes` those that have the name of one of the `ids` are locked too. One statement
    reads them all, so that their order holds; engines limit it to some 30,000 names.
    """
    conditions: list[ColumnElement[bool]] = [false()]
    if item_names:
        conditions.append(Item.name_key.in_(sorted({names.key(name) for name in item_names})))
    if ids:
        conditions.append(Item.id.in_(ids))
    if ids and namesakes:
        named = aliased(Item)
        conditions.append(Item.name_key.in_(select(named.name_key).where(named.id.in_(ids))))
    site_ids = levels.site_ids(stores)
    return LockedStock(site_ids, _lock(site_ids, Item.removed_at.is_(None), or_(*conditions)))


def lock_item(store: Store, item_id: int) -> tuple[LockedStock, Item]:
    """Lock one live item; raises NotFound."""
    stock = lock_items([store], ids=[item_id])
    if item_id not in stock.items:
        raise NoSuchItem
    return stock, stock.items[item_id]


def lock_past_items(stores: Sequence[Store], ids: Collection[int]) -> LockedStock:
    """Lock the items of some stores that have one of these ids, removed ones included."""
    site_ids = levels.site_ids(stores)
    items: dict[int, Item] = {}
    for batch in batches(sorted(ids)):
        items |= _lock(site_ids, Item.id.in_(batch))
    return LockedStock(site_ids, items)


def lock_whole_stock(store: Store) -> LockedStock:
    """Lock all live items of a store."""
    site_ids = levels.site_ids([store])
    return LockedStock(site_ids, _lock(site_ids, Item.removed_at.is_(None)))


def lock_site(store: Store) -> StockSite:
    """Lock a store's row and return it."""
    return db.session.execute(
        select(StockSite)
        .filter_by(division=store.division, site=store.site)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).scalar_one()


def _lock(site_ids: Mapping[Store, int], *conditions: ColumnElement[bool]) -> dict[int, Item]:
    statement = (
        select(Item)
        .where(Item.site_id.in_(site_ids.values()), *conditions)
        .order_by(Item.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return {item.id: item for item in db.session.execute(statement).scalars()}
