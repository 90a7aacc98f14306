"""Adds, changes and replaces assets."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from blinker import Signal
from sqlalchemy import delete, select

from app import dates, names
from app.assets import rules
from app.assets.models import Asset, AssetMove, column_name, key_column_name
from app.assets.queries import register as queries
from app.assets.rules import ASSET_FIELDS, TEXT_FIELDS, AssetState, AssetUpdate
from app.assets.services import moves as moving
from app.audit.services import record_import
from app.db import db, insert_rows, table_of, update_rows
from app.errors import Conflict, check_revision, existing
from app.events.rules import EventKind, counts, differences, runs, values_of
from app.idempotency import UNSTAMPED, Stamp
from app.lists import ListChange, batches, check_unique, lock_list
from app.versions import check_version, lock_version

quantities_lowered = Signal()
"""Sent with the new quantities of assets by key, 0 for removed ones, in the transaction."""

_TABLE = table_of(Asset)
_COLUMNS = {name: column_name(name) for name in ASSET_FIELDS}
_KEY_COLUMNS = {name: key_column_name(name) for name in TEXT_FIELDS}

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
    taken = queries.find_asset(new.id) if new.id else None
    if taken is not None:
        raise Conflict(f'Asset "{taken.asset_id}" already exists: {taken.item}.', "id")
    asset = Asset(**asset_values(_with_id(new)), revision=0)
    db.session.add(asset)
    db.session.flush()
    after = values_of(new, texts=_RECORDED_TEXTS)
    moving.record_register_event(EventKind.ASSET_ADDED, "asset", asset.id, by=None, after=after)
    moving.increment_versions(register=True, moves=[])
    return AssetChange(asset.id, asset.item)


def edit_asset(
    number: int, values: AssetState, *, revision: int, by: int | None, stamp: Stamp = UNSTAMPED
) -> AssetChange:
    """Give an asset new values, but no other id. Raises NotFound and EditConflict."""
    asset = existing(moving.lock_assets([number]).get(number), queries.NO_SUCH_ASSET)
    check_revision("asset", asset.revision, revision)
    before, after = queries.state_of(asset), replace(values, id=asset.asset_id)
    if after == before:
        return AssetChange(asset.id, asset.item)
    if after.quantity < before.quantity:
        quantities_lowered.send({asset.asset_key: after.quantity}, by=by)
    asset.revision += 1
    for column, value in asset_values(after).items():
        setattr(asset, column, value)
    moves = []
    if rules.is_move(before.location, after.location):
        places, now = (before.location, after.location), dates.utc_now()
        moves.append(moving.add_move(asset, *places, now, by=by, stamp=stamp))
    db.session.flush()
    old, changed = differences(before, after, texts=_RECORDED_TEXTS)
    if moves:
        changed["moves"] = runs(move.id for move in moves)
    moving.record_register_event(
        EventKind.ASSET_EDITED, "asset", asset.id, by=by, before=old, after=changed
    )
    moving.increment_versions(register=True, moves=[move.at for move in moves])
    return AssetChange(asset.id, asset.item)


States = Sequence[AssetState]
Progress = Callable[[Sequence[States]], Iterable[States]]
_Rows = list[dict[str, Any]]


def set_assets(
    updates: Sequence[AssetUpdate], *, by: int | None, progress: Progress = iter
) -> ListChange:
    """Update the listed assets alone (an import); ids keep their spelling, no id adds an asset."""
    stored, _ = _lock_register()
    states = []
    for each in updates:
        row = stored.get(names.key(each.id))
        states.append(each.apply_to(queries.state_of(row) if row else None))
    return _write(EventKind.ASSETS_IMPORTED, states, stored, by=by, progress=progress)


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
    removed = stored.keys() - {names.key(state.id) for state in states}
    return _write(EventKind.ASSETS_REPLACED, states, stored, by=by, removed=removed)


def remove_assets(keys: Collection[str], *, by: int | None) -> ListChange:
    """Remove the assets whose ids have these keys (the undo of an import)."""
    stored, _ = _lock_register()
    removed = stored.keys() & set(keys)
    return _write(EventKind.ASSETS_IMPORTED, (), stored, by=by, removed=removed)


def _lock_register() -> tuple[dict[str, queries.AssetRow], int]:
    """Lock the register; return its rows by the keys of their ids, and its version."""
    # Columns are read instead of entities, which take long to build when there are many.
    statement = (
        select(*queries.COLUMNS, Asset.id, Asset.revision, Asset.asset_key)
        .order_by(Asset.id)
        .with_for_update()
    )
    rows, version = lock_list(lambda: db.session.execute(statement).all(), [queries.LIST])
    return {row.asset_key: row for row in rows}, version


def _write(
    kind: EventKind,
    states: States,
    stored: dict[str, queries.AssetRow],
    *,
    by: int | None,
    removed: Collection[str] = (),
    progress: Progress = iter,
) -> ListChange:
    for some in batches([stored[key].id for key in removed]):
        # The session has loaded no assets that it would have to forget.
        statement = delete(Asset).where(Asset.id.in_(some))
        db.session.execute(statement, execution_options={"synchronize_session": False})
    now = dates.utc_now()
    lowered = dict.fromkeys(removed, 0)
    for state in states:
        row = stored.get(names.key(state.id)) if state.id else None
        if row is not None and state.quantity < row.quantity:
            lowered[row.asset_key] = state.quantity
    if lowered:
        quantities_lowered.send(lowered, by=by)
    added = changed = moved = 0
    for batch in progress(list(batches(states))):
        new, edited, moves = _rows(batch, stored, now, by)
        if new:
            insert_rows(_TABLE, new)
        for rows in edited.values():
            update_rows(_TABLE, rows)
        if moves:
            insert_rows(AssetMove.__table__, moves)
        added += len(new)
        changed += sum(map(len, edited.values()))
        moved += len(moves)
    change = ListChange(added, changed, len(states) - added - changed, len(removed))
    if change:
        after = counts(change) | ({"moves": runs(_moves_at(now))} if moved else {})
        moving.record_register_event(kind, "list", queries.LIST, by=by, after=after)
    moving.increment_versions(register=bool(change), moves=[now] * moved)
    record_import("assets", change, by=by)
    return change


def _moves_at(now: datetime) -> Iterable[int]:
    """Return the ids of the moves that a list added: nobody else moves locked assets."""
    return db.session.execute(select(AssetMove.id).where(AssetMove.at == now)).scalars()


def _rows(
    states: States, stored: dict[str, queries.AssetRow], now: datetime, by: int | None
) -> tuple[_Rows, Mapping[frozenset[str], _Rows], _Rows]:
    """Return the rows of new assets, of edited ones by their changed columns, and of moves."""
    new: _Rows = []
    edited: defaultdict[frozenset[str], _Rows] = defaultdict(list)
    moves: _Rows = []
    for state in states:
        row = stored.get(names.key(state.id)) if state.id else None
        if row is None:
            new.append(asset_values(_with_id(state)) | {"revision": 0})
            continue
        before = queries.state_of(row)
        if state == before:
            continue
        old = asset_values(before)
        written = {name: value for name, value in asset_values(state).items() if value != old[name]}
        ids = {"row_id": row.id, "revision": row.revision + 1}
        edited[frozenset(written)].append(written | ids)
        if rules.is_move(before.location, state.location):
            moves.append(moving.move_values(state, before.location, state.location, now, by=by))
    return new, edited, moves


def _with_id(new: AssetState) -> AssetState:
    return new if new.id else replace(new, id=str(uuid4()))


def asset_values(state: AssetState) -> dict[str, Any]:
    """Return the values of an asset's row by column, without number and revision."""
    values: dict[str, Any] = {column: getattr(state, name) for name, column in _COLUMNS.items()}
    keys = {column: names.key(getattr(state, name)) for name, column in _KEY_COLUMNS.items()}
    value, search_key = state.quantity * state.purchase_price, "\n".join(keys.values())
    return {**values, **keys, "value": value, "search_key": search_key}
