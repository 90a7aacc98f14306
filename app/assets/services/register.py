"""Adds, changes and replaces assets."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update

from app import dates, names
from app.assets import rules
from app.assets.models import Asset, AssetMove
from app.assets.queries import register as queries
from app.assets.queries.register import AssetRow
from app.assets.rules import AssetState, AssetUpdate
from app.assets.services.rows import (
    add_move,
    asset_values,
    increment_versions,
    lock_assets,
    move_values,
    record_register_event,
    with_id,
)
from app.audit.services import record_import
from app.db import db, insert_rows
from app.errors import Conflict, EditConflict
from app.events.rules import EventKind, counts, differences, runs, values_of
from app.idempotency import UNSTAMPED, Stamp
from app.lists import ListChange, batches, check_unique, lock_list
from app.versions import check_version, lock_version

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


States = Sequence[AssetState]
Progress = Callable[[Sequence[States]], Iterable[States]]


def set_assets(
    updates: Sequence[AssetUpdate], *, by: int | None, progress: Progress = iter
) -> ListChange:
    """Update the listed assets and leave all others alone (an import).

    An asset keeps the spelling of its id; an update without an id adds an asset.
    """
    stored, _ = _lock_register()
    states = []
    for each in updates:
        row = stored.get(names.key(each.id))
        states.append(each.apply_to(queries.state_of(row) if row else None))
    kind = EventKind.ASSETS_IMPORTED
    return _write(kind, states, stored, by=by, progress=progress)


def replace_assets(
    states: States, *, versions: Collection[int] | None, by: int | None
) -> ListChange:
    """Replace the whole register; the history of removed assets stays.

    `versions` are the versions that the caller has read, None if the register has to be empty.
    Raises PreconditionRequired, PreconditionFailed, and Invalid for an id that is listed twice.
    """
    check_unique(((names.key(state.id), state.id) for state in states), "id")
    stored, version = _lock_register()
    check_version(versions, version, is_empty=not stored)
    listed = {names.key(state.id) for state in states}
    removed = [row.id for key, row in stored.items() if key not in listed]
    for batch in batches(removed):
        # The session has loaded no assets that it would have to forget.
        statement = delete(Asset).where(Asset.id.in_(batch))
        db.session.execute(statement, execution_options={"synchronize_session": False})
    kind = EventKind.ASSETS_REPLACED
    return _write(kind, states, stored, by=by, removed=len(removed))


def _lock_register() -> tuple[dict[str, AssetRow], int]:
    """Lock the register; return its rows by the keys of their ids, and its version."""
    # Columns are read instead of entities, which take long to build when there are many.
    statement = (
        select(*queries.COLUMNS, Asset.id, Asset.revision, Asset.asset_key)
        .order_by(Asset.id)
        .with_for_update()
    )
    rows, version = lock_list(lambda: db.session.execute(statement).all(), [queries.LIST])
    return {row.asset_key: row for row in rows}, version


@dataclass(frozen=True)
class _Changes:
    added: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)


def _write(
    kind: EventKind,
    states: States,
    stored: dict[str, AssetRow],
    *,
    by: int | None,
    removed: int = 0,
    progress: Progress = iter,
) -> ListChange:
    now = dates.utc_now()
    added = changed = moved = 0
    for batch in progress(list(batches(states))):
        changes = _changes(batch, stored, now, by)
        if changes.added:
            insert_rows(Asset.__table__, changes.added)
        if changes.changed:
            # Rows with and without nulls are written by one statement.
            options = {"render_nulls": True}
            db.session.execute(update(Asset), changes.changed, execution_options=options)
        if changes.moves:
            insert_rows(AssetMove.__table__, changes.moves)
        added += len(changes.added)
        changed += len(changes.changed)
        moved += len(changes.moves)
    change = ListChange(added, changed, len(states) - added - changed, removed)
    if change:
        after = counts(change) | ({"moves": runs(_moves_at(now))} if moved else {})
        record_register_event(kind, "list", queries.LIST, by=by, after=after)
    increment_versions(register=bool(change), moves=[now] * moved)
    record_import("assets", change, by=by)
    return change


def _moves_at(now: datetime) -> Iterable[int]:
    """Return the ids of the moves that a list added: nobody else moves locked assets."""
    return db.session.execute(select(AssetMove.id).where(AssetMove.at == now)).scalars()


def _changes(
    states: States, stored: dict[str, AssetRow], now: datetime, by: int | None
) -> _Changes:
    changes = _Changes()
    for state in states:
        row = stored.get(names.key(state.id)) if state.id else None
        if row is None:
            changes.added.append(asset_values(with_id(state)) | {"revision": 0})
            continue
        before = queries.state_of(row)
        if state == before:
            continue
        numbers = {"id": row.id, "revision": row.revision + 1}
        changes.changed.append(asset_values(state) | numbers)
        if rules.is_move(before.location, state.location):
            changes.moves.append(move_values(state, before.location, state.location, now, by=by))
    return changes
