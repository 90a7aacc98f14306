"""The result of an operation, and taking it back."""

from flask import flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.db import transaction
from app.divisions import Store
from app.errors import NotFound, QuartermasterError
from app.money import format_number
from app.stock.forms import UndoForm
from app.stock.pages.results import RELOAD, flash_result, say_operation
from app.stock.pages.stores import OPERATION, store_of, store_route
from app.stock.queries import operations
from app.stock.services.undo import Undone
from app.stock.services.undo import undo as take_back
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx
from app.web.idempotency import exactly_once


@store_route(OPERATION)
@access.division_in_path
@failure_message("Update failed")
def operation(division: str, site: str, operation_id: int) -> str:
    """Say what an operation did, with Undo; a fragment for widgets."""
    store = store_of(division, site)
    lines = operations.lines_of(operation_id, store.division)
    if not lines:
        raise NotFound("There is no such operation.")
    undoable = operation_id if operations.can_be_undone(operation_id, lines) else 0
    said = say_operation(lines)
    return render_template("stock/_said.html", store=store, said=said, operation_id=undoable)


@store_route(f"{OPERATION}/undo", methods=["GET", "POST"])
@access.division_in_path
@failure_message("Update failed")
def undo(division: str, site: str, operation_id: int) -> ResponseReturnValue:
    """Ask, then take an operation back; a button that needs no question posts at once."""
    store = store_of(division, site)
    form = UndoForm()
    back = form.back_to or url_for("stock.inventory", **store.place)
    if not form.is_submitted():
        lines = operations.lines_of(operation_id, store.division)
        if not lines:
            raise NotFound("There is no such operation.")
        said = say_operation(lines)
        return render_template(
            "stock/undo.html", store=store, form=form, lines=lines, said=said, back=back
        )
    try:
        with transaction():
            done = exactly_once(
                form.submission(),
                Undone,
                lambda: take_back(store.division, operation_id, by=current_user().user_id),
            )
    except QuartermasterError as error:
        if is_htmx():
            raise
        flash({"text": f"Not undone. {error.message}", "kind": "bad"})  # type: ignore[arg-type]
        return redirect(back, 303)
    lines_back = f"{format_number(done.lines)} line{'' if done.lines == 1 else 's'}"
    return _undone(store, f"Undone: {lines_back} taken back.", done.operation, back)


def _undone(store: Store, said: str, operation_id: int, back: str) -> ResponseReturnValue:
    if not is_htmx():
        flash_result(store, said, operation_id)
        return redirect(back, 303)
    fragment = render_template(
        "stock/_said.html", store=store, said=said, operation_id=operation_id
    )
    response = make_response(fragment)
    response.headers["HX-Trigger"] = RELOAD
    return response
