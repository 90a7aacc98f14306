"""The pages of deliveries."""

from functools import partial

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.deliveries import queries, rules, services
from app.deliveries.forms import DeliverAgainForm, MarkDeliveredForm, ScheduleForm
from app.deliveries.queries import DeliveryFilters
from app.deliveries.services import (
    AlreadyDelivered,
    MarkDeliveredResult,
    NotUndone,
    ScheduleResult,
)
from app.directory import queries as directory
from app.divisions import Division
from app.money import format_number
from app.stock.queries import history as stock_history
from app.stock.queries import levels
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done
from app.web.htmx import is_htmx_for
from app.web.list_query import SORT
from app.web.navigation import Screen
from app.web.paging import requested_page
from app.web.remembered import remembers_filters
from app.web.sorting import Sorting

bp = Blueprint("deliveries", __name__, url_prefix="/gpm/deliveries")
BLUEPRINTS = (bp,)

SCREENS = [Screen(Division.GPM, "Deliveries", "deliveries.deliveries")]

DELIVERED = "delivered"
RELOAD_EVENT = "deliveries-changed"
"""The htmx event on which the list reloads."""

MAX_ITEMS_OFFERED = 20
MAIN = rules.store_of(rules.OFFICES[0])


@bp.get("")
@access.division(Division.GPM)
@failure_message("Failed to load deliveries")
@remembers_filters("q")
def deliveries() -> ResponseReturnValue:
    """Show the pending or the delivered deliveries, 25 rows per page."""
    today = dates.today()
    filters = DeliveryFilters(
        delivered=request.args.get("status", "").strip().casefold() == DELIVERED,
        search=request.args.get("q", "").strip(),
    )
    # Whether a delivery's stock was undone is seen in the versions of the stock.
    stock = tuple(stock_history.list_versions(Division.GPM)) if filters.delivered else ()
    not_modified = caching.not_modified(version_of(services.LIST), *stock, today)
    if not_modified is not None:
        return not_modified
    order = filters.orders.parse(request.args.get(SORT, ""))
    page = queries.delivery_page(filters, requested_page(), order)
    chosen = {"status": DELIVERED if filters.delivered else "", "q": filters.search}
    values = {name: value for name, value in chosen.items() if value}
    address = partial(url_for, "deliveries.deliveries")
    context = {
        "filters": filters,
        "page": page,
        "sorting": Sorting(filters.orders, order, page.total, address, values),
        "undone": queries.undone_stock(page.rows),
        "status": DELIVERED if filters.delivered else None,
        "days_overdue": lambda row: rules.days_overdue(row.ordered_on, today),
    }
    if is_htmx_for("list"):
        return render_template("deliveries/_list.html", is_fragment=True, **context)
    return render_template("deliveries/deliveries.html", **context)


@bp.route("/new", methods=["GET", "POST"])
@access.division(Division.GPM)
@access.redisplays_form
@failure_message("Failed to schedule delivery")
def schedule() -> ResponseReturnValue:
    """Schedule a delivery; `?item=` fills in the item."""
    form = ScheduleForm()

    def action() -> ScheduleResult:
        return services.schedule(form.order(), by=current_user().user_id)

    def render() -> str:
        if not form.is_submitted():
            form.item.data = request.args.get("item", "").strip()
        return render_template(
            "deliveries/schedule.html",
            form=form,
            back=form.back_to or url_for("deliveries.deliveries"),
            suppliers=directory.supplier_names(),
            **_offers(form.item.data or (form.item.raw_data or [""])[0]),
        )

    def respond(scheduled: ScheduleResult) -> ResponseReturnValue:
        message = f"Scheduled: {format_number(scheduled.amount)} × {scheduled.item}."
        return respond_done(message, back=url_for("deliveries.deliveries"))

    return handle_form(form, ScheduleResult, action, render=render, respond=respond)


@bp.get("/new/items")
@access.division(Division.GPM)
@failure_message("Failed to load inventory")
def offers() -> str:
    """Offer the items that match the typed words, and show what is in stock of the item."""
    return render_template("deliveries/_offers.html", **_offers(request.args.get("item", "")))


@bp.route("/<int(max=2147483647):delivery_id>/deliver", methods=["GET", "POST"])
@access.division(Division.GPM)
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
            already_delivered=services.describe_delivered(delivery),
        )

    def respond(_result: MarkDeliveredResult) -> ResponseReturnValue:
        return respond_done(
            "Marked as delivered and added to inventory.",
            back=form.back_to or default_back,
            reload_event=RELOAD_EVENT,
        )

    return handle_form(
        form,
        MarkDeliveredResult,
        action,
        render=render,
        respond=respond,
        reload_on=AlreadyDelivered,
        reload_event=RELOAD_EVENT,
    )


@bp.route("/<int(max=2147483647):delivery_id>/deliver-again", methods=["GET", "POST"])
@access.division(Division.GPM)
@access.redisplays_form
@failure_message("Failed to mark delivered")
def deliver_again(delivery_id: int) -> ResponseReturnValue:
    """Take the stock of a delivery in again after it was undone."""
    form = DeliverAgainForm()
    default_back = url_for("deliveries.deliveries", status=DELIVERED)

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
        )

    return handle_form(
        form,
        MarkDeliveredResult,
        lambda: services.deliver_again(delivery_id, by=current_user().user_id),
        render=render,
        respond=respond,
        reload_on=NotUndone,
        reload_event=RELOAD_EVENT,
    )


def _offers(typed: str) -> dict[str, object]:
    typed = typed.strip()
    return {
        "typed": typed,
        "existing": levels.find_item(MAIN, typed) if typed else None,
        "offered": levels.search_items(MAIN, typed, MAX_ITEMS_OFFERED) if typed else [],
    }
