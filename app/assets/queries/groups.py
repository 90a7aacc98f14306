"""The register in groups: what each of them comes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select

from app.assets.models import Asset
from app.assets.queries.register import AssetFilter, key_column, where
from app.assets.rules.assets import Dimension
from app.assets.rules.sorting import GroupColumn, Order
from app.db import db
from app.sums import PART, total_of, value_of, value_parts


@dataclass(frozen=True)
class Group:
    """The assets that share a name, which is '' where they have none; its value is in pence."""

    name: str
    assets: int
    quantity: int
    value: int


@dataclass(frozen=True)
class Groups:
    """Some groups, how many there are in all, and what the dearest of all comes to in pence."""

    rows: Sequence[Group]
    total: int
    most: int


def groups(
    by: Dimension, shown: AssetFilter, order: Order[GroupColumn], *, limit: int, offset: int = 0
) -> Groups:
    """Group the assets that a filter lets through."""
    key = key_column(by)
    high, low = value_parts(Asset.quantity, Asset.purchase_price)
    sums = (
        select(
            key.label("key"),
            func.min(getattr(Asset, by)).label("name"),
            func.count().label("assets"),
            total_of(Asset.quantity).label("quantity"),
            high.label("high"),
            low.label("low"),
        )
        .where(*where(shown))
        .group_by(key)
        .cte("sums")
    )
    value = sums.c.high * PART + sums.c.low
    sorted_by: dict[GroupColumn, ColumnElement[Any]] = {
        GroupColumn.NAME: sums.c.key,
        GroupColumn.QUANTITY: sums.c.quantity,
        GroupColumn.VALUE: value,
    }
    column = sorted_by[order.by]
    most = select(sums.c.high, sums.c.low).order_by(value.desc()).limit(1).subquery()
    statement = (
        select(
            sums,
            select(func.count()).select_from(sums).scalar_subquery().label("total"),
            select(most.c.high).scalar_subquery().label("most_high"),
            select(most.c.low).scalar_subquery().label("most_low"),
        )
        .order_by(column.desc() if order.descending else column, sums.c.key)
        .limit(limit)
        .offset(offset)
    )
    found = db.session.execute(statement).all()
    if not found:
        return Groups([], 0, 0)
    rows = [
        Group(row.name, row.assets, int(row.quantity), value_of(row.high, row.low)) for row in found
    ]
    return Groups(rows, found[0].total, value_of(found[0].most_high, found[0].most_low))
