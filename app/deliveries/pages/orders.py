"""The forms that schedule, edit and cancel a delivery."""

from functools import partial

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.deliveries import queries, rules, services
from app.deliveries.forms import CancelDeliveryForm, EditDeliveryForm, ScheduleForm
from app.deliveries.pages.blueprint import ONE_DELIVERY, RELOAD_EVENT, bp, for_gpm
from app.deliveries.rules import DeliveryStatus
from app.deliveries.services import NotPending, OrderChange, ScheduleResult
from app.directory import queries as directory
from app.errors import Conflict, EditConflict
from app.money import format_number
from app.stock.queries import levels
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, handle_undo, render_dialog, respond_done
from app.web.forms import Form, UndoForm

MAX_ITEMS_OFFERED = 20
MAIN = rules.store_of(rules.OFFICES[0])


@bp.route("/new", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to schedule delivery")
def schedule() -> ResponseReturnValue:
    """Schedule a delivery; `?item=` fills in the item, with the terms of its last order."""
    form = ScheduleForm()

    def action() -> ScheduleResult:
        return services.schedule(form.order(), by=current_user().user_id)

    def render() -> str:
        if not form.is_submitted():
            _propose(form, request.args.get("item", "").strip())
        return render_template(
            "deliveries/schedule.html",
            form=form,
            back=form.back_to or url_for("deliveries.deliveries"),
            **_order_context(form),
        )

    def respond(scheduled: ScheduleResult) -> ResponseReturnValue:
        message = f"Scheduled: {_describe(scheduled)}."
        return respond_done(message, back=url_for("deliveries.deliveries"))

    return handle_form(form, ScheduleResult, action, render=render, respond=respond)


@bp.get("/new/items")
@for_gpm
@failure_message("Failed to load inventory")
def offers() -> str:
    """Offer the items that match the typed words, and show the item's stock."""
    return render_template("deliveries/_offers.html", **_offers(request.args.get("item", "")))


@bp.route(f"{ONE_DELIVERY}/edit", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to change delivery")
def edit(delivery_id: int) -> ResponseReturnValue:
    """Edit the order of a pending delivery."""
    opened = queries.delivery(delivery_id) if request.method == "GET" else None
    form = EditDeliveryForm(obj=opened)
    default_back = url_for("deliveries.deliveries")

    def action() -> OrderChange:
        revision = form.revision.sent
        by = current_user().user_id
        return services.edit(delivery_id, form.order(), revision=revision, by=by)

    def render() -> str:
        delivery = queries.delivery(delivery_id)
        differences = None
        if isinstance(form.refusal, EditConflict):
            form.revision.data = delivery.revision
            differences = form.differences(queries.order_of(delivery))
        return render_dialog(
            "deliveries/edit.html",
            form=form,
            default_back=default_back,
            delivery=delivery,
            closed=services.describe_closed(delivery),
            differences=differences,
            changes=queries.changes_of(delivery),
            **{**_order_context(form), "last": None},
        )

    def respond(change: OrderChange) -> ResponseReturnValue:
        message = f"Saved: {_describe(change)}."
        back = form.back_to or default_back
        return respond_done(message, back=back, reload_event=RELOAD_EVENT)

    return handle_form(
        form,
        OrderChange,
        action,
        render=render,
        respond=respond,
        reload_on=Conflict,
        reload_event=RELOAD_EVENT,
    )


@bp.route(f"{ONE_DELIVERY}/cancel", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to cancel delivery")
def cancel(delivery_id: int) -> ResponseReturnValue:
    """Cancel a pending delivery after a confirmation, with a reason if there is one."""
    form = CancelDeliveryForm()
    default_back = url_for("deliveries.deliveries")

    def action() -> OrderChange:
        by = current_user().user_id
        return services.cancel(delivery_id, reason=form.cancel_reason.data, by=by)

    def respond(change: OrderChange) -> ResponseReturnValue:
        undo = url_for("deliveries.schedule_again", delivery_id=change.id)
        return respond_done(
            f"Cancelled: {_describe(change)}.",
            # It may have been opened from the form that edits it.
            back=default_back,
            reload_event=RELOAD_EVENT,
            undo=undo,
        )

    return handle_form(
        form,
        OrderChange,
        action,
        render=partial(
            _render_confirmation, "deliveries/cancel.html", form, delivery_id, default_back
        ),
        respond=respond,
        reload_on=NotPending,
        reload_event=RELOAD_EVENT,
    )


@bp.route(f"{ONE_DELIVERY}/schedule-again", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to schedule delivery")
def schedule_again(delivery_id: int) -> ResponseReturnValue:
    """Make a cancelled delivery pending again after a confirmation."""
    form = UndoForm()
    default_back = url_for("deliveries.deliveries", status=DeliveryStatus.CANCELLED)
    return handle_undo(
        form,
        OrderChange,
        lambda: services.schedule_again(delivery_id, by=current_user().user_id),
        render=partial(
            _render_confirmation, "deliveries/schedule_again.html", form, delivery_id, default_back
        ),
        describe=lambda change: (f"Scheduled again: {_describe(change)}.", None),
        back=form.back_to or default_back,
        reload_event=RELOAD_EVENT,
    )


def _render_confirmation(template: str, form: Form, delivery_id: int, default_back: str) -> str:
    """Render a dialog that asks before a delivery is changed, or says why it can't be."""
    delivery = queries.delivery(delivery_id)
    return render_dialog(
        template,
        form=form,
        default_back=default_back,
        delivery=delivery,
        closed=services.describe_closed(delivery),
    )


def _describe(change: OrderChange | ScheduleResult) -> str:
    return f"{format_number(change.amount)} × {change.item}"


def _propose(form: ScheduleForm, item: str) -> None:
    """Fill in an item, with supplier, cost and office of its last order."""
    form.item.data = item
    last = queries.last_order(item) if item else None
    if last is not None:
        form.supplier.data, form.unit_cost.data = last.supplier, last.unit_cost
        form.office.data = last.office


def _order_context(form: ScheduleForm) -> dict[str, object]:
    typed = form.item.data or (form.item.raw_data or [""])[0]
    return {
        "suppliers": directory.supplier_names(),
        "expected_before": rules.EXPECTED_BEFORE_ORDERED,
        **_offers(typed),
    }


def _offers(typed: str) -> dict[str, object]:
    typed = typed.strip()
    return {
        "typed": typed,
        "existing": levels.find_item(MAIN, typed) if typed else None,
        "last": queries.last_order(typed) if typed else None,
        "offered": levels.search_items(MAIN, typed, MAX_ITEMS_OFFERED) if typed else [],
    }
