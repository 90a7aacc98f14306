"""The result of an operation, and taking it back."""

from flask import make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.db import transaction
from app.errors import NotFound
from app.money import format_number
from app.stock.forms import UndoForm
from app.stock.pages.results import RELOAD, flash_result, say_operation
from app.stock.pages.stores import OPERATION, store_of, store_route
from app.stock.queries import operations
from app.stock.services.undo import Undone
from app.stock.services.undo import undo as take_back
from app.web import access
from app.web.access import viewer
from app.web.error_pages import says_on_failure
from app.web.htmx import is_htmx
from app.web.idempotency import exactly_once


@store_route(OPERATION)
@access.division_in_path
@says_on_failure("Update failed")
def operation(division: str, site: str, operation_id: int) -> str:
    """Say what an operation did, with Undo; a fragment for widgets."""
    store = store_of(division, site)
    lines = operations.lines_of(operation_id)
    if not lines or lines[0].store.division != store.division:
        raise NotFound("There is no such operation.")
    said = say_operation(lines)
    return render_template("stock/_said.html", store=store, said=said, operation_id=operation_id)


@store_route(f"{OPERATION}/undo", methods=["POST"])
@access.division_in_path
@says_on_failure("Update failed")
def undo(division: str, site: str, operation_id: int) -> ResponseReturnValue:
    """Take an operation back."""
    store = store_of(division, site)
    form = UndoForm()
    with transaction():
        done = exactly_once(
            form.submission(),
            Undone,
            lambda: take_back(store.division, operation_id, by=viewer().user_id),
        )
    lines = f"{format_number(done.lines)} line{'' if done.lines == 1 else 's'}"
    said = f"Undone: {lines} taken back."
    if not is_htmx():
        flash_result(store, said, done.operation)
        back = form.back_to or url_for("stock.inventory", **store.place)
        return redirect(back, 303)
    fragment = render_template(
        "stock/_said.html", store=store, said=said, operation_id=done.operation
    )
    response = make_response(fragment)
    response.headers["HX-Trigger"] = RELOAD
    return response
