"""Adds and edits single assets; a changed location is recorded as a move."""

from dataclasses import dataclass, replace

from app import dates
from app.assets.models import Asset
from app.assets.queries import register as queries
from app.assets.rules import assets as rules
from app.assets.rules.fields import AssetState
from app.assets.services.rows import (
    add_move,
    asset_values,
    increment_versions,
    lock_assets,
    record_register_event,
    with_id,
)
from app.db import db
from app.errors import Conflict, EditConflict
from app.events.rules import EventKind, differences, runs, values_of
from app.idempotency import UNSTAMPED, Stamp
from app.versions import lock_version

_RECORDED_TEXTS = ("id", "item")
"""The texts of an asset that its events have; a location, for one, can be somebody's home."""


@dataclass(frozen=True)
class AssetChange:
    """The number and item of an asset that was added or edited."""

    number: int
    item: str


def add_asset(new: AssetState) -> AssetChange:
    """Add an asset to the register. Raises Conflict when its id is taken."""
    # Nobody else adds the same id until this transaction ends.
    lock_version(queries.LIST)
    existing = queries.find_asset(new.id) if new.id else None
    if existing is not None:
        raise Conflict(f'Asset "{existing.asset_id}" already exists: {existing.item}.', "id")
    asset = Asset(**asset_values(with_id(new)), revision=0)
    db.session.add(asset)
    db.session.flush()
    after = values_of(new, texts=_RECORDED_TEXTS)
    record_register_event(EventKind.ASSET_ADDED, "asset", asset.id, by=None, after=after)
    increment_versions(register=True, moves=[])
    return AssetChange(asset.id, asset.item)


def edit_asset(
    number: int,
    values: AssetState,
    *,
    revision: int,
    by: int | None,
    stamp: Stamp = UNSTAMPED,
) -> AssetChange:
    """Give an asset new values, except for its id.

    Raises NotFound, and EditConflict when the asset has changed since `revision`.
    """
    asset = lock_assets([number]).get(number)
    if asset is None:
        raise queries.NoSuchAsset
    if asset.revision != revision:
        raise EditConflict("asset")
    before, after = queries.state_of(asset), replace(values, id=asset.asset_id)
    if after == before:
        return AssetChange(asset.id, asset.item)
    asset.revision += 1
    for column, value in asset_values(after).items():
        setattr(asset, column, value)
    moves = []
    if rules.is_move(before.location, after.location):
        now = dates.utc_now()
        move = add_move(asset, before.location, after.location, now, by=by, stamp=stamp)
        moves.append(move)
    db.session.flush()
    old, changed = differences(before, after, texts=_RECORDED_TEXTS)
    if moves:
        changed["moves"] = runs(move.id for move in moves)
    record_register_event(
        EventKind.ASSET_EDITED, "asset", asset.id, by=by, before=old, after=changed
    )
    increment_versions(register=True, moves=[move.at for move in moves])
    return AssetChange(asset.id, asset.item)
