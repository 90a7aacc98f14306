"""Undo: moves of assets are taken back by moves of their own, each once."""

from collections.abc import Sequence
from dataclasses import dataclass

from app import dates
from app.assets.models import AssetMove
from app.assets.queries import moves as history
from app.assets.rules import assets as rules
from app.assets.services.rows import Relocation, lock_assets_by_key, move_together
from app.audit.rules import Event
from app.audit.services import record
from app.errors import AlreadyUndone, Conflict
from app.idempotency import UNSTAMPED, Stamp


@dataclass(frozen=True)
class UndoMovesResult:
    """The number of assets moved back, the item and location of the first; the first move back."""

    moved: int
    item: str
    location: str
    first_move: int


def undo_move(move_id: int, *, by: int | None, stamp: Stamp = UNSTAMPED) -> UndoMovesResult:
    """Undo a move of an asset.

    Raises NotFound, and Conflict when the move was undone already, or the asset has moved on since
    or isn't in the register any more.
    """
    return _undo([history.get_move(move_id)], by, stamp)


def undo_moves(move_id: int, *, by: int | None, stamp: Stamp = UNSTAMPED) -> UndoMovesResult:
    """Undo a move and all others made together with it that stand, or none.

    Raises the errors of `undo_move`.
    """
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
    first_move = move_together(
        [Relocation(assets[m.asset_key], m.start_position, undoes_id=m.id) for m in standing],
        at,
        by=by,
        stamp=stamp,
    )
    first = standing[0]
    record(Event.UNDO, f"asset move {first.id}", by=by, moves=len(standing), move=first_move)
    return UndoMovesResult(len(standing), first.item, first.start_position, first_move)
