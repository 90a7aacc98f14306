"""Reads assets for the dashboard: the locations of most value and the latest moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.assets.queries import groups, moves, register
from app.assets.queries.groups import Group
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetFilters
from app.assets.rules.assets import Dimension
from app.assets.rules.sorting import HIGHEST_VALUE_FIRST
from app.charts import BarChart, shares
from app.day_counts import activity_chart, first_day
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
