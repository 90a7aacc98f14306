"""The statements that read the current stock; the store and the place in its list are bound.

A list's statements cost as much as their result, however many items a store has: names and
categories are read in the order of an index, and the matches of a search are counted up to a limit.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    func,
    literal,
    select,
    tuple_,
)
from sqlalchemy.orm import InstrumentedAttribute

from app.divisions import Store
from app.paging import COUNT_LIMIT
from app.search import TextIndex, without_index
from app.sorting import SortOrder
from app.stock.models import Item, StockSite

ITEM_NAMES = TextIndex(Item.id, Item.name_key)

ListedColumns = Select[int, str, int, str, int, str, int]


def at(store: Store, **values: Any) -> dict[str, Any]:
    """Return the values to bind in a statement of this module."""
    return {"division": store.division, "site": store.site, **values}


_IS_STORE = (
    StockSite.division == bindparam("division"),
    StockSite.site == bindparam("site"),
)
_STORE_ID = select(StockSite.id).where(*_IS_STORE).scalar_subquery()
_IS_LIVE = (Item.site_id == _STORE_ID, Item.removed_at.is_(None))
_COLUMNS = select(Item.id, Item.name, Item.amount, Item.category, Item.unit_price, Item.unit).where(
    *_IS_LIVE
)

SITE = select(StockSite.version, StockSite.hides_count).where(*_IS_STORE)
ITEM = select(Item).where(*_IS_LIVE)
ROWS = _COLUMNS.order_by(Item.name_key)

ROW = _COLUMNS.where(Item.id == bindparam("item_id")).add_columns(literal(1).label("total"))
"""A page of one item."""

COUNT = select(StockSite.items).where(*_IS_STORE)
SORTED_BY: Mapping[str, InstrumentedAttribute[Any]] = {
    "amount": Item.amount,
    "category": Item.category,
    "price": Item.unit_price,
}
"""The columns that a list is sorted by other than the name; each has an index with the name."""

LISTED = (
    ROWS.where(Item.name_key > bindparam("after"))
    .limit(bindparam("limit"))
    .add_columns(COUNT.scalar_subquery().label("total"))
)
"""A page of the whole list; each row has the total."""


def _categories() -> Select[str]:
    """Return the statement of the categories in use, which steps from each to the next."""
    first = select(func.min(Item.category).label("category")).where(*_IS_LIVE)
    used = first.where(Item.category > "").cte("used", recursive=True)
    following = first.where(Item.category > used.c.category).scalar_subquery()
    used = used.union_all(select(following).where(used.c.category.is_not(None)))
    return select(used.c.category).where(used.c.category.is_not(None))


CATEGORIES = _categories()


def count(words: Collection[str], category: str) -> Select[int]:
    """Return the statement that counts the items of these filters, up to one above COUNT_LIMIT."""
    matches = select(Item.id).where(*_IS_LIVE, *_in_category(category))
    found = ITEM_NAMES.look_up(matches, words)
    if found is None:
        found = matches.where(*ITEM_NAMES.compare(words))
    return select(func.count()).select_from(found.limit(COUNT_LIMIT + 1).subquery())


def few_listed(
    words: Collection[str], category: str, order: SortOrder, *, is_start: bool
) -> ListedColumns | None:
    """Return the statement of a page that is right for up to COUNT_LIMIT matches.

    Each row has their number, above COUNT_LIMIT if there are more. Returns None for words without
    an index.
    """
    found = ITEM_NAMES.look_up(_COLUMNS.add_columns(Item.name_key), words)
    if found is None:
        return None
    few = found.where(*_in_category(category)).limit(COUNT_LIMIT + 1).cte("few")
    total = select(func.count()).select_from(few.alias("counted")).scalar_subquery()
    *values, key = few.c
    statement: ListedColumns = select(*values, total.label("total"))
    column = SORTED_BY.get(order.by)
    columns = [key] if column is None else [few.c[column.key], key]
    return _in_order(statement, columns, order, is_start=is_start)


def listed(
    words: Collection[str],
    category: str,
    total: int | None,
    order: SortOrder,
    *,
    is_start: bool,
    few: bool = False,
) -> ListedColumns:
    """Return the statement of a page that reads items in an order until enough match.

    Each row has the total, which is counted unless given. A `few` are sorted instead.
    """
    column = SORTED_BY.get(order.by)
    # Else SQLite sorts all items of a category, however many they are.
    by_row = order.by not in ("item", "category") and not few
    matches = (*ITEM_NAMES.compare(words), *_in_category(category, by_row=by_row))
    counted = count(words, category).scalar_subquery() if total is None else literal(total)
    columns = [Item.name_key] if column is None else [column, Item.name_key]
    statement = _COLUMNS.where(*matches).add_columns(counted.label("total"))
    return _in_order(statement, columns, order, is_start=is_start)


def _in_order(
    statement: ListedColumns, columns: Sequence[Any], order: SortOrder, *, is_start: bool
) -> ListedColumns:
    """Sort a statement by columns, all in one direction, so that one index has both.

    It is limited, and begins at the start, else after the row of the bound values.
    """
    if not is_start:
        bounds: list[BindParameter[Any]] = [bindparam("after_value"), bindparam("after")]
        row, last = tuple_(*columns), tuple_(*bounds[-len(columns) :])
        statement = statement.where(row < last if order.descending else row > last)
    directed = [column.desc() if order.descending else column for column in columns]
    return statement.order_by(*directed).limit(bindparam("limit"))


def _in_category(category: str, *, by_row: bool = False) -> Sequence[ColumnElement[bool]]:
    if not category:
        return []
    return [(without_index(Item.category) if by_row else Item.category) == category]
