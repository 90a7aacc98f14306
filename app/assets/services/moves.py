"""Moves assets and undoes moves; what else changes the register uses its locks and rows."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, ClassVar

from sqlalchemy import select

from app import dates, names
from app.assets import rules
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import AssetState, empty_if_dash
from app.audit.rules import Event
from app.audit.services import record
from app.day_counts import change_counts
from app.db import db, insert_rows, lock_rows, table_of
from app.divisions import Division
from app.errors import AlreadyUndone, Conflict, Invalid, existing
from app.events.rules import EventKind, Values, runs
from app.events.services import record_event
from app.idempotency import UNSTAMPED, Stamp
from app.lists import Added, batches
from app.versions import increment_version


def record_register_event(
    kind: EventKind, subject: str, id_: int | str, *, by: int | None, **values: Values
) -> None:
    """Record an event of the register.

    Moves made otherwise than by `_move_together` are in `after` as `moves`, the runs of their ids.
    """
    record_event(kind, subject, id_, division=Division.ASSETS, by=by, **values)


@dataclass(frozen=True)
class _Relocation:
    """A locked asset and its destination; `undoes_id` is the move that this undoes."""

    asset: Asset
    destination: str
    undoes_id: int | None = None


@dataclass(frozen=True)
class MoveResult:
    """The number of moved assets, the item of the first, and the destination.

    `unchanged` counts assets that were already at the destination, `missing` those outside the
    register. `first_move` is the id of the first move, 0 in results of earlier releases.
    """

    moved: int
    item: str
    destination: str
    unchanged: int
    missing: int = 0
    first_move: int = 0
    record_version: ClassVar = 2

    @classmethod
    def upgrade_record(cls, _version: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of today for a result stored under the counts' former names."""
        return values | {"unchanged": values["stayed"], "missing": values.get("gone", 0)}


@dataclass(frozen=True)
class PastMove:
    """A move to record; it happens now without `at` and starts at the location without `start`."""

    asset_id: str
    end: str
    start: str | None = None
    at: datetime | None = None


def move_assets(
    numbers: Sequence[int], destination: str, *, by: int | None, stamp: Stamp = UNSTAMPED
) -> MoveResult:
    """Move assets to a destination; those already there stay unchanged.

    Raises Invalid without a destination, NotFound when none of the assets exists, and Conflict
    when all are at the destination already.
    """
    destination = empty_if_dash(destination)
    if not destination:
        raise Invalid(rules.DESTINATION_REQUIRED, "destination")
    locked = existing(list(lock_assets(numbers).values()) or None, queries.NO_SUCH_ASSET)
    moving = [asset for asset in locked if rules.is_move(asset.location, destination)]
    if not moving:
        first = locked[0]
        what = first.item if len(locked) == 1 else f"All {len(locked)} assets"
        verb = "is" if len(locked) == 1 else "are"
        raise Conflict(f"{what} {verb} at {first.location} already.", "destination")
    relocations = [_Relocation(asset, destination) for asset in moving]
    first_move = _move_together(relocations, dates.utc_now(), by=by, stamp=stamp)
    return MoveResult(
        moved=len(moving),
        item=moving[0].item,
        destination=destination,
        unchanged=len(locked) - len(moving),
        missing=len(set(numbers)) - len(locked),
        first_move=first_move,
    )


def rebuild_move(first_move: int) -> MoveResult:
    """Return the result of a move from its rows, without the assets that it left alone."""
    moves = history.moves_made_with(first_move)
    return MoveResult(
        moved=len(moves),
        item=moves[0].item,
        destination=moves[0].end_position,
        unchanged=0,
        first_move=first_move,
    )


def record_moves(moves: Sequence[PastMove], *, by: int | None, stamp: Stamp = UNSTAMPED) -> Added:
    """Add moves to the history, oldest first; an asset's latest move also sets its location.

    A move that ends where it starts isn't added, nor one that repeats the asset's last move of
    the same day: a client that changes the register and then records the move reports it twice.
    Raises Invalid for the first asset that doesn't exist.
    """
    assets = lock_assets_by_key({names.key(move.asset_id) for move in moves})
    for index, move in enumerate(moves):
        if names.key(move.asset_id) not in assets:
            raise Invalid(f'There is no asset "{move.asset_id}".', f"{index}.id")
    # The time is read under the locks, so that it isn't before a move that they waited for.
    now = dates.utc_now()
    last_moves = history.last_move_by_asset(sorted(assets))
    added: list[AssetMove] = []
    relocated = 0
    for at, move in sorted(((move.at or now, move) for move in moves), key=itemgetter(0)):
        asset = assets[names.key(move.asset_id)]
        last = last_moves.get(asset.asset_key)
        is_latest = last is None or at >= last.at
        start, end = move.start, empty_if_dash(move.end)
        if start is None:
            start = asset.location if is_latest else history.location_at(asset.asset_key, at)
        start = empty_if_dash(start)
        if not rules.is_move(start, end) or (last and _repeats(move, at, last)):
            continue
        # The first that is added keeps the key, which makes one row.
        entry = add_move(asset, start, end, at, by=by, stamp=UNSTAMPED if added else stamp)
        added.append(entry)
        if not is_latest:
            continue
        last_moves[asset.asset_key] = entry
        if rules.is_move(asset.location, end):
            _set_location(asset, end)
            relocated += 1
    if added:
        db.session.flush()
        after = {"moves": runs(move.id for move in added)}
        kind = EventKind.ASSET_MOVES_RECORDED
        record_register_event(kind, "list", history.LIST, by=by, after=after)
    increment_versions(register=relocated > 0, moves=[move.at for move in added])
    return Added(len(added))


def _repeats(move: PastMove, at: datetime, last: AssetMove) -> bool:
    is_same_end = names.key(empty_if_dash(move.end)) == last.end_key
    start_key = None if move.start is None else names.key(empty_if_dash(move.start))
    is_same_day: bool = dates.london_day(at) == dates.london_day(last.at)
    return is_same_end and start_key in (None, last.start_key) and is_same_day


@dataclass(frozen=True)
class UndoMovesResult:
    """The number of assets moved back, the item and location of the first; the first move back."""

    moved: int
    item: str
    location: str
    first_move: int


def undo_move(move_id: int, *, by: int | None, stamp: Stamp = UNSTAMPED) -> UndoMovesResult:
    """Undo a move. Raises NotFound, and Conflict if it is undone, or its asset moved on or left."""
    return _undo([history.get_move(move_id)], by, stamp)


def undo_moves(move_id: int, *, by: int | None, stamp: Stamp = UNSTAMPED) -> UndoMovesResult:
    """Undo a move and all that stand of those made with it, or none; raises as `undo_move`."""
    return _undo(history.moves_made_with(move_id), by, stamp)


def _undo(moves: Sequence[AssetMove], by: int | None, stamp: Stamp) -> UndoMovesResult:
    assets = lock_assets_by_key({move.asset_key for move in moves})
    # Read under the locks, as the last moves are.
    undone = history.undone_moves([move.id for move in moves])
    standing = [move for move in moves if move.id not in undone]
    if not standing:
        raise AlreadyUndone
    last_moves = history.last_move_by_asset(sorted(assets))
    for move in standing:
        asset, last = assets.get(move.asset_key), last_moves.get(move.asset_key)
        # After the undo of a later move the asset is there again.
        is_last = last is not None and (last.id == move.id or last.undoes_id is not None)
        location = asset.location if asset else None
        problem = rules.undo_problem(move.item, move.end_position, location, is_last=is_last)
        if problem:
            raise Conflict(f"{problem} Nothing was undone." if len(moves) > 1 else problem)
    # A move can be dated later today; its undo comes after it.
    at = max(dates.utc_now(), *(move.at for move in last_moves.values()))
    first_move = _move_together(
        [_Relocation(assets[m.asset_key], m.start_position, undoes_id=m.id) for m in standing],
        at,
        by=by,
        stamp=stamp,
    )
    first = standing[0]
    record(Event.UNDO, f"asset move {first.id}", by=by, moves=len(standing), move=first_move)
    return UndoMovesResult(len(standing), first.item, first.start_position, first_move)


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


def _move_together(
    moves: Sequence[_Relocation], at: datetime, *, by: int | None, stamp: Stamp
) -> int:
    """Move locked assets, and record their moves as made together; return the first one's id."""
    rows = []
    for each in moves:
        asset, end = each.asset, each.destination
        values = move_values(queries.state_of(asset), asset.location, end, at, by=by)
        rows.append(values | {"undoes_id": each.undoes_id})
        _set_location(asset, end)
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


def _set_location(asset: Asset, location: str) -> None:
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
