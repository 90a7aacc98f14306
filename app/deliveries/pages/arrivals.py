"""The dialogs that receive a delivery into stock."""

from flask import url_for
from flask.typing import ResponseReturnValue

from app.deliveries import queries, rules, services
from app.deliveries.forms import DeliverAgainForm, MarkDeliveredForm
from app.deliveries.pages.blueprint import ONE_DELIVERY, RELOAD_EVENT, bp, for_gpm
from app.deliveries.rules import DeliveryStatus
from app.deliveries.services import MarkDeliveredResult, NotPending, NotUndone
from app.money import format_number
from app.stock.queries import levels
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done


@bp.route(f"{ONE_DELIVERY}/deliver", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to mark delivered")
def mark_delivered(delivery_id: int) -> ResponseReturnValue:
    """Mark a delivery delivered, with its note and recipient, and receive it into stock."""
    form = MarkDeliveredForm()
    default_back = url_for("deliveries.deliveries")

    def action() -> MarkDeliveredResult:
        return services.mark_delivered(
            delivery_id,
            confirmation=form.confirmation.data,
            recipient=form.recipient.data,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def render() -> str:
        delivery = queries.delivery(delivery_id)
        if not form.is_submitted():
            form.confirmation.data, form.recipient.data = delivery.confirmation, delivery.recipient
        return render_dialog(
            "deliveries/mark_delivered.html",
            form=form,
            default_back=default_back,
            delivery=delivery,
            existing=levels.find_item(rules.store_of(delivery.office), delivery.item),
            closed=services.describe_closed(delivery),
        )

    def respond(result: MarkDeliveredResult) -> ResponseReturnValue:
        return respond_done(
            "Marked as delivered and added to inventory.",
            back=form.back_to or default_back,
            reload_event=RELOAD_EVENT,
            undo=_undo_url(result),
        )

    return handle_form(
        form,
        MarkDeliveredResult,
        action,
        render=render,
        respond=respond,
        reload_on=NotPending,
        reload_event=RELOAD_EVENT,
    )


@bp.route(f"{ONE_DELIVERY}/deliver-again", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to mark delivered")
def deliver_again(delivery_id: int) -> ResponseReturnValue:
    """Take the stock of a delivery in again after it was undone."""
    form = DeliverAgainForm()
    default_back = url_for("deliveries.deliveries", status=DeliveryStatus.DELIVERED)

    def render() -> str:
        delivery = queries.delivery(delivery_id)
        undoing = queries.undone_stock([delivery]).get(delivery_id)
        return render_dialog(
            "deliveries/deliver_again.html",
            form=form,
            default_back=default_back,
            delivery=delivery,
            existing=levels.find_item(rules.store_of(delivery.office), delivery.item),
            undoing=undoing,
            not_undone="" if undoing else services.describe_not_undone(delivery),
        )

    def respond(result: MarkDeliveredResult) -> ResponseReturnValue:
        return respond_done(
            f"Delivered again: {format_number(result.amount)} × {result.item} added to inventory.",
            back=form.back_to or default_back,
            reload_event=RELOAD_EVENT,
            undo=_undo_url(result),
        )

    return handle_form(
        form,
        MarkDeliveredResult,
        lambda: services.deliver_again(delivery_id, by=current_user().user_id, stamp=form.stamp()),
        render=render,
        respond=respond,
        reload_on=NotUndone,
        reload_event=RELOAD_EVENT,
    )


def _undo_url(result: MarkDeliveredResult) -> str:
    """Return the URL that takes the stock of a delivery out again."""
    place = rules.store_of(queries.delivery(result.id).office).place
    return url_for("stock.undo", **place, operation_id=result.operation)
