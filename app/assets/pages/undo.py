"""Undo of a move, and of moves that were made together."""

from collections.abc import Callable, Sequence

from flask import url_for
from flask.typing import ResponseReturnValue

from app.assets.acts import for_assets
from app.assets.models import AssetMove
from app.assets.pages.blueprint import bp
from app.assets.queries import moves as queries
from app.assets.services import undo as services
from app.assets.services.undo import UndoMovesResult
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_undo, render_form
from app.web.forms import UndoForm

RELOAD_EVENT = "assets-changed"
"""The event that makes the list reload."""

MOVE_PATH = "/assets/history/<row_id:move_id>"


def undo_url(first_move: int, moved: int) -> str | None:
    """Return the URL that undoes this many moves made together, None for id 0: it isn't known."""
    if not first_move:
        return None
    return url_for("assets.undo_moves" if moved > 1 else "assets.undo_move", move_id=first_move)


@bp.route(f"{MOVE_PATH}/undo", methods=["GET", "POST"])
@for_assets
@failure_message("Failed to move asset")
def undo_move(move_id: int) -> ResponseReturnValue:
    """Undo a move of an asset, or lead to all moves made together with it."""
    return _undo(
        move_id,
        lambda: [queries.get_move(move_id)],
        services.undo_move,
    )


@bp.route(f"{MOVE_PATH}/undo-all", methods=["GET", "POST"])
@for_assets
@failure_message("Failed to move asset")
def undo_moves(move_id: int) -> ResponseReturnValue:
    """Undo a move and the others made together with it."""
    return _undo(
        move_id,
        lambda: queries.standing_moves_made_with(move_id) or queries.moves_made_with(move_id),
        services.undo_moves,
    )


def _undo(
    move_id: int, load: Callable[[], Sequence[AssetMove]], undo: Callable[..., UndoMovesResult]
) -> ResponseReturnValue:
    form = UndoForm()
    history = url_for("assets.history")
    # The undo of one of several moves leads here to the undo of all: nobody goes back to that.
    is_from_one = form.back_to == url_for("assets.undo_move", move_id=move_id)
    back = history if is_from_one else form.back_to or history

    def render() -> str:
        moves, together = load(), queries.standing_moves_made_with(move_id)
        undo_all = url_for("assets.undo_moves", move_id=move_id) if len(together) > 1 else None
        return render_form(
            "assets/undo.html",
            form=form,
            default_back=history,
            moves=moves,
            **({"back": history} if is_from_one else {}),
            undo_all=undo_all if len(moves) < len(together) else None,
            made_with=len(together),
        )

    return handle_undo(
        form,
        UndoMovesResult,
        lambda: undo(move_id, by=current_user().user_id, stamp=form.stamp()),
        render=render,
        describe=lambda result: (_message(result), undo_url(result.first_move, result.moved)),
        back=back,
        reload_event=RELOAD_EVENT,
    )


def _message(result: UndoMovesResult) -> str:
    if result.moved > 1:
        return f"Undone: {result.moved} assets are back where they were."
    return f"Undone: {result.item} is back at {result.location or 'no location'}."
