"""Reads locations and the register's overview."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from app.assets.models import Asset, AssetMove
from app.assets.queries import groups, moves, register
from app.assets.queries.groups import Group
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetFilters
from app.assets.rules import HIGHEST_VALUE_FIRST, Dimension
from app.charts import BarChart, shares
from app.day_counts import activity_chart, first_day
from app.db import db
from app.versions import versions_of

RECENT_ROWS = 12
MAX_LOCATIONS = 5
VERSIONS = (register.LIST, moves.LIST)
"""The names of the data versions of assets and their history."""


@dataclass(frozen=True)
class TopLocations:
    """The locations of most value, each with the width of its bar, and the number of others."""

    rows: Sequence[tuple[Group, float]]
    more: int


def data_versions() -> Sequence[int]:
    """Return numbers that change whenever assets or their history do."""
    return versions_of(VERSIONS)


def top_locations() -> TopLocations:
    """Return the locations of most value, the highest first."""
    order, limit = HIGHEST_VALUE_FIRST, MAX_LOCATIONS
    found = groups.group_assets(Dimension.LOCATION, AssetFilters(), order, limit=limit)
    bars = shares([group.value for group in found.rows])
    return TopLocations(list(zip(found.rows, bars, strict=True)), found.total - len(found.rows))


def entry_count() -> int:
    """Return the number of moves in the history."""
    return moves.move_count()


def activity(today: date) -> BarChart:
    """Return the number of moves on each of the last days until today as a chart."""
    return activity_chart(moves.moves_by_day(first_day(today), today), today)


def recent() -> Sequence[Move]:
    """Return the newest moves."""
    return moves.latest_moves(RECENT_ROWS)


def location_problems() -> Iterator[str]:
    """Yield each asset away from the end of its last move, by time or by when it was recorded.

    An asset that hasn't changed since it was added is left out: it may have been removed and added
    again elsewhere, and its earlier moves are still in the history.
    """
    rank = func.row_number().over(
        partition_by=AssetMove.asset_key, order_by=(AssetMove.at.desc(), AssetMove.id.desc())
    )
    ranked = select(
        AssetMove.asset_key, AssetMove.end_key, AssetMove.end_position, rank.label("rank")
    ).subquery()
    last_recorded = (
        select(AssetMove.end_key)
        .where(AssetMove.asset_key == Asset.asset_key)
        .order_by(AssetMove.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    statement = (
        select(Asset.asset_id, Asset.location, ranked.c.end_position)
        .join(ranked, ranked.c.asset_key == Asset.asset_key)
        .where(
            ranked.c.rank == 1,
            ranked.c.end_key != Asset.location_key,
            last_recorded != Asset.location_key,
            Asset.revision > 0,
        )
        .order_by(Asset.id)
    )
    for asset_id, location, end in db.session.execute(statement):
        yield f'Asset {asset_id} is at "{location}", its last move led to "{end}"'
