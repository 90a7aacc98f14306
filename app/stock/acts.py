"""The acts on an item, and the replies to a change of stock: its row, and a message with Undo."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.divisions import SITES, Store
from app.money import count_of, format_number, format_pence
from app.records.acts import Act, Dialog, Outcome, Target, Then
from app.stock import forms
from app.stock.models import Item
from app.stock.queries import levels, overview, stock_levels
from app.stock.queries.operations import MovedItem
from app.stock.queries.stock_levels import LevelRow
from app.stock.rules import history
from app.stock.rules.filters import LOW_LEVEL, STOCK_ORDERS, StockFilters
from app.stock.rules.items import DEFAULT_UNIT, EntryKind
from app.stock.rules.operations import StoredLine
from app.stock.schemas.levels import LEVEL_LIST, MAX_SUGGESTIONS, suggestions_of
from app.stock.services import items as services
from app.stock.services import levels as level_services
from app.stock.services.items import ItemResult
from app.stock.services.levels import LevelChange
from app.web import access
from app.web.access import current_user
from app.web.form_handling import respond_done
from app.web.forms import Form, UndoForm
from app.web.htmx import is_htmx, wants_json

STOCK_CHANGED = "stock-changed"

ITEM = "/<site>/items/<row_id:item_id>"
LEVELS = "/<site>/levels"

DESKS = {division: f"/stock/{division}" for division in SITES}
"""The prefixes of what is decided about the stock of a division, whatever the site."""


def list_url(store: Store, **args: Any) -> str:
    """Return the URL of a store's list."""
    return url_for("stock.inventory", **store.place, **args)


def undo_url(store: Store, operation_id: int) -> str | None:
    """Return the URL that undoes an operation, None for id 0, which has nothing to undo."""
    where = {**store.place, "operation_id": operation_id}
    return url_for("stock.undo", **where) if operation_id else None


def parse_filters(query: Mapping[str, str]) -> StockFilters:
    """Return the filters in the query of a list's URL."""
    order = STOCK_ORDERS.parse(query.get("sort", ""))
    mode = query.get("mode", "")
    return StockFilters(
        query.get("q", ""),
        query.get("category", ""),
        order,
        mode if mode in ("dec", "inc") else "",
        query.get("level") == LOW_LEVEL,
    )


def offer_teams(form: forms.TeamForm, store: Store, kind: EntryKind) -> dict[str, Sequence[str]]:
    """Return the `teams` and the user's `recent_teams`; a new form starts with the latest."""
    recent = overview.recent_teams(store.division, current_user().user_id, kind)
    if recent and not form.is_submitted():
        form.recent_team.data = recent[0]
    return {"teams": overview.suggest_teams(store.division), "recent_teams": recent}


def describe_operation(lines: Sequence[StoredLine]) -> str:
    """Describe an operation, as in 'Delivery: 5 items.'."""
    store_lines = [line for line in lines if line.store == lines[0].store]
    title = history.operation_title(lines[0].kind, lines[0].reason, lines[0].day)
    return f"{title}: {count_of(len(store_lines), 'item')}."


def describe_delivery(item: MovedItem | ItemResult) -> str:
    """Describe a delivery of one item, as in 'Tin: delivered 5, 101 now.'."""
    quantity = format_number(item.after - item.before)
    unit = "" if item.unit == DEFAULT_UNIT else f"{item.unit} "
    return f"{item.name}: delivered {quantity}, {format_number(item.after)} {unit}now."


def respond_changed(
    form: Form, store: Store, item_id: int, message: str, *, operation: int, added: bool = False
) -> ResponseReturnValue:
    """Reply that an item changed: its row for htmx; an added one reloads the list."""
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


def _respond(form: Form, result: ItemResult, outcome: Outcome) -> ResponseReturnValue:
    is_delivery = isinstance(form, forms.AddItemForm) and form.deliver.data
    message = describe_delivery(result) if is_delivery else outcome.message
    operation, added = result.operation, not result.existed
    return respond_changed(
        form, forms.store_here(), result.item_id, message, operation=operation, added=added
    )


def _describe_addition(result: ItemResult) -> Outcome:
    after = format_number(result.after)
    if not result.existed:
        return Outcome(f'Added "{result.name}": {after}.')
    return Outcome(f'Updated "{result.name}": {format_number(result.before)} → {after}.')


def _addition(form: forms.AddItemForm, store: Store) -> Mapping[str, Any]:
    existing = levels.find_item(store, form.name.data) if form.name.data else None
    form.based_on.data = existing.amount if existing else None
    teams = offer_teams(form, store, EntryKind.DELIVERY)
    categories = levels.categories(store)
    return {"store": store, "existing": existing, "categories": categories, **teams}


def _describe_current(_: Any, item: Item) -> str:
    category, price = item.category or "–", format_pence(item.unit_price)
    return f"It is now: {item.name}, category {category}, {price}, {item.unit}."


def _removal(form: forms.RemoveItemForm, item: Item) -> Mapping[str, Any]:
    form.based_on.data = item.amount
    return {}


ON_ITEM = Target[Item](
    read=levels.get_item,
    page=lambda _: list_url(forms.store_here()),
    current=_describe_current,
    respond=_respond,
)


def levels_url(store: Store) -> str:
    """Return the URL of the minimums and targets of a store, with the filters of the request."""
    filters = {name: request.args.get(name) for name in LEVEL_LIST.arguments}
    return url_for("stock.levels", **store.place | filters)


def _describe_level(change: LevelChange) -> Outcome:
    minimum = f"minimum {format_number(change.minimum)}" if change.minimum else "no minimum"
    return Outcome(f"{change.name}: {minimum}.")


def _describe_current_level(_: Any, row: LevelRow) -> str:
    numbers = row.state.minimum, row.state.target
    minimum, target = (format_number(n) if n else "none" for n in numbers)
    return f"It is now: minimum {minimum}, target {target}, {row.source or 'no source'}."


def _suggestions(_: Any, store: Store) -> Mapping[str, Any]:
    found = suggestions_of(store, request.args)
    return {"store": store, "rows": found[:MAX_SUGGESTIONS], "more": found[MAX_SUGGESTIONS:]}


ON_LEVEL = Target[LevelRow](
    read=stock_levels.get_level,
    page=lambda _: levels_url(forms.store_here()),
    then=Then.RETURN,
    current=_describe_current_level,
)
ON_LEVELS = Target[Store](read=lambda store: store, page=levels_url)

ACTS = (
    Act(
        "add_item",
        "/<site>/add",
        access.division_in_path,
        forms.AddItemForm,
        services.add_item,
        _describe_addition,
        Target[Store](read=lambda store: store, page=list_url, respond=_respond),
        shows=_addition,
    ),
    Act(
        "edit_item",
        f"{ITEM}/edit",
        access.division_in_path,
        forms.EditItemForm,
        services.edit_item,
        'Saved "{r.name}".',
        ON_ITEM,
        # The list stays as it is while its item is edited again.
        shows=lambda *_: {
            "categories": levels.categories(forms.store_here()),
            "has_conflict": False,
        },
    ),
    Act(
        "remove_item",
        f"{ITEM}/remove",
        access.division_in_path,
        forms.RemoveItemForm,
        services.remove_item,
        'Removed "{r.name}".',
        ON_ITEM,
        shows=_removal,
    ),
    Act(
        "set_level",
        f"{ITEM}/level",
        access.division_in_path.by_managers,
        forms.LevelForm,
        level_services.set_level,
        _describe_level,
        ON_LEVEL,
        offer=lambda form, row: form.process(obj=row.state, revision=row.revision),
        dialog=Dialog("Minimum and target", about="{row.item.name}", text="{row.hint}"),
    ),
    Act(
        "snooze",
        f"{ITEM}/snooze",
        access.division_in_path.by_managers,
        forms.SnoozeItemForm,
        level_services.snooze,
        "{r.name} is off the reorder list until {r.until}.",
        ON_LEVEL,
        dialog=Dialog(
            "Snooze {row.item.name}?", "Snooze", text="It leaves the reorder list until a day."
        ),
    ),
    Act(
        "unsnooze",
        f"{ITEM}/unsnooze",
        access.division_in_path.by_managers,
        UndoForm,
        partial(level_services.snooze, snoozed_until=None),
        "{r.name} is on the reorder list again.",
        ON_LEVEL,
        dialog=Dialog("Put {row.item.name} back?", "Put back", text="It can be reordered again."),
    ),
    Act(
        "accept_suggestions",
        f"{LEVELS}/accept",
        access.division_in_path.by_managers,
        forms.AcceptSuggestionsForm,
        level_services.accept_suggestions,
        lambda change: Outcome(f"Accepted: {count_of(change.added + change.changed, 'item')}."),
        ON_LEVELS,
        shows=_suggestions,
        is_page=True,
    ),
)
