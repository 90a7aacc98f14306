"""The statements that read the current stock; the store and the place in its list are bound.

Those of the list cost what they return, however many items a store has: its names and its
categories are read in the order of an index, and the matches of a search are counted up to a limit.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, literal, select

from app.divisions import Store
from app.paging import COUNT_LIMIT
from app.search import TextIndex
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
ROWS_AFTER = ROWS.where(Item.name_key > bindparam("after")).limit(bindparam("limit"))

ROW = _COLUMNS.where(Item.id == bindparam("item_id")).add_columns(literal(1).label("total"))
"""A page of one item."""

COUNT = select(StockSite.items).where(*_IS_STORE)
LISTED = ROWS_AFTER.add_columns(COUNT.scalar_subquery().label("total"))
"""A page of the whole list; each row has the total."""


def _categories() -> Select[str]:
    """Return the statement of the categories in use: the first, and again the one that follows."""
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


def few_listed(words: Collection[str], category: str) -> ListedColumns | None:
    """Return the statement of a page that is right for up to COUNT_LIMIT matches.

    Each row has their number, above COUNT_LIMIT if there are more. It is None for words that no
    index finds.
    """
    found = ITEM_NAMES.look_up(_COLUMNS.add_columns(Item.name_key), words)
    if found is None:
        return None
    few = found.where(*_in_category(category)).limit(COUNT_LIMIT + 1).cte("few")
    total = select(func.count()).select_from(few.alias("counted")).scalar_subquery()
    *columns, key = few.c
    statement: ListedColumns = select(*columns, total.label("total"))
    return statement.where(key > bindparam("after")).order_by(key).limit(bindparam("limit"))


def listed(words: Collection[str], category: str, total: int | None = None) -> ListedColumns:
    """Return the statement of a page that reads names in their order until enough match.

    Each row has the total, which is counted if it isn't given.
    """
    matches = (*ITEM_NAMES.compare(words), *_in_category(category))
    counted = count(words, category).scalar_subquery() if total is None else literal(total)
    return ROWS_AFTER.where(*matches).add_columns(counted.label("total"))


def _in_category(category: str) -> Sequence[ColumnElement[bool]]:
    return [Item.category == category] if category else []
