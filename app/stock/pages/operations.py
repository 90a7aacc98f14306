"""The result of an operation, and undoing it."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app.errors import NotFound
from app.stock.pages.replies import (
    STOCK_CHANGED,
    count_items,
    describe_operation,
    undo_url,
)
from app.stock.pages.stores import OPERATION, list_url, store_of, store_route
from app.stock.queries import operations as queries
from app.stock.services import undo as services
from app.stock.services.undo import UndoResult
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_undo, render_form
from app.web.forms import UndoForm


@store_route(OPERATION)
@access.division_in_path
@failure_message("Update failed")
def operation(division: str, site: str, operation_id: int) -> str:
    """Show the changes of an operation, with Undo; a fragment for widgets."""
    store = store_of(division, site)
    lines = queries.load_lines(operation_id, store.division)
    if not lines:
        raise NotFound("There is no such operation. Load the history again.")
    undoable_id = operation_id if queries.is_undoable(operation_id, lines) else 0
    return render_template(
        "components/_message.html",
        message=describe_operation(lines),
        undo=undo_url(store, undoable_id),
    )


@store_route(f"{OPERATION}/undo", methods=["GET", "POST"])
@access.division_in_path
@failure_message("Update failed")
def undo(division: str, site: str, operation_id: int) -> ResponseReturnValue:
    """Undo an operation after a confirmation; the Undo of a message posts at once."""
    store = store_of(division, site)
    form = UndoForm()
    back = form.back_to or list_url(store)

    def render() -> str:
        lines = queries.load_lines(operation_id, store.division)
        if not lines:
            raise NotFound("There is no such operation. Load the history again.")
        return render_form(
            "stock/undo.html",
            form=form,
            default_back=back,
            lines=lines,
            description=describe_operation(lines),
        )

    def take_back() -> UndoResult:
        by, stamp = current_user().user_id, form.stamp()
        return services.undo(store.division, operation_id, by=by, stamp=stamp)

    def describe(result: UndoResult) -> tuple[str, str | None]:
        message = f"Undone: {count_items(result.lines)} changed back."
        return message, undo_url(store, result.operation)

    return handle_undo(
        form,
        UndoResult,
        take_back,
        render=render,
        describe=describe,
        back=back,
        reload_event=STOCK_CHANGED,
    )
