"""What a change of stock answers: the row and a message with Undo, or the form again."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

from flask import Response, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.db import transaction
from app.divisions import Store
from app.errors import QuartermasterError
from app.money import format_number
from app.stock.queries import levels
from app.stock.queries.operations import OperationLine
from app.stock.services.items import StockChange
from app.stock.services.ledger import StepFailed
from app.web.forms import Form
from app.web.htmx import is_htmx
from app.web.idempotency import exactly_once

RELOAD = "stock-changed"
"""The event on which the list loads itself again."""


def answer(
    form: Form,
    store: Store,
    work: Callable[[], StockChange],
    ask: Callable[[], str],
    say: Callable[[StockChange], str],
) -> ResponseReturnValue:
    """Show the form; when it was sent, do the work once, or show the form again as typed."""
    if not form.is_submitted():
        return ask()
    status = 422
    if form.validate():
        try:
            with transaction():
                change = exactly_once(form.submission(), StockChange, work)
            return _changed(form, store, change, say(change))
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
    response = make_response(ask(), status)
    if isinstance(form.refusal, StepFailed):
        response.headers["HX-Trigger"] = RELOAD
    return response


def dialog(name: str, store: Store, form: Form, **context: object) -> str:
    """Render a dialog: the fragment for htmx, a page of its own without a script."""
    fragment = "_" if is_htmx() else ""
    back = form.back_to or url_for("stock.inventory", **store.place)
    return render_template(
        f"stock/{fragment}{name}.html", store=store, form=form, back=back, **context
    )


def filter_of(query: Mapping[str, str]) -> levels.StockFilter:
    """Return what a list's address asks for."""
    return levels.StockFilter(query.get("q", ""), query.get("category", ""))


def flash_result(store: Store, said: str, operation: int) -> None:
    """Say on the next page what was done, with Undo."""
    undo = url_for("stock.undo", **store.place, operation_id=operation) if operation else None
    flash({"text": said, "undo": undo})  # type: ignore[arg-type]


def say_operation(lines: Sequence[OperationLine]) -> str:
    """Return a sentence such as 'Delivery: 5 lines.'."""
    here = [line for line in lines if line.store == lines[0].store]
    what = lines[0].reason.partition(";")[0] or lines[0].kind.label
    return f"{what}: {format_number(len(here))} line{'' if len(here) == 1 else 's'}."


def _changed(form: Form, store: Store, change: StockChange, said: str) -> Response:
    if not is_htmx():
        flash_result(store, said, change.operation)
        back = form.back_to or url_for("stock.inventory", **store.place)
        return make_response(redirect(back, 303))
    query = dict(parse_qsl(urlsplit(form.back_to or "").query))
    shown = filter_of(query)
    count = levels.stock_count(store, shown)
    fragment = render_template(
        "stock/_changed.html",
        store=store,
        rows=[levels.stock_row(store, change.item_id)] if change.existed else [],
        added=not change.existed,
        item_id=change.item_id,
        categories=levels.categories(store),
        shown=shown,
        count=count,
        said=said,
        operation_id=change.operation,
    )
    response = make_response(fragment)
    if not change.existed or not count:
        response.headers["HX-Trigger"] = RELOAD
    return response
