"""The dialogs that change one item."""

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.divisions import Site, Store
from app.errors import EditConflict
from app.money import format_number
from app.stock.forms import AddItemForm, EditItemForm, ItemActionForm, RemoveItemForm
from app.stock.models import Item
from app.stock.pages.results import answer, dialog
from app.stock.pages.stores import ITEM, store_of, store_route
from app.stock.queries import levels
from app.stock.rules import operations as rules
from app.stock.rules.bulk import Action
from app.stock.services import items as services
from app.stock.services.items import StockChange
from app.web import access
from app.web.error_pages import failure_message


@store_route("/<site>/add", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def add_item(division: str, site: str) -> ResponseReturnValue:
    """Add an item, or update the one that has its name."""
    store = store_of(division, site)
    form = AddItemForm()

    def work() -> StockChange:
        return services.add_item(
            store,
            form.item(),
            based_on=form.based_on.data,
            keeps_price=form.unit_price.data is None,
            by=access.current_user().user_id,
        )

    def ask() -> str:
        return dialog(
            "add_item",
            store,
            form,
            existing=_namesake(store, form),
            categories=levels.categories(store),
        )

    return answer(form, store, work, ask, _said_of_addition)


@store_route("/<site>/add/namesake")
@access.division_in_path
@failure_message("Failed to load inventory")
def namesake(division: str, site: str) -> str:
    """Show whether an item of the typed name exists, with what saving would change."""
    store = store_of(division, site)
    name = request.args.get("name", "").strip()
    existing = levels.item_named(store, name) if name else None
    form = AddItemForm(formdata=None)
    form.based_on.data = existing.amount if existing else None
    return render_template("stock/_namesake.html", form=form, existing=existing)


@store_route(f"{ITEM}/action", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def act(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Deliver, withdraw or transfer one item."""
    store = store_of(division, site)
    preset = Action.DELIVERY if request.args.get("mode") == "inc" else Action.WITHDRAWAL
    form = ItemActionForm(store, action=preset.value)

    def work() -> StockChange:
        team, on, by = form.team.data, form.date.data, access.current_user().user_id
        quantity = form.quantity.data
        if form.action.data == Action.TRANSFER:
            return services.transfer(store, item_id, quantity, form.site(), team=team, on=on, by=by)
        service = services.deliver if form.action.data == Action.DELIVERY else services.withdraw
        return service(store, item_id, quantity, team=team, on=on, by=by)

    def ask() -> str:
        item = levels.item(store, item_id)
        teams = levels.known_teams(store.division)
        return dialog("act", store, form, item=item, teams=teams)

    def say(change: StockChange) -> str:
        return _said_of_action(change, Action(form.action.data), form.site())

    return answer(form, store, work, ask, say)


@store_route(f"{ITEM}/edit", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def edit_item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Change an item's name, category, price or unit."""
    store = store_of(division, site)
    form = EditItemForm(obj=levels.item(store, item_id) if request.method == "GET" else None)

    def work() -> StockChange:
        return services.edit_item(
            store,
            form.change(item_id),
            revision=form.revision.data if form.revision.data is not None else -1,
            by=access.current_user().user_id,
        )

    def ask() -> str:
        item = levels.item(store, item_id)
        clash = isinstance(form.refusal, EditConflict)
        if clash:
            form.revision.data = item.revision
        categories = levels.categories(store)
        return dialog("edit_item", store, form, item=item, clash=clash, categories=categories)

    return answer(form, store, work, ask, lambda change: f'Saved "{change.name}".')


@store_route(f"{ITEM}/remove", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def remove_item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Ask, then take an item off the list."""
    store = store_of(division, site)
    form = RemoveItemForm()

    def work() -> StockChange:
        based_on = form.based_on.data
        return services.remove_item(
            store,
            item_id,
            based_on=-1 if based_on is None else based_on,
            by=access.current_user().user_id,
        )

    def ask() -> str:
        item = levels.item(store, item_id)
        form.based_on.data = item.amount
        return dialog("remove_item", store, form, item=item)

    return answer(form, store, work, ask, lambda change: f'Removed "{change.name}".')


def _namesake(store: Store, form: AddItemForm) -> Item | None:
    """Find the item that saving would update, and let the form carry the amount it showed."""
    existing = levels.item_named(store, form.name.data) if form.name.data else None
    form.based_on.data = existing.amount if existing else None
    return existing


def _said_of_action(change: StockChange, action: Action, destination: Site | None) -> str:
    moved = format_number(abs(change.after - change.before))
    now = f"{format_number(change.after)} {_unit(change)}"
    if action is Action.DELIVERY:
        return f"{change.name}: delivered {moved}, {now}now."
    if action is Action.TRANSFER and destination:
        return f"{change.name}: transferred {moved} to {destination.label}, {now}left."
    return f"{change.name}: withdrew {moved}, {now}left."


def _said_of_addition(change: StockChange) -> str:
    if not change.existed:
        return f'Added "{change.name}": {format_number(change.after)}.'
    return (
        f'Updated "{change.name}": {format_number(change.before)} → {format_number(change.after)}.'
    )


def _unit(change: StockChange) -> str:
    return "" if change.unit == rules.DEFAULT_UNIT else f"{change.unit} "
