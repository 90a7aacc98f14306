"""What is in stock now: lists, items, categories, teams."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import ColumnElement, Integer, Row, Select, String, column, func, select, table

from app import names
from app.db import db, stream_rows
from app.directory import queries as directory
from app.divisions import Division, Store
from app.errors import NotFound
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.rules.history import is_plausible_team
from app.stock.rules.operations import ItemState

ROWS_AT_A_TIME = 100
TEAMS_OFFERED = 100
TRIGRAM = 3

_item_search = table("item_search", column("rowid", Integer), column("name_key", String))

StockRow = Row[int, str, int, str, int, str]


@dataclass(frozen=True)
class StockPage:
    """Some rows of a site's list; `more_after` is the key where the next ones begin."""

    rows: Sequence[StockRow]
    total: int
    more_after: str | None


@dataclass(frozen=True)
class StockFilter:
    """What a stock list shows: words of the name, one category."""

    search: str = ""
    category: str = ""

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.category)


def site_id(store: Store) -> int:
    """Return the id of a store's row; NotFound for a division that keeps no stock there."""
    found = db.session.execute(
        select(StockSite.id).filter_by(division=store.division, site=store.site)
    ).scalar_one_or_none()
    if found is None:
        raise NotFound(f"{store.division.label} keeps no stock at {store.site}.")
    return found


def locked_site(store: Store) -> StockSite:
    """Return a store's row, held until the transaction ends."""
    return db.session.execute(
        select(StockSite)
        .filter_by(division=store.division, site=store.site)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).scalar_one()


def hides_count(store: Store) -> bool:
    """Tell whether a store's page hides the stock-count tools."""
    return db.session.execute(
        select(StockSite.hides_count).filter_by(division=store.division, site=store.site)
    ).scalar_one()


def data_version(store: Store) -> int:
    """Return a number that is another one after every change of the store's stock."""
    return db.session.execute(
        select(StockSite.version).filter_by(division=store.division, site=store.site)
    ).scalar_one()


def stock_page(
    store: Store, shown: StockFilter, after: str = "", limit: int = ROWS_AT_A_TIME
) -> StockPage:
    """Return the rows whose name follows `after`, ordered by name."""
    live = _live(store, shown)
    total = stock_count(store, shown)
    rows = db.session.execute(
        _row_columns().where(*live, Item.name_key > after).order_by(Item.name_key).limit(limit + 1)
    ).all()
    more = len(rows) > limit
    rows = rows[:limit]
    return StockPage(rows, total, names.key(rows[-1].name) if more else None)


def stock_count(store: Store, shown: StockFilter) -> int:
    """Return how many items a filter lets through."""
    statement = select(func.count()).select_from(Item).where(*_live(store, shown))
    return db.session.execute(statement).scalar_one()


def stock_row(store: Store, item_id: int) -> StockRow | None:
    """Return one live item as the list shows it."""
    return db.session.execute(
        _row_columns().where(*_live(store, StockFilter()), Item.id == item_id)
    ).one_or_none()


def all_stock(store: Store) -> Iterator[StockRow]:
    """Stream a store's live items, ordered by name."""
    return stream_rows(_row_columns().where(*_live(store, StockFilter())).order_by(Item.name_key))


def item(store: Store, item_id: int) -> Item:
    """Return a live item; raises NotFound."""
    found = db.session.execute(
        select(Item).where(*_live(store, StockFilter()), Item.id == item_id)
    ).scalar_one_or_none()
    if found is None:
        raise NotFound("This item is no longer in stock.")
    return found


def item_named(store: Store, name: str) -> Item | None:
    """Return the live item with this name, by its key."""
    return db.session.execute(
        select(Item).where(*_live(store, StockFilter()), Item.name_key == names.key(name))
    ).scalar_one_or_none()


def items_found(store: Store, search: str, limit: int) -> Sequence[StockRow]:
    """Return some live items whose name holds every word, by name."""
    live = _live(store, StockFilter(search))
    statement = _row_columns().where(*live).order_by(Item.name_key).limit(limit)
    return db.session.execute(statement).all()


def items_named(store: Store, wanted: Sequence[str]) -> dict[str, ItemState]:
    """Return the live items that have one of these names, by key."""
    keys = sorted({names.key(name) for name in wanted})
    found: dict[str, ItemState] = {}
    for start in range(0, len(keys), 5000):
        statement = select(Item).where(
            *_live(store, StockFilter()), Item.name_key.in_(keys[start : start + 5000])
        )
        found |= {i.name_key: state_of(i) for i in db.session.execute(statement).scalars()}
    return found


def amounts(store: Store) -> dict[str, ItemState]:
    """Return all live items by key."""
    statement = select(Item).where(*_live(store, StockFilter()))
    return {item.name_key: state_of(item) for item in db.session.execute(statement).scalars()}


def state_of(item: Item) -> ItemState:
    """Return an item as the rules see it."""
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
    statement = (
        select(Item.category).where(*_live(store, StockFilter()), Item.category != "").distinct()
    )
    return sorted(db.session.execute(statement).scalars(), key=names.key)


def known_teams(division: Division) -> Sequence[str]:
    """Return GPM's teams, for GFM the plausible ones of its history, the busiest first."""
    if division is Division.GPM:
        return directory.teams_offered()
    statement = (
        select(LedgerEntry.team)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(StockSite.division == division, LedgerEntry.team != "")
        .group_by(LedgerEntry.team)
        .order_by(func.count().desc(), LedgerEntry.team)
    )
    found = db.session.execute(statement).scalars()
    return list(islice(filter(is_plausible_team, found), TEAMS_OFFERED))


def _row_columns() -> Select[int, str, int, str, int, str]:
    return select(Item.id, Item.name, Item.amount, Item.category, Item.unit_price, Item.unit)


def _live(store: Store, shown: StockFilter) -> list[ColumnElement[bool]]:
    where = [
        Item.site_id
        == select(StockSite.id)
        .filter_by(division=store.division, site=store.site)
        .scalar_subquery(),
        Item.removed_at.is_(None),
    ]
    where += name_holds(shown.search)
    if shown.category:
        where.append(Item.category == shown.category)
    return where


def name_holds(search: str) -> list[ColumnElement[bool]]:
    """Return the conditions that an item's name holds every word, in any order.

    Words of three characters or more are looked up in an index of trigrams: PostgreSQL finds it
    by itself, SQLite's is a table of its own.
    """
    words = names.search_words(search)
    if db.session.get_bind().dialect.name != "sqlite":
        return [Item.name_key.contains(word, autoescape=True) for word in words]
    indexed = [word for word in words if len(word) >= TRIGRAM]
    where = [Item.name_key.contains(word, autoescape=True) for word in words if word not in indexed]
    if indexed:
        quoted = " AND ".join('"' + word.replace('"', '""') + '"' for word in indexed)
        found = select(_item_search.c.rowid).where(_item_search.c.name_key.op("MATCH")(quoted))
        where.append(Item.id.in_(found))
    return where
