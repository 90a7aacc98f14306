"""The register: what a filter shows, in which order, and what it comes to."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from sqlalchemy import BigInteger, ColumnElement, Row, ScalarSelect, Select, cast, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.assets.models import Asset
from app.assets.rules.assets import AssetState, said
from app.assets.rules.sorting import Column, Order
from app.db import db, stream_rows
from app.directory import queries as directory
from app.errors import NotFound
from app.paging import clamp_page
from app.sums import combine_value, sum_of, value_sums

LIST = "assets"
"""The data version of the register."""

ROWS_PER_PAGE = 25

AssetRow = Row[*tuple[Any, ...]]
"""An asset as lists and files show it: the columns of Asset, read without the entity."""


@dataclass(frozen=True)
class AssetFilter:
    """What the register shows: words, and fields that hold a text, a dash for none."""

    search: str = ""
    location: str = ""
    category: str = ""
    supplier: str = ""
    status: str = ""
    item: str = ""
    make: str = ""
    model: str = ""

    @classmethod
    def said(cls, values: Mapping[str, str]) -> Self:
        """Read a filter that an address or a call tells by the names of FILTERS."""
        told = {name: values.get(name, "").strip() for name in FILTERS}
        return cls(told.pop("q")[: names.MAX_SEARCH_LENGTH], **told)

    @property
    def told(self) -> dict[str, str]:
        """Return what addresses tell of the filter, by the names of FILTERS."""
        return {**({"q": self.search} if self.search else {}), **dict(self.equal)}

    def __bool__(self) -> bool:
        return bool(self.search.strip()) or any(value for _, value in self.equal)

    @property
    def equal(self) -> Sequence[tuple[str, str]]:
        """Return the fields that are limited to a text, with it, by name."""
        told = [(field.name, getattr(self, field.name)) for field in fields(self)[1:]]
        return [(name, text) for name, text in told if text]


FILTERS = ("q", *(field.name for field in fields(AssetFilter)[1:]))
"""What addresses and calls name the filters; `q` is the search."""


@dataclass(frozen=True)
class Totals:
    """How many assets there are, how many pieces of them, and what they come to in pence."""

    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class AssetPage:
    """Some assets of the register."""

    rows: Sequence[AssetRow]
    page: int
    pages: int
    totals: Totals


@dataclass(frozen=True)
class Offers:
    """What is offered while somebody types, and in the filters: what is in use, by name."""

    locations: Sequence[str]
    categories: Sequence[str]
    suppliers: Sequence[str]
    statuses: Sequence[str]


class NoSuchAsset(NotFound):
    """The asset doesn't exist, or no longer."""

    def __init__(self) -> None:
        super().__init__("There is no such asset.")


def asset_page(shown: AssetFilter, order: Order[Column], page: int = 1) -> AssetPage:
    """Return a page of the assets that a filter lets through; beyond the last is the last."""
    found = totals(shown)
    page, pages = clamp_page(page, total=found.assets, per_page=ROWS_PER_PAGE)
    ordered = select(Asset.id).where(*where(shown)).order_by(*_ordered(order))
    # What stands before the page is passed over in an index where there is one, without its rows.
    meant = ordered.limit(ROWS_PER_PAGE).offset((page - 1) * ROWS_PER_PAGE)
    statement = _columns(AssetFilter(), order).where(Asset.id.in_(meant))
    rows = db.session.execute(statement).all() if found.assets else []
    return AssetPage(rows, page, pages, found)


def totals(shown: AssetFilter) -> Totals:
    """Add up the assets that a filter lets through."""
    parts = value_sums(Asset.quantity, Asset.purchase_price)
    statement = select(func.count(Asset.id), sum_of(Asset.quantity), *parts)
    assets, quantity, high, low = db.session.execute(statement.where(*where(shown))).one()
    return Totals(assets, int(quantity), combine_value(high, low))


def asset_rows(shown: AssetFilter, order: Order[Column]) -> Iterator[AssetRow]:
    """Stream the assets that a filter lets through, in a session of their own."""
    return stream_rows(_columns(shown, order))


def all_assets() -> Iterator[AssetRow]:
    """Stream the whole register in the order of `assets_after`."""
    return stream_rows(_columns(AssetFilter(), Order(Column.ID)))


def assets_after(after: str, limit: int) -> Sequence[AssetRow]:
    """Return some assets of the register, those whose id's key follows `after`."""
    statement = _columns(AssetFilter(), Order(Column.ID)).where(Asset.asset_key > after)
    return db.session.execute(statement.limit(limit)).all()


def chosen_assets(numbers: Collection[int]) -> Sequence[AssetRow]:
    """Return assets by our own ids, by item; raises NotFound when none of them exists."""
    statement = _columns(AssetFilter(), Order(Column.ITEM)).where(Asset.id.in_(numbers))
    rows = db.session.execute(statement).all()
    if not rows:
        raise NoSuchAsset
    return rows


def asset(number: int) -> Asset:
    """Return an asset by our own id; raises NotFound."""
    found = db.session.get(Asset, number)
    if found is None:
        raise NoSuchAsset
    return found


def asset_called(asset_id: str) -> Asset:
    """Return the asset that has this id, by its key; raises NotFound."""
    found = known_as(asset_id)
    if found is None:
        raise NoSuchAsset
    return found


def known_as(asset_id: str) -> Asset | None:
    """Return the asset that has this id, by its key."""
    statement = select(Asset).filter_by(asset_key=names.key(asset_id))
    return db.session.execute(statement).scalar_one_or_none()


def state_of(found: Asset | AssetRow) -> AssetState:
    """Return an asset as the rules see it."""
    return AssetState(
        id=found.asset_id,
        item=found.item,
        make=found.make,
        model=found.model,
        serial=found.serial,
        supplier=found.supplier,
        location=found.location,
        purchase_date=found.purchase_date,
        purchase_price=found.purchase_price,
        category=found.category,
        status=found.status,
        quantity=found.quantity,
    )


def in_use() -> Offers:
    """Return what the assets of the register have, each as it is written most often."""
    return Offers(
        locations=_in_use(Asset.location, Asset.location_key),
        categories=_in_use(Asset.category, Asset.category_key),
        suppliers=_in_use(Asset.supplier, Asset.supplier_key),
        statuses=_in_use(Asset.status, Asset.status_key),
    )


def known_suppliers() -> Sequence[str]:
    """Return the suppliers of the register and those of the directory, by name."""
    own = _in_use(Asset.supplier, Asset.supplier_key)
    both = {names.key(name): name for name in (*directory.supplier_names(), *own)}
    return [name for _, name in sorted(both.items())]


def locations() -> Sequence[str]:
    """Return where assets are, by name."""
    return _in_use(Asset.location, Asset.location_key)


def where(shown: AssetFilter) -> list[ColumnElement[bool]]:
    """Return the conditions that an asset is let through by a filter."""
    conditions = [key_column(name) == names.key(said(text)) for name, text in shown.equal]
    words = names.search_words(shown.search)
    return conditions + [Asset.search_key.contains(word, autoescape=True) for word in words]


def usual_spelling(
    column: InstrumentedAttribute[str], key: InstrumentedAttribute[str], wanted: Any
) -> ScalarSelect[str]:
    """Return how the name with the wanted key is written most often."""
    statement = select(column).where(key == wanted).group_by(column)
    return statement.order_by(func.count().desc(), column).limit(1).scalar_subquery()


def key_column(name: str) -> InstrumentedAttribute[str]:
    """Return the column that holds the key of a text of Asset."""
    column: InstrumentedAttribute[str] = getattr(Asset, f"{name}_key")
    return column


_VALUE = cast(Asset.quantity, BigInteger) * Asset.purchase_price

_SORTED: dict[Column, Any] = {
    Column.ITEM: Asset.item_key,
    Column.ID: Asset.asset_key,
    Column.MAKE: Asset.make_key,
    Column.MODEL: Asset.model_key,
    Column.SERIAL: Asset.serial_key,
    Column.SUPPLIER: Asset.supplier_key,
    Column.LOCATION: Asset.location_key,
    Column.PURCHASE_DATE: Asset.purchase_date,
    Column.PURCHASE_PRICE: Asset.purchase_price,
    Column.CATEGORY: Asset.category_key,
    Column.STATUS: Asset.status_key,
    Column.QUANTITY: Asset.quantity,
    Column.VALUE: _VALUE,
}


def _columns(shown: AssetFilter, order: Order[Column]) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Asset.id,
            Asset.asset_id,
            Asset.asset_key,
            Asset.item,
            Asset.make,
            Asset.model,
            Asset.serial,
            Asset.supplier,
            Asset.location,
            Asset.purchase_date,
            Asset.purchase_price,
            Asset.category,
            Asset.status,
            Asset.quantity,
            _VALUE.label("value"),
        )
        .where(*where(shown))
        .order_by(*_ordered(order))
    )


def _ordered(order: Order[Column]) -> tuple[ColumnElement[Any], ...]:
    column = _SORTED[order.by]
    ordered = column.desc() if order.descending else column.asc()
    if order.by is Column.PURCHASE_DATE:
        ordered = ordered.nulls_last()
    then = () if order.by is Column.ITEM else (Asset.item_key,)
    return (ordered, *then, Asset.id)


def _in_use(column: InstrumentedAttribute[str], key: InstrumentedAttribute[str]) -> Sequence[str]:
    # From each key on to the next one in their index: there are few among many assets.
    keys = select(func.min(key).label("key")).where(key != "").cte("keys", recursive=True)
    following = select(func.min(key)).where(key > keys.c.key).scalar_subquery()
    keys = keys.union_all(select(following).where(keys.c.key.is_not(None)))
    name = usual_spelling(column, key, keys.c.key)
    statement = select(name).where(keys.c.key.is_not(None)).order_by(keys.c.key)
    return db.session.execute(statement).scalars().all()
