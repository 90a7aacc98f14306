"""The register at a glance: what stands where, what it comes to, and how much has moved lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from app.activity import activity_chart, rows_per_day
from app.assets.models import AssetMove
from app.assets.queries import groups, moves, register
from app.assets.queries.groups import Group
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetFilter
from app.assets.rules.assets import Dimension
from app.assets.rules.grouping import DEAREST_FIRST
from app.charts import BarChart, shares
from app.db import db
from app.versions import versions_of

RECENT_ROWS = 12
PLACES_SHOWN = 5
VERSIONS = (register.LIST, moves.LIST)
"""The data versions of all that is shown of assets."""


@dataclass(frozen=True)
class Places:
    """The locations where most value stands, each with its bar, and how many more there are."""

    shown: Sequence[tuple[Group, float]]
    more: int


def data_versions() -> Sequence[int]:
    """Return numbers of which another one is there after every change of assets."""
    return versions_of(VERSIONS)


def dearest_places() -> Places:
    """Return the locations where most value stands, the dearest first."""
    found = groups.groups(Dimension.LOCATION, AssetFilter(), DEAREST_FIRST, limit=PLACES_SHOWN)
    bars = shares([group.value for group in found.rows])
    return Places(list(zip(found.rows, bars, strict=True)), found.total - len(found.rows))


def entry_count() -> int:
    """Return how many moves the history has."""
    return db.session.execute(select(func.count()).select_from(AssetMove)).scalar_one()


def activity(today: date) -> BarChart:
    """Return how many moves each of the last days has, today included, as a picture."""
    return activity_chart(rows_per_day(AssetMove.at, (), today), today)


def recent() -> Sequence[Move]:
    """Return the newest moves."""
    return moves.move_part(RECENT_ROWS)
