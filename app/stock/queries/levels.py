"""The current stock: lists, items and categories.

A list's statements cost as much as their result, however many items a store has: names and
categories are read in the order of an index, and the matches of a search are counted up to a limit.
The store and the place in its list are bound.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Row,
    Select,
    bindparam,
    false,
    func,
    literal,
    literal_column,
    select,
    tuple_,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app import names
from app.db import db, stream_columns
from app.divisions import Site, Store
from app.errors import NotFound
from app.fields import state_of
from app.paging import COUNT_LIMIT, MAX_ID, AtLeast
from app.search import TextIndex, distinct_values, without_index
from app.sorting import SortOrder
from app.stock.models import LOW, Item, StockSite
from app.stock.rules.filters import STOCK_ORDERS, StockFilters
from app.stock.rules.items import ItemState, NoSuchItem
from app.sums import capped, capped_count

ROWS_AT_A_TIME = 100
ALL_ROWS = MAX_ID

StockRow = Row[int, str, int, str, int, str]
ListedRow = Row[int, str, int, str, int, str, int, bool]
ListedColumns = Select[int, str, int, str, int, str, int, bool]

ITEM_NAMES = TextIndex(Item.id, Item.name_key)


def _at(store: Store, **values: Any) -> dict[str, Any]:
    return {"division": store.division, "site": store.site, **values}


_IS_STORE = (StockSite.division == bindparam("division"), StockSite.site == bindparam("site"))
_STORE_ID = select(StockSite.id).where(*_IS_STORE).scalar_subquery()
_IS_LIVE = (Item.site_id == _STORE_ID, Item.removed_at.is_(None))
_COLUMNS = select(Item.id, Item.name, Item.amount, Item.category, Item.unit_price, Item.unit).where(
    *_IS_LIVE
)

_IS_LOW = func.coalesce(Item.amount < Item.minimum, false()).label("is_low")

_ALL = aliased(StockSite)
_VERSIONS = select(func.sum(_ALL.version)).where(_ALL.division == bindparam("division"))
_SITE = select(
    StockSite.version,
    StockSite.levels_version,
    StockSite.hides_count,
    _VERSIONS.scalar_subquery().label("division_version"),
).where(*_IS_STORE)
_ITEM = select(Item).where(*_IS_LIVE)
_ROWS = _COLUMNS.order_by(Item.name_key)
_ROW = _COLUMNS.where(Item.id == bindparam("item_id")).add_columns(
    literal(1).label("total"), _IS_LOW
)

_COUNT = select(StockSite.items).where(*_IS_STORE)
_SORTED_BY: Mapping[str, Sequence[InstrumentedAttribute[Any]]] = {
    "item": (),
    "amount": (Item.amount,),
    "category": (Item.category,),
    "price": (Item.unit_price,),
}
"""The columns that a list is sorted by before the name; an index has them with the name."""

_LISTED = (
    _ROWS.where(Item.name_key > bindparam("after"))
    .limit(bindparam("limit"))
    .add_columns(_COUNT.scalar_subquery().label("total"), _IS_LOW)
)
"""A page of the whole list; each row has the total."""


_USED = distinct_values(Item.category, Item.category > "", *_IS_LIVE)
_CATEGORIES = select(_USED.c.value).where(_USED.c.value.is_not(None))


def _matching_count(filters: StockFilters) -> Select[int]:
    return capped_count(_matching(filters, *_IS_LIVE))


def matching_items(store: Store, filters: StockFilters) -> Select[int]:
    """Return the statement of the items that match filters, which can stand beside others."""
    is_store = (StockSite.division == store.division, StockSite.site == store.site)
    site = select(StockSite.id).where(*is_store).scalar_subquery()
    return _matching(filters, Item.site_id == site, Item.removed_at.is_(None))


def _matching(filters: StockFilters, *where: ColumnElement[bool]) -> Select[int]:
    matches = select(Item.id).where(*where, *_chosen(filters))
    found = ITEM_NAMES.look_up(matches, filters.words)
    return matches.where(*ITEM_NAMES.compare(filters.words)) if found is None else found


def _few_listed(filters: StockFilters, *, is_start: bool) -> ListedColumns | None:
    """Return a page's statement for up to COUNT_LIMIT matches, None for words without an index."""
    found = ITEM_NAMES.look_up(_COLUMNS.add_columns(_IS_LOW, Item.name_key), filters.words)
    if found is None:
        return None
    few = found.where(*_chosen(filters)).limit(COUNT_LIMIT + 1).cte("few")
    total = select(func.count()).select_from(few.alias("counted")).scalar_subquery()
    *values, is_low, key = few.c
    statement: ListedColumns = select(*values, total.label("total"), is_low)
    columns = [*(few.c[column.key] for column in _SORTED_BY[filters.order.by]), key]
    return _in_order(statement, columns, filters.order, is_start=is_start)


def _listed(
    filters: StockFilters, total: int | None, *, is_start: bool, few: bool
) -> ListedColumns:
    """Return a page's statement that reads in an order until enough match; a `few` are sorted."""
    # Else SQLite sorts all items of a category, however many they are.
    by_row = filters.order.by not in ("item", "category") and not few
    matches = (*ITEM_NAMES.compare(filters.words), *_chosen(filters, by_row=by_row))
    counted = _matching_count(filters).scalar_subquery() if total is None else literal(total)
    columns = [*_SORTED_BY[filters.order.by], Item.name_key]
    statement = _COLUMNS.where(*matches).add_columns(counted.label("total"), _IS_LOW)
    return _in_order(statement, columns, filters.order, is_start=is_start)


def _in_order(
    statement: ListedColumns, columns: Sequence[Any], order: SortOrder, *, is_start: bool
) -> ListedColumns:
    """Sort a statement in one direction, as its index, from the start or after bound values."""
    if not is_start:
        bounds = ("after_value", "after")[-len(columns) :]
        row, last = tuple_(*columns), tuple_(*map(bindparam, bounds))
        statement = statement.where(row < last if order.descending else row > last)
    directed = [column.desc() if order.descending else column for column in columns]
    return statement.order_by(*directed).limit(bindparam("limit"))


def _chosen(filters: StockFilters, *, by_row: bool = False) -> Sequence[ColumnElement[bool]]:
    category = without_index(Item.category) if by_row else Item.category
    return [
        *([category == filters.category] if filters.category else []),
        *([literal_column(LOW, Boolean)] if filters.is_low else []),
    ]


@dataclass(frozen=True)
class StockRows:
    """Consecutive rows of a site's list; `next_key` is the key before the next rows."""

    rows: Sequence[ListedRow]
    total: int
    next_key: str | None


def site_ids(stores: Collection[Store]) -> dict[Store, int]:
    """Return the ids of some stores' rows; raises NotFound for an unknown store."""
    place = tuple_(StockSite.division, StockSite.site)
    statement = select(StockSite.id, StockSite.division, StockSite.site).where(
        place.in_([(store.division, store.site) for store in stores])
    )
    ids = {Store(division, site): id_ for id_, division, site in db.session.execute(statement)}
    for store in stores:
        if store not in ids:
            raise NotFound(f"{store.division.label} keeps no stock at {store.site}.")
    return ids


def site_state(store: Store) -> Row[int, int, bool, int]:
    """Return a store's versions, if it `hides_count`, and the `division_version` of all sites."""
    return db.session.execute(_SITE, _at(store)).one()


def load_rows(
    store: Store, filters: StockFilters, after: str = "", limit: int = ROWS_AT_A_TIME
) -> StockRows:
    """Return the rows after `after`; the total with filters is AtLeast COUNT_LIMIT for more."""
    found = _found_rows(store, filters, after, limit + 1)
    rows = found[:limit]
    next_key = None
    if len(found) > limit:
        key = names.key(rows[-1].name)
        values = [getattr(rows[-1], column.key) for column in _SORTED_BY[filters.order.by]]
        next_key = json.dumps([*values, key]) if values else key
    if not rows:
        return StockRows((), count_items(store, filters) if after else 0, None)
    total = rows[0].total
    return StockRows(rows, capped(total) if filters else total, next_key)


def _found_rows(store: Store, filters: StockFilters, after: str, limit: int) -> Sequence[ListedRow]:
    order = filters.order
    place = _parse_place(after, order) if after else None
    is_start, (value, key) = place is None, place or (None, "")
    values = _at(store, after=key, after_value=value, limit=limit)
    is_default = order == STOCK_ORDERS.default
    if is_default and not filters:
        return db.session.execute(_LISTED, values).all()
    total: int | None = None
    few = _few_listed(filters, is_start=is_start) if filters else None
    if few is not None:
        rows = db.session.execute(few, values).all()
        total = rows[0].total if rows else 0
        if total <= COUNT_LIMIT and (rows or is_start):
            return rows
    # There may be more than a few; so many are soon found in the order of an index.
    if not is_default:
        total = count_items(store, filters)
    is_few = not is_default and bool(filters) and total is not None and total < COUNT_LIMIT
    if isinstance(total, AtLeast):
        total = COUNT_LIMIT + 1
    statement = _listed(filters, total or None, is_start=is_start, few=is_few)
    return db.session.execute(statement, values).all()


def _parse_place(text: str, order: SortOrder) -> tuple[Any, str] | None:
    if not _SORTED_BY[order.by]:
        return None, text
    try:
        value, key = json.loads(text)
    except (TypeError, ValueError):
        return None
    if not isinstance(key, str) or "\0" in text + key:
        return None
    if order.by == "category":
        return (value, key) if isinstance(value, str) and "\0" not in value else None
    return (value, key) if isinstance(value, int) and abs(value) <= MAX_ID else None


def count_items(store: Store, filters: StockFilters) -> int:
    """Return the number of items that match the filters, AtLeast COUNT_LIMIT if there are more."""
    if not filters:
        return db.session.execute(_COUNT, _at(store)).scalar_one()
    statement = _matching_count(filters)
    return capped(db.session.execute(statement, _at(store)).scalar_one())


def load_row(store: Store, item_id: int) -> ListedRow | None:
    """Return the row of one live item."""
    return db.session.execute(_ROW, _at(store, item_id=item_id)).one_or_none()


def all_stock(store: Store, filters: StockFilters | None = None) -> Iterator[StockRow]:
    """Stream a store's live items that match, ordered by name."""
    found = (*ITEM_NAMES.compare(filters.words), *_chosen(filters)) if filters else ()
    return stream_columns(_ROWS.where(*found).params(_at(store)))


def get_item(store: Store, item_id: int) -> Item:
    """Return a live item; raises NotFound."""
    statement = _ITEM.where(Item.id == item_id)
    item = db.session.execute(statement, _at(store)).scalar_one_or_none()
    if item is None:
        raise NoSuchItem
    return item


def find_item(store: Store, name: str) -> Item | None:
    """Return the live item with a name, or None."""
    statement = _ITEM.where(Item.name_key == names.key(name))
    return db.session.execute(statement, _at(store)).scalar_one_or_none()


def names_like(store: Store, name: str) -> Sequence[str]:
    """Return the names of live items that begin with a name, or are about as long."""
    key, length = names.key(name), func.length(Item.name_key)
    is_near = length.between(len(key) - names.MAX_EDITS, len(key) + names.MAX_EDITS)
    is_like = Item.name_key.startswith(key, autoescape=True) | is_near
    statement = select(Item.name).where(*_IS_LIVE, is_like).order_by(Item.name_key)
    return db.session.execute(statement, _at(store)).scalars().all()


def elsewhere(store: Store, name_key: str) -> Sequence[Row[Site, int, int]]:
    """Return the live items of a name at the division's other sites: `site`, `id`, `amount`."""
    is_other = (StockSite.division == store.division, StockSite.site != store.site)
    statement = (
        select(StockSite.site, Item.id, Item.amount)
        .join(Item, Item.site_id == StockSite.id)
        .where(*is_other, Item.name_key == name_key, Item.removed_at.is_(None))
        .order_by(StockSite.id)
    )
    return db.session.execute(statement).all()


def items_by_key(store: Store) -> dict[str, ItemState]:
    """Return all live items by the keys of their names."""
    items = db.session.execute(_ITEM, _at(store)).scalars()
    return {item.name_key: state_of(ItemState, item, id=item.id) for item in items}


def categories(store: Store) -> Sequence[str]:
    """Return the categories in use at a store, by name."""
    used = db.session.execute(_CATEGORIES, _at(store)).scalars()
    return sorted(used, key=names.key)
