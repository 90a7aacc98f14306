"""Pages of movements and their undo."""

from collections.abc import Sequence

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.divisions import Division, Site, Store
from app.money import count_of, format_number
from app.stock import acts
from app.stock.forms import MoveStockForm
from app.stock.pages.inventory import OPERATION, bp, store_page
from app.stock.queries import levels
from app.stock.queries import operations as queries
from app.stock.rules import history
from app.stock.rules.items import DEFAULT_UNIT, EntryKind, ItemState
from app.stock.rules.movements import Action, StockLine
from app.stock.rules.operations import StoredLine
from app.stock.services import movements as services
from app.stock.services.ledger import StepFailed
from app.stock.services.movements import UNDO_REASON, MovementResult, UndoResult
from app.web import access, caching
from app.web.access import current_user
from app.web.form_handling import Undone, handle_form, handle_undo, render_dialog, render_form
from app.web.forms import UndoForm


@store_page(f"{acts.ITEM}/action", "Update failed", methods=["GET", "POST"])
@access.redisplays_form
def move_stock(store: Store, item_id: int) -> ResponseReturnValue:
    """Deliver, withdraw or transfer one item, as the form's action says."""
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
            default_back=acts.list_url(store),
            store=store,
            item=levels.get_item(store, item_id),
            **acts.offer_teams(form, store, kind),
        )

    def respond(result: MovementResult) -> ResponseReturnValue:
        item, message = result.items[0], _describe(result, form)
        # An entry of 0 is a note: there is nothing to undo.
        undoable_id = 0 if item.before == item.after else result.operation
        return acts.respond_changed(form, store, item_id, message, operation=undoable_id)

    return handle_form(
        form,
        MovementResult,
        move,
        render=render,
        respond=respond,
        reload_on=StepFailed,
        reload_event=acts.STOCK_CHANGED,
        rebuild=services.rebuild_movement,
    )


@bp.get("/offline/move-stock")
@access.public
def move_stock_offline() -> ResponseReturnValue:
    """Send the dialog without an item, as a browser keeps it; its script fills in the rest."""
    if unchanged := caching.not_modified_since_build():
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
        return acts.describe_delivery(item)
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


def _describe_undone(lines: Sequence[StoredLine], undo_id: int) -> tuple[str, bool]:
    """Describe an undo, as in 'Withdrawal of 3 × Tin undone: 47 in stock.'; True for a redo."""
    first, items = lines[0], queries.moved_items(undo_id)
    reason = first.reason.replace(UNDO_REASON, "")
    title = history.operation_title(first.kind, reason, first.day)
    is_redo = first.reason.count(UNDO_REASON) % 2 == 1
    done = "done again" if is_redo else "undone"
    if len(items) > 1:
        return f"{title} of {count_of(len(items), 'item')} {done}.", is_redo
    item = items[0]
    moved = abs(item.after - item.before)
    quantity = f"{format_number(moved)} × " if moved else ""
    left = f": {format_number(item.after)} in stock" if moved else ""
    return f"{title} of {quantity}{item.name} {done}{left}.", is_redo


@store_page(OPERATION, "Update failed")
def operation(store: Store, operation_id: int) -> str:
    """Show the changes of an operation, with Undo; a fragment for widgets."""
    lines = queries.get_lines(operation_id, store.division)
    undo = acts.undo_url(store, queries.undoable_id(operation_id, lines))
    message = acts.describe_operation(lines)
    return render_template("components/_message.html", message=message, undo=undo)


@store_page(f"{OPERATION}/undo", "Update failed", methods=["GET", "POST"])
def undo(store: Store, operation_id: int) -> ResponseReturnValue:
    """Undo an operation after a confirmation; the Undo of a message posts at once."""
    form = UndoForm()
    back = form.back_to or acts.list_url(store)

    def render() -> str:
        lines = queries.get_lines(operation_id, store.division)
        return render_form(
            "stock/undo.html",
            form=form,
            default_back=back,
            lines=lines,
            description=acts.describe_operation(lines),
        )

    def take_back() -> UndoResult:
        by, stamp = current_user().user_id, form.stamp()
        return services.undo(store.division, operation_id, by=by, stamp=stamp)

    def describe(result: UndoResult) -> Undone:
        lines = queries.load_lines(operation_id, store.division)
        message, is_redo = _describe_undone(lines, result.operation)
        undoable_id = 0 if services.is_refused(result.operation) else result.operation
        return Undone(message, acts.undo_url(store, undoable_id), "Undo" if is_redo else "Redo")

    return handle_undo(
        form,
        UndoResult,
        take_back,
        render=render,
        describe=describe,
        back=back,
        reload_event=acts.STOCK_CHANGED,
    )
