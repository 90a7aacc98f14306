"""The register in groups: what each of them comes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, literal_column, select, true

from app.assets.models import Asset
from app.assets.queries.register import AssetFilter, Totals, key_column, usual_spelling, where
from app.assets.rules.assets import Dimension
from app.assets.rules.sorting import GroupColumn, Order
from app.db import db
from app.sums import PRICE_PART, combine_value, sum_of, value_sums


@dataclass(frozen=True)
class Group:
    """The assets that share a name, which is '' where they have none; its value is in pence."""

    name: str
    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class Groups:
    """Some groups; how many there are in all, the dearest one's value in pence, and the sums."""

    rows: Sequence[Group]
    total: int
    most: int
    totals: Totals


def groups(
    by: Dimension, shown: AssetFilter, order: Order[GroupColumn], *, limit: int, offset: int = 0
) -> Groups:
    """Group the assets that a filter lets through."""
    key: Any = key_column(by)
    if shown:
        # Not by the key's index: SQLite would walk it and look every asset up for the filter.
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
        .where(*where(shown))
        .group_by(key)
        .cte("sums")
    )
    overall = select(
        func.count().label("total"),
        *(
            func.coalesce(func.sum(sums.c[name]), 0).label(f"all_{name}")
            for name in ("assets", "quantity", "high", "low")
        ),
    ).select_from(sums)
    dearest = select(sums.c.high, sums.c.low).order_by(_value(sums).desc()).limit(1).subquery()
    part = select(sums).order_by(*_ordered(sums, order)).limit(limit).offset(offset).subquery()
    # Outer joins: the sums stand also where there are no groups, and beyond the last of them.
    all_of = overall.subquery()
    name = usual_spelling(getattr(Asset, by), key_column(by), part.c.key)
    statement = (
        select(
            all_of,
            dearest.c.high.label("most_high"),
            dearest.c.low.label("most_low"),
            part,
            name.label("name"),
        )
        .select_from(all_of.outerjoin(dearest, true()).outerjoin(part, true()))
        .order_by(*_ordered(part, order))
    )
    found = db.session.execute(statement).all()
    one = found[0]
    return Groups(
        rows=[
            Group(row.name, row.assets, int(row.quantity), combine_value(row.high, row.low))
            for row in found
            if row.key is not None
        ],
        total=one.total,
        most=combine_value(one.most_high or 0, one.most_low or 0),
        totals=Totals(
            int(one.all_assets), int(one.all_quantity), combine_value(one.all_high, one.all_low)
        ),
    )


def _value(sums: Any) -> ColumnElement[Any]:
    value: ColumnElement[Any] = sums.c.high * PRICE_PART + sums.c.low
    return value


def _ordered(sums: Any, order: Order[GroupColumn]) -> tuple[ColumnElement[Any], ...]:
    columns: dict[GroupColumn, ColumnElement[Any]] = {
        GroupColumn.NAME: sums.c.key,
        GroupColumn.QUANTITY: sums.c.quantity,
        GroupColumn.VALUE: _value(sums),
    }
    column = columns[order.by]
    return column.desc() if order.descending else column.asc(), sums.c.key
