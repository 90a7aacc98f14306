"""Rows of the register and of its history: locked, built and changed."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import select

from app import dates, names
from app.assets import rules
from app.assets.models import Asset, AssetMove, column_name, key_column_name
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import ASSET_FIELDS, TEXT_FIELDS, AssetState
from app.day_counts import change_counts
from app.db import db, insert_rows, lock_rows, table_of
from app.divisions import Division
from app.events.rules import EventKind, Values
from app.events.services import record_event
from app.idempotency import UNSTAMPED, Stamp
from app.lists import batches
from app.versions import increment_version


@dataclass(frozen=True)
class Relocation:
    """A locked asset and its destination; `undoes_id` is the move that this undoes."""

    asset: Asset
    destination: str
    undoes_id: int | None = None


def lock_assets(numbers: Collection[int]) -> dict[int, Asset]:
    """Lock assets until the transaction ends and return the existing ones, by number."""
    locked: dict[int, Asset] = {}
    for batch in batches(sorted(set(numbers))):
        locked |= {asset.id: asset for asset in lock_rows(Asset, Asset.id.in_(batch))}
    return locked


def lock_assets_by_key(keys: Collection[str]) -> dict[str, Asset]:
    """Lock the assets with these ids' keys until the transaction ends; return them by key."""
    numbers: list[int] = []
    for batch in batches(sorted(keys)):
        statement = select(Asset.id).where(Asset.asset_key.in_(batch))
        numbers += db.session.execute(statement).scalars()
    return {asset.asset_key: asset for asset in lock_assets(numbers).values()}


def with_id(new: AssetState) -> AssetState:
    """Return a new asset with its id, or with a random one if it has none."""
    return new if new.id else replace(new, id=str(uuid4()))


def asset_values(state: AssetState) -> dict[str, Any]:
    """Return the values of an asset's row by column, without number and revision."""
    values = {column_name(name): getattr(state, name) for name in ASSET_FIELDS}
    keys = {key_column_name(name): names.key(getattr(state, name)) for name in TEXT_FIELDS}
    value = state.quantity * state.purchase_price
    return {**values, **keys, "value": value, "search_key": rules.search_key(state)}


def move_values(
    state: AssetState, start: str, end: str, at: datetime, *, by: int | None
) -> dict[str, Any]:
    """Return the values of a move's row by column."""
    texts = (state.item, state.id, start, end)
    return {
        "at": at,
        "asset_id": state.id,
        "asset_key": names.key(state.id),
        "item": state.item,
        "start_position": start,
        "start_key": names.key(start),
        "end_position": end,
        "end_key": names.key(end),
        "search_key": "\n".join(names.key(text) for text in texts),
        "user_id": by,
    }


def add_move(
    asset: Asset, start: str, end: str, at: datetime, *, by: int | None, stamp: Stamp = UNSTAMPED
) -> AssetMove:
    """Add a move of an asset to the history and return it."""
    values = move_values(queries.state_of(asset), start, end, at, by=by)
    move = AssetMove(**values, client_key=stamp.client_key, client_digest=stamp.client_digest)
    db.session.add(move)
    return move


def move_together(
    moves: Sequence[Relocation], at: datetime, *, by: int | None, stamp: Stamp
) -> int:
    """Move locked assets, and record their moves as made together; return the first one's id."""
    rows = [_relocate(each, at, by) for each in moves]
    first = AssetMove(**rows[0], client_key=stamp.client_key, client_digest=stamp.client_digest)
    db.session.add(first)
    db.session.flush()
    if rows[1:]:
        # At once: the ORM would insert row by row to learn ids that nobody needs.
        insert_rows(table_of(AssetMove), [row | {"first_id": first.id} for row in rows[1:]])
    is_undo = any(each.undoes_id is not None for each in moves)
    kind = EventKind.ASSET_MOVES_UNDONE if is_undo else EventKind.ASSETS_MOVED
    record_register_event(kind, "asset_move", first.id, by=by, after={"assets": len(moves)})
    increment_versions(register=True, moves=[at] * len(moves))
    return first.id


def _relocate(relocation: Relocation, at: datetime, by: int | None) -> dict[str, Any]:
    asset, destination = relocation.asset, relocation.destination
    move = move_values(queries.state_of(asset), asset.location, destination, at, by=by)
    set_location(asset, destination)
    return move | {"undoes_id": relocation.undoes_id}


def record_register_event(
    kind: EventKind,
    subject_kind: str,
    subject_id: int | str,
    *,
    by: int | None,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Record the event of the register.

    Moves made otherwise than by `move_together` are in `after` as `moves`, the runs of their ids.
    """
    division = Division.ASSETS
    record_event(
        kind, subject_kind, subject_id, division=division, by=by, before=before, after=after
    )


def set_location(asset: Asset, location: str) -> None:
    """Set the location of a locked asset."""
    state = replace(queries.state_of(asset), location=location)
    asset.location = location
    asset.location_key = names.key(location)
    asset.search_key = rules.search_key(state)
    asset.revision += 1


def increment_versions(*, register: bool, moves: Sequence[datetime]) -> None:
    """Write the changes, then give the changed lists new versions; do it last.

    `moves` are the times of the moves that were added.
    """
    db.session.flush()
    if register:
        increment_version(queries.LIST)
    if moves:
        increment_version(history.LIST)
        change_counts(Counter((history.COUNTED.name, dates.london_day(at)) for at in moves))
