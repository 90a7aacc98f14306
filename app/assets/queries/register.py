"""Reads the register: lists, single assets, totals and the values in use."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Self

from sqlalchemy import BigInteger, ColumnElement, Row, ScalarSelect, Select, cast, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.assets.models import Asset, column_name, key_column
from app.assets.rules.fields import ASSET_FIELDS, TEXT_FIELDS, AssetState, empty_if_dash
from app.assets.rules.sorting import DEFAULT_ORDER, SORT_COLUMNS, VALUE, SortOrder
from app.db import db, stream_columns
from app.directory import queries as directory
from app.errors import NotFound
from app.paging import Page, load_page
from app.sums import combine_value, sum_of, value_sums

LIST = "assets"
"""The name of the register's data version."""

ROWS_PER_PAGE = 25

AssetRow = Row[*tuple[Any, ...]]
"""The columns of an asset, read without the entity."""

COLUMNS = tuple(getattr(Asset, column_name(name)) for name in ASSET_FIELDS)
"""The columns of an asset's fields; an AssetRow begins with them."""

_entity_values = attrgetter(*(column.key for column in COLUMNS))
_STATE_VALUES = attrgetter(*(column_name(each.name) for each in fields(AssetState)))


@dataclass(frozen=True)
class AssetFilters:
    """The search words and the texts that assets must have; a dash stands for an empty text."""

    search: str = ""
    location: str = ""
    category: str = ""
    supplier: str = ""
    status: str = ""
    item: str = ""
    make: str = ""
    model: str = ""

    @classmethod
    def parse(cls, args: Mapping[str, str]) -> Self:
        """Return the filters of an address or a call, which are named as in FILTERS."""
        values = {name: args.get(name, "").strip() for name in FILTERS}
        return cls(values.pop("q")[: names.MAX_SEARCH_LENGTH], **values)

    @property
    def args(self) -> dict[str, str]:
        """Return the filters as the arguments of an address."""
        return ({"q": self.search} if self.search else {}) | self.texts

    @property
    def texts(self) -> dict[str, str]:
        """Return the texts that are filtered by, by field."""
        values = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return {name: text for name, text in values.items() if text}

    def __bool__(self) -> bool:
        return bool(self.search.strip() or self.texts)


FILTERS = ("q", *(field.name for field in fields(AssetFilters)[1:]))
"""The filters' names in addresses and calls; `q` is the search."""


@dataclass(frozen=True)
class Totals:
    """The number of assets, the sum of their quantities, and their value in pence."""

    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class AssetPage(Page[AssetRow]):
    """A page of the register and the totals of all its pages."""

    totals: Totals


@dataclass(frozen=True)
class ValuesInUse:
    """The values that assets have, by name; forms suggest them and filters list them."""

    locations: Sequence[str]
    categories: Sequence[str]
    suppliers: Sequence[str]
    statuses: Sequence[str]


class NoSuchAsset(NotFound):
    """The asset doesn't exist, or no longer."""

    def __init__(self) -> None:
        super().__init__("There is no such asset.")


def asset_page(filters: AssetFilters, order: SortOrder, page: int = 1) -> AssetPage:
    """Return a page of the filtered register; a page beyond the last is the last."""
    sums = totals(filters)

    def load(limit: int, offset: int) -> Sequence[AssetRow]:
        # The rows before the page are skipped in an index, without being read.
        ids = select(Asset.id).where(*conditions(filters)).order_by(*_order_by(order))
        on_page = ids.limit(limit).offset(offset)
        statement = _select_assets(AssetFilters(), order).where(Asset.id.in_(on_page))
        return db.session.execute(statement).all()

    found = load_page(page, total=sums.assets, per_page=ROWS_PER_PAGE, load=load)
    return AssetPage(found.rows, found.number, found.pages, found.total, sums)


def totals(filters: AssetFilters) -> Totals:
    """Return the totals of the filtered assets."""
    parts = value_sums(Asset.quantity, Asset.purchase_price)
    statement = select(func.count(Asset.id), sum_of(Asset.quantity), *parts)
    assets, quantity, high, low = db.session.execute(statement.where(*conditions(filters))).one()
    return Totals(assets, int(quantity), combine_value(high, low))


def stream_assets(filters: AssetFilters, order: SortOrder) -> Iterator[AssetRow]:
    """Stream the filtered assets in a session of their own."""
    return stream_columns(_select_assets(filters, order))


def stream_register() -> Iterator[AssetRow]:
    """Stream all assets in the order of `assets_after`."""
    return stream_assets(AssetFilters(), SortOrder("id"))


def assets_after(key: str, limit: int) -> Sequence[AssetRow]:
    """Return the next assets of the register in the order of their ids' keys."""
    statement = _select_assets(AssetFilters(), SortOrder("id")).where(Asset.asset_key > key)
    return db.session.execute(statement.limit(limit)).all()


def selected_assets(numbers: Collection[int]) -> Sequence[AssetRow]:
    """Return the assets with these numbers, by item. Raises NotFound when none exists."""
    statement = _select_assets(AssetFilters(), DEFAULT_ORDER).where(Asset.id.in_(numbers))
    rows = db.session.execute(statement).all()
    if not rows:
        raise NoSuchAsset
    return rows


def get_asset(number: int) -> Asset:
    """Return an asset by our own number. Raises NotFound."""
    found = db.session.get(Asset, number)
    if found is None:
        raise NoSuchAsset
    return found


def get_asset_by_id(asset_id: str) -> Asset:
    """Return the asset with this id, whatever its case and spacing. Raises NotFound."""
    found = find_asset(asset_id)
    if found is None:
        raise NoSuchAsset
    return found


def find_asset(asset_id: str) -> Asset | None:
    """Return the asset with this id, whatever its case and spacing."""
    statement = select(Asset).filter_by(asset_key=names.key(asset_id))
    return db.session.execute(statement).scalar_one_or_none()


def state_of(asset: Asset | AssetRow) -> AssetState:
    """Return the values of an asset."""
    return AssetState(*_STATE_VALUES(asset))


def field_values(asset: Asset | AssetRow) -> Sequence[Any]:
    """Return the values of an asset in the order of ASSET_FIELDS."""
    if isinstance(asset, Asset):
        return _entity_values(asset)
    # By place, since finding them by name takes eight times as long.
    return asset[: len(COLUMNS)]


def values_in_use() -> ValuesInUse:
    """Return the values that assets have, each in its most common spelling."""
    return ValuesInUse(
        locations=locations(),
        categories=_in_use(Asset.category, Asset.category_key),
        suppliers=_in_use(Asset.supplier, Asset.supplier_key),
        statuses=_in_use(Asset.status, Asset.status_key),
    )


def supplier_suggestions() -> Sequence[str]:
    """Return the suppliers of the register and of the directory, by name."""
    in_use = _in_use(Asset.supplier, Asset.supplier_key)
    by_key = {names.key(name): name for name in (*directory.supplier_names(), *in_use)}
    return [name for _, name in sorted(by_key.items())]


def locations() -> Sequence[str]:
    """Return the locations of assets, by name."""
    return _in_use(Asset.location, Asset.location_key)


def conditions(filters: AssetFilters) -> list[ColumnElement[bool]]:
    """Return the conditions that a filtered asset meets."""
    texts = [
        key_column(name) == names.key(empty_if_dash(text)) for name, text in filters.texts.items()
    ]
    words = names.search_words(filters.search)
    return texts + [Asset.search_key.contains(word, autoescape=True) for word in words]


def most_common_spelling(
    column: InstrumentedAttribute[str], key_column: InstrumentedAttribute[str], key: Any
) -> ScalarSelect[str]:
    """Return a subquery for the most common spelling of the text with this key."""
    statement = select(column).where(key_column == key).group_by(column)
    return statement.order_by(func.count().desc(), column).limit(1).scalar_subquery()


_VALUE = cast(Asset.quantity, BigInteger) * Asset.purchase_price


def _select_assets(filters: AssetFilters, order: SortOrder) -> Select[*tuple[Any, ...]]:
    return (
        select(*COLUMNS, Asset.id, Asset.asset_key, _VALUE.label(VALUE))
        .where(*conditions(filters))
        .order_by(*_order_by(order))
    )


def _order_by(order: SortOrder) -> tuple[ColumnElement[Any], ...]:
    column = _sort_column(SORT_COLUMNS[order.by])
    first = column.desc() if order.descending else column.asc()
    field = ASSET_FIELDS.get(SORT_COLUMNS[order.by])
    if field and field.default is None:
        first = first.nulls_last()
    then = () if order.by == DEFAULT_ORDER.by else (Asset.item_key,)
    return (first, *then, Asset.id)


def _sort_column(name: str) -> Any:
    if name == VALUE:
        return _VALUE
    return key_column(name) if name in TEXT_FIELDS else getattr(Asset, name)


def _in_use(column: InstrumentedAttribute[str], key: InstrumentedAttribute[str]) -> Sequence[str]:
    # This steps from one key to the next in their index: they are few among many assets.
    keys = select(func.min(key).label("key")).where(key != "").cte("keys", recursive=True)
    following = select(func.min(key)).where(key > keys.c.key).scalar_subquery()
    keys = keys.union_all(select(following).where(keys.c.key.is_not(None)))
    name = most_common_spelling(column, key, keys.c.key)
    statement = select(name).where(keys.c.key.is_not(None)).order_by(keys.c.key)
    return db.session.execute(statement).scalars().all()
