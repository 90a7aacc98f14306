"""Compare the moves of assets with their events."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import func, select

from app.assets.models import AssetMove
from app.db import db
from app.divisions import Division
from app.events import queries as events


def moves_without_event(since: datetime) -> Iterator[int]:
    """Stream the ids of the moves since a time that no event has.

    Moves made together have the event of the first; others are listed in theirs
    (`record_register_event`). A byte for each move notes whether it has one.
    """
    last = db.session.execute(select(func.max(AssetMove.id))).scalar() or 0
    has_event = bytearray(last + 1)
    for subject_kind, subject_id, after in events.recorded_values(Division.ASSETS):
        if subject_kind == "asset_move":
            has_event[int(subject_id)] = True
        for first, end in after.get("moves", ()):
            has_event[first : end + 1] = bytes([True]) * (end + 1 - first)
    statement = (
        select(AssetMove.id, func.coalesce(AssetMove.first_id, AssetMove.id))
        .where(AssetMove.at >= since)
        .order_by(AssetMove.id)
    )
    for move, first in db.session.execute(statement.execution_options(yield_per=1000)):
        if not has_event[move] and not has_event[first]:
            yield move
