"""The current stock: lists, items and categories."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, and_, or_, select

from app import names
from app.db import db, stream_columns
from app.divisions import Site, Store
from app.errors import NotFound
from app.paging import COUNT_LIMIT, MAX_ID, AtLeast
from app.sorting import SortOrder
from app.stock.models import Item, StockSite
from app.stock.queries import level_statements as statements
from app.stock.queries.level_statements import at
from app.stock.rules.items import ItemState, NoSuchItem
from app.stock.rules.sorting import STOCK_ORDERS
from app.sums import capped

ROWS_AT_A_TIME = 100
ALL_ROWS = MAX_ID

StockRow = Row[int, str, int, str, int, str]
ListedRow = Row[int, str, int, str, int, str, int]


@dataclass(frozen=True)
class StockRows:
    """Consecutive rows of a site's list; `next_key` is the key before the next rows."""

    rows: Sequence[ListedRow]
    total: int
    next_key: str | None


@dataclass(frozen=True)
class StockFilters:
    """The filters of a stock list, words of the name and one category, and its order."""

    search: str = ""
    category: str = ""
    order: SortOrder = STOCK_ORDERS.default

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.category)

    @property
    def args(self) -> dict[str, Any]:
        """Return the filters and the order as arguments of the list's URL."""
        order = "" if self.order == STOCK_ORDERS.default else str(self.order)
        values = {"q": self.search, "category": self.category, "sort": order}
        return {name: value for name, value in values.items() if value}

    @property
    def words(self) -> list[str]:
        """Return the words of the name as keys."""
        return names.search_words(self.search)


def site_ids(stores: Collection[Store]) -> dict[Store, int]:
    """Return the ids of some stores' rows; raises NotFound for an unknown store."""
    statement = select(StockSite.id, StockSite.division, StockSite.site).where(
        or_(*(and_(StockSite.division == s.division, StockSite.site == s.site) for s in stores))
    )
    ids = {Store(row.division, row.site): row.id for row in db.session.execute(statement)}
    for store in stores:
        if store not in ids:
            raise NotFound(f"{store.division.label} keeps no stock at {store.site}.")
    return ids


def site_state(store: Store) -> Row[int, bool]:
    """Return a store's `version`, and whether its page `hides_count`, the stock check.

    The version is a number that changes with every change of the store's stock.
    """
    return db.session.execute(statements.SITE, at(store)).one()


def load_rows(
    store: Store, filters: StockFilters, after: str = "", limit: int = ROWS_AT_A_TIME
) -> StockRows:
    """Return the rows after `after`, the `next_key` of the rows before, and the total of all.

    With filters the total is AtLeast COUNT_LIMIT if there are more matches.
    """
    found = _found_rows(store, filters, after, limit + 1)
    rows = found[:limit]
    next_key = _place_of(rows[-1], filters.order) if len(found) > limit else None
    if not rows:
        return StockRows((), count_items(store, filters) if after else 0, None)
    total = rows[0].total
    return StockRows(rows, capped(total) if filters else total, next_key)


def _found_rows(store: Store, filters: StockFilters, after: str, limit: int) -> Sequence[ListedRow]:
    order, words, category = filters.order, filters.words, filters.category
    place = _parse_place(after, order) if after else None
    is_start = place is None
    value, key = place or (None, "")
    values = at(store, after=key, after_value=value, limit=limit)
    is_default = order == STOCK_ORDERS.default
    if is_default and not filters:
        return db.session.execute(statements.LISTED, values).all()
    total: int | None = None
    few = statements.few_listed(words, category, order, is_start=is_start) if filters else None
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
    statement = statements.listed(
        words, category, total or None, order, is_start=is_start, few=is_few
    )
    return db.session.execute(statement, values).all()


def _place_of(row: ListedRow, order: SortOrder) -> str:
    """Return the place after a row in a list, as text for its URL."""
    key = names.key(row.name)
    column = statements.SORTED_BY.get(order.by)
    return key if column is None else json.dumps([getattr(row, column.key), key])


def _parse_place(text: str, order: SortOrder) -> tuple[Any, str] | None:
    """Return the value and the key of a row's place, None for another text."""
    if order.by not in statements.SORTED_BY:
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
        return db.session.execute(statements.COUNT, at(store)).scalar_one()
    statement = statements.count(filters.words, filters.category)
    return capped(db.session.execute(statement, at(store)).scalar_one())


def load_row(store: Store, item_id: int) -> ListedRow | None:
    """Return the row of one live item."""
    return db.session.execute(statements.ROW, at(store, item_id=item_id)).one_or_none()


def all_stock(store: Store) -> Iterator[StockRow]:
    """Stream a store's live items, ordered by name."""
    return stream_columns(statements.ROWS.params(at(store)))


def get_item(store: Store, item_id: int) -> Item:
    """Return a live item; raises NotFound."""
    statement = statements.ITEM.where(Item.id == item_id)
    item = db.session.execute(statement, at(store)).scalar_one_or_none()
    if item is None:
        raise NoSuchItem
    return item


def find_item(store: Store, name: str) -> Item | None:
    """Return the live item with a name, or None."""
    statement = statements.ITEM.where(Item.name_key == names.key(name))
    return db.session.execute(statement, at(store)).scalar_one_or_none()


def elsewhere(store: Store, name_key: str) -> Sequence[Row[Site, int, int]]:
    """Return the live items of a name at the division's other sites: `site`, `id`, `amount`."""
    statement = (
        select(StockSite.site, Item.id, Item.amount)
        .join(Item, Item.site_id == StockSite.id)
        .where(
            StockSite.division == store.division,
            StockSite.site != store.site,
            Item.name_key == name_key,
            Item.removed_at.is_(None),
        )
        .order_by(StockSite.id)
    )
    return db.session.execute(statement).all()


def search_items(store: Store, search: str, limit: int) -> Sequence[ListedRow]:
    """Return up to `limit` live items whose names contain every word, by name."""
    return load_rows(store, StockFilters(search), limit=limit).rows


def items_by_key(store: Store) -> dict[str, ItemState]:
    """Return all live items by the keys of their names."""
    items = db.session.execute(statements.ITEM, at(store)).scalars()
    return {item.name_key: state_of(item) for item in items}


def state_of(item: Item) -> ItemState:
    """Return an item as the ItemState of the rules."""
    return ItemState(
        id=item.id,
        name=item.name,
        amount=item.amount,
        category=item.category,
        unit_price=item.unit_price,
        unit=item.unit,
        removed=item.removed_at is not None,
    )


def categories(store: Store) -> Sequence[str]:
    """Return the categories in use at a store, by name."""
    used = db.session.execute(statements.CATEGORIES, at(store)).scalars()
    return sorted(used, key=names.key)
