"""Replies to a change of stock: the changed row, and a message with Undo."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import make_response, render_template, url_for
from flask.typing import ResponseReturnValue

from app.divisions import Store
from app.money import format_number
from app.stock.forms import TeamForm
from app.stock.pages.stores import list_url
from app.stock.queries import levels, team_offers
from app.stock.queries.levels import StockFilters
from app.stock.queries.operations import MovedItem, OperationLine
from app.stock.rules import history
from app.stock.rules.items import DEFAULT_UNIT, EntryKind
from app.stock.rules.sorting import STOCK_ORDERS
from app.stock.services.items import ItemResult
from app.web.access import current_user
from app.web.form_handling import render_form, respond_done
from app.web.forms import Form
from app.web.htmx import is_htmx, wants_json

STOCK_CHANGED = "stock-changed"
"""The event on which the list reloads."""


def undo_url(store: Store, operation_id: int) -> str | None:
    """Return the URL that undoes an operation, None for id 0, which has nothing to undo."""
    if not operation_id:
        return None
    return url_for("stock.undo", **store.place, operation_id=operation_id)


def parse_filters(query: Mapping[str, str]) -> StockFilters:
    """Return the filters in the query of a list's URL."""
    order = STOCK_ORDERS.parse(query.get("sort", ""))
    return StockFilters(query.get("q", ""), query.get("category", ""), order)


def render_stock_dialog(template: str, store: Store, form: Form, **context: Any) -> str:
    """Render a dialog over a store's list."""
    return render_form(
        f"stock/{template}", form=form, default_back=list_url(store), store=store, **context
    )


def offer_teams(form: TeamForm, store: Store, kind: EntryKind) -> dict[str, Sequence[str]]:
    """Return the teams that a form offers: `teams`, and the user's `recent_teams`.

    A new form starts with the team of the user's last entry of this kind.
    """
    recent = team_offers.recent_teams(store.division, current_user().user_id, kind)
    if recent and not form.is_submitted():
        form.recent_team.data = recent[0]
    return {"teams": team_offers.suggest_teams(store.division), "recent_teams": recent}


def describe_operation(lines: Sequence[OperationLine]) -> str:
    """Describe an operation, as in 'Delivery: 5 items.'."""
    store_lines = [line for line in lines if line.store == lines[0].store]
    title = history.operation_title(lines[0].kind, lines[0].reason, lines[0].day)
    return f"{title}: {count_items(len(store_lines))}."


def count_items(number: int) -> str:
    """Return a number of items as text: '1 item', '5 items'."""
    return f"{format_number(number)} item{'' if number == 1 else 's'}"


def describe_delivery(item: MovedItem | ItemResult) -> str:
    """Describe a delivery of one item, as in 'Tin: delivered 5, 101 now.'."""
    quantity = format_number(item.after - item.before)
    unit = "" if item.unit == DEFAULT_UNIT else f"{item.unit} "
    return f"{item.name}: delivered {quantity}, {format_number(item.after)} {unit}now."


def respond_changed(
    form: Form, store: Store, item_id: int, message: str, *, operation: int, added: bool = False
) -> ResponseReturnValue:
    """Reply that one item was changed: its row and a message for htmx, else the page before.

    An added item's row isn't on the page yet, so the list reloads; so does another page.
    """
    undo = undo_url(store, operation)
    back = form.back_to or list_url(store)
    path, query = urlsplit(back)[2:4]
    if wants_json() or not is_htmx() or path != list_url(store):
        return respond_done(message, back=back, reload_event=STOCK_CHANGED, undo=undo)
    filters = parse_filters(dict(parse_qsl(query)))
    count = levels.count_items(store, filters)
    fragment = render_template(
        "stock/_changed.html",
        store=store,
        row=None if added else levels.load_row(store, item_id),
        added=added,
        item_id=item_id,
        categories=levels.categories(store),
        filters=filters,
        count=count,
        message=message,
        undo=undo,
    )
    response = make_response(fragment)
    if added or not count:
        response.headers["HX-Trigger"] = STOCK_CHANGED
    return response
