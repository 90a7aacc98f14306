"""The dialog that delivers, withdraws or transfers one item."""

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.divisions import Division, Site, Store
from app.money import format_number
from app.stock.forms import MoveStockForm
from app.stock.pages.replies import (
    STOCK_CHANGED,
    describe_delivery,
    offer_teams,
    respond_changed,
)
from app.stock.pages.stores import ITEM, bp, list_url, store_of, store_route
from app.stock.queries import levels
from app.stock.rules.items import DEFAULT_UNIT, EntryKind, ItemState
from app.stock.rules.movements import Action, StockLine
from app.stock.services import movements as services
from app.stock.services.ledger import StepFailed
from app.stock.services.movements import MovementResult
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog


@store_route(f"{ITEM}/action", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Update failed")
def move_stock(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Deliver, withdraw or transfer one item, as the form's action says."""
    store = store_of(division, site)
    preset = PRESETS.get(request.args.get("mode", ""), Action.WITHDRAWAL)
    if not store.has_transfers and preset is Action.TRANSFER:
        preset = Action.WITHDRAWAL
    form = MoveStockForm(store, action=preset, destination=request.args.get("destination"))

    def move() -> MovementResult:
        return services.move(
            Action(form.action.data),
            store,
            [StockLine(item_id, form.quantity.data)],
            destination=form.site(),
            books_available=form.book_available.data,
            team=form.chosen_team,
            on=form.date.data,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def render() -> str:
        kind = EntryKind.DELIVERY if preset is Action.DELIVERY else EntryKind.WITHDRAWAL
        return render_dialog(
            "stock/move_stock.html",
            form=form,
            default_back=list_url(store),
            store=store,
            item=levels.get_item(store, item_id),
            **offer_teams(form, store, kind),
        )

    def respond(result: MovementResult) -> ResponseReturnValue:
        item, message = result.items[0], _describe(result, form)
        # An entry of 0 is a note: there is nothing to undo.
        undoable_id = 0 if item.before == item.after else result.operation
        return respond_changed(form, store, item_id, message, operation=undoable_id)

    return handle_form(
        form,
        MovementResult,
        move,
        render=render,
        respond=respond,
        reload_on=StepFailed,
        reload_event=STOCK_CHANGED,
        rebuild=services.rebuild_movement,
    )


@bp.get("/offline/move-stock")
@access.public
def move_stock_offline() -> ResponseReturnValue:
    """Send the dialog without an item, as a browser keeps it; its script fills in the rest."""
    unchanged = caching.not_modified_since_build()
    if unchanged is not None:
        return unchanged
    # A store with transfers; without a token, which is of a session.
    store = Store(Division.GFM, Site.MAIN)
    form = MoveStockForm(store, action=Action.WITHDRAWAL, meta={"csrf": False})
    item = ItemState(id=0, name="", amount=0)
    return render_template(
        "stock/move_offline.html", form=form, store=store, item=item, teams=(), recent_teams=("",)
    )


PRESETS = {"inc": Action.DELIVERY, "transfer": Action.TRANSFER}
"""The action of a new form by the `mode` in its address; the default is a withdrawal."""


def _describe(result: MovementResult, form: MoveStockForm) -> str:
    item = result.items[0]
    if form.action.data == Action.DELIVERY:
        return describe_delivery(item)
    booked, taken = item.before - item.after, form.quantity.data
    quantity = format_number(booked)
    if booked < taken:
        quantity += f" of {format_number(taken)}"
    unit = "" if item.unit == DEFAULT_UNIT else f"{item.unit} "
    amount = f"{format_number(item.after)} {unit}"
    destination = form.site()
    if form.action.data == Action.TRANSFER and destination:
        return f"{item.name}: transferred {quantity} to {destination.label}, {amount}left."
    return f"{item.name}: withdrew {quantity}, {amount}left."
