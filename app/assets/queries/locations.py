"""Checks of assets' locations against the history of moves."""

from collections.abc import Iterator

from sqlalchemy import func, select

from app.assets.models import Asset, AssetMove
from app.db import db


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
