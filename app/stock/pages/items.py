"""Pages of items."""

from urllib.parse import urlsplit

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.errors import EditConflict
from app.money import format_number, format_pence
from app.stock.forms import AddItemForm, EditItemForm, RemoveItemForm
from app.stock.models import Item
from app.stock.pages.replies import (
    describe_delivery,
    offer_teams,
    render_stock_dialog,
    respond_changed,
)
from app.stock.pages.stores import ITEM, list_url, store_of, store_route
from app.stock.queries import history, item_history, levels
from app.stock.rules import items
from app.stock.rules.items import EntryKind
from app.stock.services import items as services
from app.stock.services.items import ItemResult
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form
from app.web.forms import Form
from app.web.htmx import is_htmx_for
from app.web.navigation import referring_path


@store_route("/<site>/add", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def add_item(division: str, site: str) -> ResponseReturnValue:
    """Add an item, or update the item with its name, or deliver to it instead."""
    store = store_of(division, site)
    form = AddItemForm()

    def add() -> ItemResult:
        by, stamp = current_user().user_id, form.stamp()
        if form.deliver.data:
            name, quantity = form.name.data, form.amount.data
            team = form.chosen_team
            return services.deliver_instead(
                store, name, quantity, team=team, on=dates.today(), by=by, stamp=stamp
            )
        return services.add_item(
            store,
            form.item(),
            based_on=form.based_on.data,
            keeps_price=form.unit_price.data is None,
            by=by,
            stamp=stamp,
        )

    def render() -> str:
        existing = _find_namesake(store, form)
        return render_stock_dialog(
            "add_item.html",
            store,
            form,
            existing=existing,
            categories=levels.categories(store),
            **offer_teams(form, store, EntryKind.DELIVERY),
        )

    def respond(result: ItemResult) -> ResponseReturnValue:
        describe = describe_delivery if form.deliver.data else _describe_addition
        return _respond(form, store, result, describe(result))

    return handle_form(form, ItemResult, add, render=render, respond=respond)


@store_route("/<site>/add/namesake")
@access.division_in_path
@failure_message("Failed to load inventory")
def namesake(division: str, site: str) -> str:
    """Show whether an item of the typed name exists, and how saving would change it."""
    store = store_of(division, site)
    name = request.args.get("name", "").strip()
    existing = levels.find_item(store, name) if name else None
    form = AddItemForm(formdata=None)
    form.based_on.data = existing.amount if existing else None
    return render_template("stock/_namesake.html", form=form, existing=existing)


@store_route(f"{ITEM}/edit", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def edit_item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Change an item's name, category, price or unit."""
    store = store_of(division, site)
    form = EditItemForm(obj=levels.get_item(store, item_id) if request.method == "GET" else None)

    def edit() -> ItemResult:
        return services.edit_item(
            store,
            form.change(item_id),
            revision=form.revision.data if form.revision.data is not None else -1,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def render() -> str:
        item = levels.get_item(store, item_id)
        current = None
        if isinstance(form.refusal, EditConflict):
            form.rebase(item)
            category, price = item.category or "–", format_pence(item.unit_price)
            current = f"It is now: {item.name}, category {category}, {price}, {item.unit}."
        categories = levels.categories(store)
        return render_stock_dialog(
            "edit_item.html", store, form, item=item, current=current, categories=categories
        )

    def respond(result: ItemResult) -> ResponseReturnValue:
        return _respond(form, store, result, f'Saved "{result.name}".')

    return handle_form(form, ItemResult, edit, render=render, respond=respond)


@store_route(f"{ITEM}/remove", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def remove_item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Take an item off the list after a confirmation."""
    store = store_of(division, site)
    form = RemoveItemForm()

    def remove() -> ItemResult:
        return services.remove_item(
            store,
            item_id,
            based_on=form.based_on.sent,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def render() -> str:
        item = levels.get_item(store, item_id)
        form.based_on.data = item.amount
        return render_stock_dialog("remove_item.html", store, form, item=item)

    def respond(result: ItemResult) -> ResponseReturnValue:
        return _respond(form, store, result, f'Removed "{result.name}".')

    return handle_form(form, ItemResult, remove, render=render, respond=respond)


def _find_namesake(store: Store, form: AddItemForm) -> Item | None:
    """Return the item that saving would update, and store its amount in the form."""
    existing = levels.find_item(store, form.name.data) if form.name.data else None
    form.based_on.data = existing.amount if existing else None
    return existing


def _respond(form: Form, store: Store, result: ItemResult, message: str) -> ResponseReturnValue:
    return respond_changed(
        form,
        store,
        result.item_id,
        message,
        operation=result.operation,
        added=not result.existed,
    )


def _describe_addition(result: ItemResult) -> str:
    after = format_number(result.after)
    if not result.existed:
        return f'Added "{result.name}": {after}.'
    return f'Updated "{result.name}": {format_number(result.before)} → {after}.'


MOVEMENTS = 10


@store_route(ITEM)
@access.division_in_path
@failure_message("Failed to load inventory")
def item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Show an item, also a removed one; htmx gets the parts that change with its stock."""
    store = store_of(division, site)
    back = _back(store)
    today = dates.today()
    not_modified = caching.not_modified(*history.list_versions(store.division), today, back)
    if not_modified is not None:
        return not_modified
    record = item_history.get_past_item(store, item_id)
    since = items.first_day(today)
    changes = item_history.changes_by_day(item_id, since)
    is_fragment = is_htmx_for("item")
    return render_template(
        "stock/_item.html" if is_fragment else "stock/item.html",
        store=store,
        item=record,
        elsewhere=levels.elsewhere(store, record.name_key),
        picture=items.picture_of(record.amount, changes, today),
        days=items.day_labels(today),
        since=since,
        movements=item_history.latest_movements(record, MOVEMENTS),
        back=back,
        is_fragment=is_fragment,
    )


def _back(store: Store) -> str:
    """Return the list that led to this page, by default the stock list."""
    path = referring_path()
    lists = {
        list_url(store),
        url_for("stock_history.history", division=store.division.value),
        url_for("dashboard.show"),
    }
    return path if path and urlsplit(path).path in lists else list_url(store)
