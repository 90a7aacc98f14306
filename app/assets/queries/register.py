"""Reads the register: lists, single assets, totals and the values in use."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Row, ScalarSelect, Select, case, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.assets import rules
from app.assets.models import Asset, column_name, key_column
from app.db import db, stream_columns
from app.directory import queries as directory
from app.errors import existing
from app.paging import COUNT_LIMIT, AtLeast, Page, Part, load_page_of_parts
from app.records.record import Query
from app.search import Matches, contains_words, distinct_values, without_index
from app.sorting import SortOrder
from app.sums import combine_value, count_matches, sum_of, value_sums
from app.versions import cached, version_of

LIST = "assets"
"""The name of the register's data version."""

ROWS_PER_PAGE = 25

LISTED = ("location", "category", "supplier", "status")
"""The fields whose values filters list."""

AssetRow = Row[*tuple[Any, ...]]
"""The columns of an asset, read without the entity."""

NO_SUCH_ASSET = "There is no such asset. Load the list again."

ALL = Query()
"""The query of the whole register."""

COLUMNS = tuple(getattr(Asset, column_name(name)) for name in rules.ASSET_FIELDS)
"""The columns of an asset's fields; an AssetRow begins with them."""

_entity_values = attrgetter(*(column.key for column in COLUMNS))
_STATE_VALUES = attrgetter(*(column_name(each.name) for each in fields(rules.AssetState)))


@dataclass(frozen=True)
class Totals:
    """The number of assets, the sum of their quantities, and their value in pence."""

    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class AssetPage(Page[AssetRow]):
    """A page of the register and the totals of all its pages, None for a search with too many."""

    totals: Totals | None


def asset_page(query: Query, page: int = 1) -> AssetPage:
    """Return a page of the filtered register, the last one for a page beyond it."""
    order = query.order or rules.DEFAULT_ORDER
    return cached(
        (LIST, version_of(LIST)),
        lambda: _load_page(query, order, page),
        *("page", *query.filters.items(), order, page),
    )


def _load_page(query: Query, order: SortOrder, page: int) -> AssetPage:
    if "q" in query.values:
        total = count_matches(select(Asset.id).where(*conditions(query)))
        sums = None if isinstance(total, AtLeast) else _add_up(query)
    else:
        sums = totals(query)
        total = sums.assets
    parts = [_part(each) for each in _found(query, order, total)]
    found = load_page_of_parts(page, parts, per_page=ROWS_PER_PAGE)
    return AssetPage(found.rows, found.number, found.pages, total, sums)


def totals(query: Query = ALL) -> Totals:
    """Return the totals of the filtered assets."""
    version = (LIST, version_of(LIST))
    return cached(version, lambda: _add_up(query), "totals", *query.filters.items())


def count_unplaced() -> int:
    """Return the number of assets without a location."""
    return totals(Query({"location": rules.NO_VALUE})).assets


def stream_assets(query: Query) -> Iterator[AssetRow]:
    """Stream the filtered assets in a session of their own."""
    return stream_columns(_select_assets(query))


def stream_register(where: Sequence[ColumnElement[bool]] = ()) -> Iterator[AssetRow]:
    """Stream the assets that meet conditions, by their ids' keys."""
    return stream_columns(_select_all(SortOrder("id")).where(*where))


def selected_assets(numbers: Collection[int]) -> Sequence[AssetRow]:
    """Return the assets with these numbers, by item. Raises NotFound when none exists."""
    statement = _select_assets(ALL).where(Asset.id.in_(numbers))
    return existing(db.session.execute(statement).all() or None, NO_SUCH_ASSET)


def matching_numbers(query: Query, limit: int) -> Sequence[int]:
    """Return our own numbers of up to `limit` filtered assets."""
    statement = select(Asset.id).where(*conditions(query)).limit(limit)
    return db.session.execute(statement).scalars().all()


def get_asset(number: int) -> Asset:
    """Return an asset by our own number. Raises NotFound."""
    return existing(db.session.get(Asset, number), NO_SUCH_ASSET)


def get_asset_by_id(asset_id: str) -> Asset:
    """Return the asset with this id, whatever its case and spacing. Raises NotFound."""
    return existing(find_asset(asset_id), NO_SUCH_ASSET)


def find_asset(asset_id: str) -> Asset | None:
    """Return the asset with this id, whatever its case and spacing."""
    statement = select(Asset).filter_by(asset_key=names.key(asset_id))
    return db.session.execute(statement).scalar_one_or_none()


def state_of(asset: Asset | AssetRow) -> rules.AssetState:
    """Return the values of an asset."""
    return rules.AssetState(*_STATE_VALUES(asset))


def field_values(asset: Asset | AssetRow) -> Sequence[Any]:
    """Return the values of an asset in the order of rules.ASSET_FIELDS."""
    if isinstance(asset, Asset):
        return _entity_values(asset)
    # By place, since finding them by name takes eight times as long.
    return asset[: len(COLUMNS)]


def values_in_use() -> Mapping[str, Sequence[str]]:
    """Return the values that assets have, by field and name; forms suggest, filters list them."""
    version = (LIST, version_of(LIST))
    return cached(version, lambda: {name: _in_use(name) for name in LISTED}, "values in use")


def supplier_suggestions() -> Sequence[str]:
    """Return the suppliers of the register and of the directory, by name."""
    in_use = values_in_use()["supplier"]
    by_key = {names.key(name): name for name in (*directory.supplier_names(), *in_use)}
    return [name for _, name in sorted(by_key.items())]


def conditions(query: Query, *, by_row: bool = False) -> list[ColumnElement[bool]]:
    """Return the conditions that a filtered asset meets; `by_row` tests each without an index."""
    texts = [
        condition
        for name, text in query.filters.items()
        if name != "q"
        for condition in has_text(name, text, by_row=by_row)
    ]
    return texts + contains_words(Asset.search_key, query.values.get("q", ""), by_row=by_row)


def has_text(name: str, text: str, by_row: bool = False) -> Sequence[ColumnElement[bool]]:
    """Return the condition of the assets with a text in a field; a dash is for those without."""
    key = without_index(key_column(name)) if by_row else key_column(name)
    return [key == names.key(rules.empty_if_dash(text))]


def most_common_spelling(
    column: InstrumentedAttribute[str], key_column: InstrumentedAttribute[str], key: Any
) -> ScalarSelect[str]:
    """Return a subquery for the most common spelling of the text with this key."""
    statement = select(column).where(key_column == key).group_by(column)
    return statement.order_by(func.count().desc(), column).limit(1).scalar_subquery()


def _add_up(query: Query) -> Totals:
    parts = value_sums(Asset.quantity, Asset.purchase_price)
    statement = select(func.count(Asset.id), sum_of(Asset.quantity), *parts)
    assets, quantity, high, low = db.session.execute(statement.where(*conditions(query))).one()
    return Totals(assets, int(quantity), combine_value(high, low))


def _found(query: Query, order: SortOrder, total: int) -> list[Matches]:
    """Return the filtered assets in order; assets without a sort value are a second part."""
    column = rules.SORT_COLUMNS[order.by]
    field = rules.ASSET_FIELDS.get(column)
    if not field or field.default is not None:
        return [_matches(query, order, total)]
    sorted_by = sort_column(column)
    return [
        _matches(query, order, total, sorted_by.is_not(None)),
        _matches(query, rules.DEFAULT_ORDER, total, sorted_by.is_(None)),
    ]


def _matches(query: Query, order: SortOrder, total: int, *more: ColumnElement[bool]) -> Matches:
    """Return the filtered assets that meet more conditions, of the `total` filtered ones."""
    if not query:
        where: list[ColumnElement[bool]] = []
    elif total <= COUNT_LIMIT and not isinstance(total, AtLeast):
        # Few are sorted.
        few = select(Asset.id).where(*conditions(query)).correlate(None)
        where = [Asset.id.in_(few)]
    else:
        # Of many the order's index is walked; each text's index has the default order too.
        is_default = order.by == rules.DEFAULT_ORDER.by and "q" not in query.values
        where = conditions(query, by_row=not is_default)
    if more:
        total = _number(query, *more)
    return Matches(
        total, _select_all(order), Asset.id, [*where, *more], _order_by(order.reversed())
    )


def _number(query: Query, condition: ColumnElement[bool]) -> int:
    matching = select(Asset.id).where(*conditions(query), condition)
    if "q" in query.values:
        return count_matches(matching)
    counted = select(func.count()).select_from(matching.subquery())
    return cached(
        (LIST, version_of(LIST)),
        lambda: db.session.execute(counted).scalar_one(),
        f"number of {condition}",
        *query.filters.items(),
    )


def _part(found: Matches) -> Part[AssetRow]:
    return Part(
        found.total, lambda limit, offset: db.session.execute(found.part(limit, offset)).all()
    )


def _select_assets(query: Query) -> Select[*tuple[Any, ...]]:
    order = query.order or rules.DEFAULT_ORDER
    statement = _select_all(order).where(*conditions(query))
    return statement.order_by(None).order_by(*_order_by(order, has_nulls=True))


def _select_all(order: SortOrder) -> Select[*tuple[Any, ...]]:
    return select(*COLUMNS, Asset.id, Asset.asset_key, Asset.value).order_by(*_order_by(order))


def _order_by(order: SortOrder, *, has_nulls: bool = False) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of an order, all in its direction, so that one index has both."""
    column = rules.SORT_COLUMNS[order.by]
    columns = [sort_column(column)]
    if order.by != rules.ID.name:
        columns += [Asset.item_key, Asset.id] if order.by != rules.DEFAULT_ORDER.by else [Asset.id]
    directed = [each.desc() if order.descending else each.asc() for each in columns]
    if has_nulls:
        directed[0] = directed[0].nulls_last()
    return tuple(directed)


def sort_column(name: str) -> Any:
    """Return the column that the register is sorted by for a field."""
    return key_column(name) if name in rules.TEXT_FIELDS else getattr(Asset, name)


def _in_use(name: str) -> Sequence[str]:
    key = key_column(name)
    keys = distinct_values(key, key > "")
    column = getattr(Asset, name)
    of_key = key == keys.c.value
    first = select(func.min(column)).where(of_key).scalar_subquery()
    last = select(func.max(column)).where(of_key).scalar_subquery()
    # Where all are spelt alike, they need no counting.
    common = most_common_spelling(column, key, keys.c.value)
    spelling = case((first == last, first), else_=common)
    statement = select(spelling).where(keys.c.value.is_not(None)).order_by(keys.c.value)
    return db.session.execute(statement).scalars().all()
