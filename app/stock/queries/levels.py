"""The current stock: lists, items, categories, and the teams that take it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    and_,
    column,
    func,
    or_,
    select,
    table,
)

from app import names
from app.db import db, stream_columns
from app.directory import queries as directory
from app.divisions import Division, Store
from app.errors import NotFound
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.rules.history import is_plausible_team
from app.stock.rules.items import ItemState, NoSuchItem

ROWS_AT_A_TIME = 100
MAX_TEAM_SUGGESTIONS = 100
TRIGRAM_LENGTH = 3

_item_search = table("item_search", column("rowid", Integer), column("name_key", String))

StockRow = Row[int, str, int, str, int, str]


@dataclass(frozen=True)
class StockRows:
    """Consecutive rows of a site's list; `next_key` is the key after which the next ones follow."""

    rows: Sequence[StockRow]
    total: int
    next_key: str | None


@dataclass(frozen=True)
class StockFilters:
    """The filters of a stock list: words of the name, and one category."""

    search: str = ""
    category: str = ""

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.category)


def site_ids(stores: Collection[Store]) -> dict[Store, int]:
    """Return the ids of some stores' rows; raises NotFound for one that isn't kept."""
    statement = select(StockSite.id, StockSite.division, StockSite.site).where(
        or_(*(and_(StockSite.division == s.division, StockSite.site == s.site) for s in stores))
    )
    ids = {Store(row.division, row.site): row.id for row in db.session.execute(statement)}
    for store in stores:
        if store not in ids:
            raise NotFound(f"{store.division.label} keeps no stock at {store.site}.")
    return ids


def hides_count(store: Store) -> bool:
    """Return whether a store's page hides the stock check."""
    return db.session.execute(
        select(StockSite.hides_count).filter_by(division=store.division, site=store.site)
    ).scalar_one()


def list_version(store: Store) -> int:
    """Return a number that changes with every change of the store's stock."""
    return db.session.execute(
        select(StockSite.version).filter_by(division=store.division, site=store.site)
    ).scalar_one()


def load_rows(
    store: Store, filters: StockFilters, after: str = "", limit: int = ROWS_AT_A_TIME
) -> StockRows:
    """Return the rows whose keys follow `after`, ordered by name."""
    total = count_items(store, filters)
    rows = rows_after(store, after, limit + 1, filters)
    has_more = len(rows) > limit
    rows = rows[:limit]
    return StockRows(rows, total, names.key(rows[-1].name) if has_more else None)


def rows_after(
    store: Store, key: str, limit: int, filters: StockFilters | None = None
) -> Sequence[StockRow]:
    """Return up to `limit` rows whose keys follow `key`, ordered by name."""
    live = _live(store, filters)
    statement = _row_columns().where(*live, Item.name_key > key).order_by(Item.name_key)
    return db.session.execute(statement.limit(limit)).all()


def count_items(store: Store, filters: StockFilters) -> int:
    """Return how many items match the filters."""
    statement = select(func.count()).select_from(Item).where(*_live(store, filters))
    return db.session.execute(statement).scalar_one()


def load_row(store: Store, item_id: int) -> StockRow | None:
    """Return the row of one live item."""
    return db.session.execute(_row_columns().where(*_live(store), Item.id == item_id)).one_or_none()


def all_stock(store: Store) -> Iterator[StockRow]:
    """Stream a store's live items, ordered by name."""
    return stream_columns(_row_columns().where(*_live(store)).order_by(Item.name_key))


def get_item(store: Store, item_id: int) -> Item:
    """Return a live item; raises NotFound."""
    item = db.session.execute(
        select(Item).where(*_live(store), Item.id == item_id)
    ).scalar_one_or_none()
    if item is None:
        raise NoSuchItem
    return item


def find_item(store: Store, name: str) -> Item | None:
    """Return the live item of a name, None where there is none."""
    return db.session.execute(
        select(Item).where(*_live(store), Item.name_key == names.key(name))
    ).scalar_one_or_none()


def search_items(store: Store, search: str, limit: int) -> Sequence[StockRow]:
    """Return up to `limit` live items whose names contain every word, by name."""
    live = _live(store, StockFilters(search))
    statement = _row_columns().where(*live).order_by(Item.name_key).limit(limit)
    return db.session.execute(statement).all()


def items_by_key(store: Store) -> dict[str, ItemState]:
    """Return all live items by the keys of their names."""
    statement = select(Item).where(*_live(store))
    return {item.name_key: state_of(item) for item in db.session.execute(statement).scalars()}


def state_of(item: Item) -> ItemState:
    """Return an item as an ItemState, which the rules take."""
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
    statement = select(Item.category).where(*_live(store), Item.category != "").distinct()
    return sorted(db.session.execute(statement).scalars(), key=names.key)


def suggest_teams(division: Division) -> Sequence[str]:
    """Return GPM's teams; for GFM the plausible ones of its history, the busiest first."""
    if division is Division.GPM:
        return directory.teams_offered()
    statement = (
        select(LedgerEntry.team)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(StockSite.division == division, LedgerEntry.team != "")
        .group_by(LedgerEntry.team)
        .order_by(func.count().desc(), LedgerEntry.team)
    )
    teams = db.session.execute(statement).scalars()
    return list(islice(filter(is_plausible_team, teams), MAX_TEAM_SUGGESTIONS))


def _row_columns() -> Select[int, str, int, str, int, str]:
    return select(Item.id, Item.name, Item.amount, Item.category, Item.unit_price, Item.unit)


def _live(store: Store, filters: StockFilters | None = None) -> list[ColumnElement[bool]]:
    where = [
        Item.site_id
        == select(StockSite.id)
        .filter_by(division=store.division, site=store.site)
        .scalar_subquery(),
        Item.removed_at.is_(None),
    ]
    if filters:
        where += name_contains(filters.search)
    if filters and filters.category:
        where.append(Item.category == filters.category)
    return where


def name_contains(search: str) -> list[ColumnElement[bool]]:
    """Return the conditions that an item's name contains every word, in any order.

    An index of trigrams finds words of three characters or more: PostgreSQL uses it by itself,
    in SQLite it is a table of its own.
    """
    words = names.search_words(search)
    if db.session.get_bind().dialect.name != "sqlite":
        return [Item.name_key.contains(word, autoescape=True) for word in words]
    indexed = [word for word in words if len(word) >= TRIGRAM_LENGTH]
    where = [Item.name_key.contains(word, autoescape=True) for word in words if word not in indexed]
    if indexed:
        quoted = " AND ".join('"' + word.replace('"', '""') + '"' for word in indexed)
        found = select(_item_search.c.rowid).where(_item_search.c.name_key.op("MATCH")(quoted))
        where.append(Item.id.in_(found))
    return where
