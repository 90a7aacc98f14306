"""Groups the register by a field and sums up each group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, literal_column, select, true

from app.assets.models import Asset, key_column
from app.assets.queries import register
from app.assets.queries.register import Totals, conditions, most_common_spelling
from app.assets.rules import HIGHEST_VALUE_FIRST, Dimension, GroupColumn
from app.charts import shares
from app.db import db
from app.money import PRICE_PART
from app.records.record import Query
from app.sorting import SortOrder
from app.sums import combine_value, sum_of, value_sums
from app.versions import cached, version_of

MAX_LOCATIONS = 5


@dataclass(frozen=True)
class Group:
    """The assets with the same name, '' for no name; the value is in pence."""

    name: str
    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class Groups:
    """Some groups, the number of all, the highest value of one in pence, and the totals of all."""

    rows: Sequence[Group]
    total: int
    highest_value: int
    totals: Totals


@dataclass(frozen=True)
class TopLocations:
    """The locations of most value, each with the width of its bar, and the number of others."""

    rows: Sequence[tuple[Group, float]]
    more: int


def group_assets(
    by: Dimension, query: Query, order: SortOrder, *, limit: int, offset: int = 0
) -> Groups:
    """Return groups of the filtered assets."""
    version = (register.LIST, version_of(register.LIST))
    arguments = ("groups", by, *query.filters.items(), order, limit, offset)
    return cached(
        version, lambda: _group_assets(by, query, order, limit=limit, offset=offset), *arguments
    )


def top_locations() -> TopLocations:
    """Return the locations of most value, the highest first."""
    order, limit = HIGHEST_VALUE_FIRST, MAX_LOCATIONS
    found = group_assets(Dimension.LOCATION, register.ALL, order, limit=limit)
    bars = shares([group.value for group in found.rows])
    return TopLocations(list(zip(found.rows, bars, strict=True)), found.total - len(found.rows))


def _group_assets(
    by: Dimension, query: Query, order: SortOrder, *, limit: int, offset: int
) -> Groups:
    key: Any = key_column(by)
    if query:
        # Grouped by the plain key, SQLite would walk its index and look up every asset to filter.
        key = key.concat(literal_column("''"))
    high, low = value_sums(Asset.quantity, Asset.purchase_price)
    sums = (
        select(
            key.label("key"),
            func.count().label("assets"),
            sum_of(Asset.quantity).label("quantity"),
            high.label("high"),
            low.label("low"),
        )
        .where(*conditions(query))
        .group_by(key)
        .cte("sums")
    )
    overall = (
        select(
            func.count().label("total"),
            *(
                func.coalesce(func.sum(sums.c[name]), 0).label(f"all_{name}")
                for name in ("assets", "quantity", "high", "low")
            ),
        )
        .select_from(sums)
        .subquery()
    )
    by_value = select(sums.c.high, sums.c.low).order_by(_value(sums).desc())
    highest = by_value.limit(1).subquery()
    part = select(sums).order_by(*_order_by(sums, order)).limit(limit).offset(offset).subquery()
    name = most_common_spelling(getattr(Asset, by), key_column(by), part.c.key)
    # Outer joins return the totals also if there are no groups, or none at this offset.
    statement = (
        select(
            overall,
            highest.c.high.label("highest_high"),
            highest.c.low.label("highest_low"),
            part,
            name.label("name"),
        )
        .select_from(overall.outerjoin(highest, true()).outerjoin(part, true()))
        .order_by(*_order_by(part, order))
    )
    rows = db.session.execute(statement).all()
    first = rows[0]
    return Groups(
        rows=[
            Group(row.name, row.assets, int(row.quantity), combine_value(row.high, row.low))
            for row in rows
            if row.key is not None
        ],
        total=first.total,
        highest_value=combine_value(first.highest_high or 0, first.highest_low or 0),
        totals=Totals(
            int(first.all_assets),
            int(first.all_quantity),
            combine_value(first.all_high, first.all_low),
        ),
    )


def _value(sums: Any) -> ColumnElement[Any]:
    value: ColumnElement[Any] = sums.c.high * PRICE_PART + sums.c.low
    return value


def _order_by(sums: Any, order: SortOrder) -> tuple[ColumnElement[Any], ...]:
    columns: dict[str, ColumnElement[Any]] = {
        GroupColumn.NAME: sums.c.key,
        GroupColumn.QUANTITY: sums.c.quantity,
        GroupColumn.VALUE: _value(sums),
    }
    column = columns[order.by]
    return column.desc() if order.descending else column.asc(), sums.c.key
