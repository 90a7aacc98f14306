"""The screens of deliveries."""

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.db import transaction
from app.deliveries import queries, rules, services
from app.deliveries.forms import MarkDeliveredForm, ScheduleForm
from app.deliveries.models import Delivery
from app.deliveries.queries import DeliveryFilter
from app.directory import queries as directory
from app.divisions import Division
from app.errors import QuartermasterError
from app.money import format_number
from app.stock.queries import levels
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.forms import Form
from app.web.htmx import is_htmx, is_htmx_for
from app.web.idempotency import exactly_once
from app.web.navigation import Screen
from app.web.paging import requested_page

bp = Blueprint("deliveries", __name__, url_prefix="/gpm/deliveries")
BLUEPRINTS = (bp,)

SCREENS = [Screen(Division.GPM, "Deliveries", "deliveries.deliveries")]

DELIVERED = "delivered"
RELOAD = "deliveries-changed"
"""The event on which the list loads itself again."""

ITEMS_OFFERED = 20
MAIN = rules.store_of(rules.OFFICES[0])


@bp.get("")
@access.division(Division.GPM)
@failure_message("Failed to load deliveries")
def deliveries() -> ResponseReturnValue:
    """Show the pending or the delivered deliveries, 25 rows at a time."""
    today = dates.today()
    same = caching.not_modified(version_of(services.LIST), today)
    if same is not None:
        return same
    shown = DeliveryFilter(
        delivered=request.args.get("status", "").strip().casefold() == DELIVERED,
        search=request.args.get("q", "").strip(),
    )
    context = {
        "shown": shown,
        "page": queries.delivery_page(shown, requested_page()),
        "status": DELIVERED if shown.delivered else None,
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
    """Schedule a delivery; `?item=` names what was ordered."""
    form = ScheduleForm()
    if not form.is_submitted():
        form.item.data = request.args.get("item", "").strip()
        return _ask_for_order(form)
    if not form.validate():
        return _ask_for_order(form), 422
    try:
        with transaction():
            done = exactly_once(
                form.submission(),
                services.Scheduled,
                lambda: services.schedule_delivery(form.order(), by=current_user().user_id),
            )
    except QuartermasterError as error:
        form.refuse(error)
        return _ask_for_order(form), error.status
    flash(f"Scheduled: {format_number(done.amount)} × {done.item}.")
    return redirect(url_for("deliveries.deliveries"), 303)


@bp.get("/new/items")
@access.division(Division.GPM)
@failure_message("Failed to load inventory")
def offers() -> str:
    """Offer the items that the typed words may mean, and say whether it is in stock."""
    return render_template("deliveries/_offers.html", **_offers(request.args.get("item", "")))


@bp.route("/<int(max=2147483647):delivery_id>/deliver", methods=["GET", "POST"])
@access.division(Division.GPM)
@access.redisplays_form
@failure_message("Failed to mark delivered")
def mark_delivered(delivery_id: int) -> ResponseReturnValue:
    """Ask for note and recipient, then take a delivery into stock."""
    form = MarkDeliveredForm()
    if not form.is_submitted():
        delivery = queries.delivery(delivery_id)
        form.confirmation.data, form.recipient.data = delivery.confirmation, delivery.recipient
        return _ask_to_deliver(form, delivery)
    status = 422
    if form.validate():
        try:
            with transaction():
                exactly_once(
                    form.submission(),
                    services.Delivered,
                    lambda: services.mark_delivered(
                        delivery_id,
                        confirmation=form.confirmation.data,
                        recipient=form.recipient.data,
                        by=current_user().user_id,
                    ),
                )
            return _delivered(form)
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
    response = make_response(_ask_to_deliver(form, queries.delivery(delivery_id)), status)
    if isinstance(form.refusal, services.AlreadyDelivered):
        response.headers["HX-Trigger"] = RELOAD
    return response


def _ask_for_order(form: ScheduleForm) -> str:
    typed = form.item.data or (form.item.raw_data or [""])[0]
    return render_template(
        "deliveries/schedule.html",
        form=form,
        back=form.back_to or url_for("deliveries.deliveries"),
        suppliers=directory.supplier_names(),
        **_offers(typed),
    )


def _offers(typed: str) -> dict[str, object]:
    typed = typed.strip()
    return {
        "typed": typed,
        "existing": levels.item_named(MAIN, typed) if typed else None,
        "offered": levels.items_found(MAIN, typed, ITEMS_OFFERED) if typed else [],
    }


def _ask_to_deliver(form: Form, delivery: Delivery) -> str:
    fragment = "_" if is_htmx() else ""
    return render_template(
        f"deliveries/{fragment}mark_delivered.html",
        form=form,
        delivery=delivery,
        existing=levels.item_named(rules.store_of(delivery.office), delivery.item),
        said=services.said_of_delivered(delivery),
        back=form.back_to or url_for("deliveries.deliveries"),
    )


def _delivered(form: Form) -> ResponseReturnValue:
    said = "Marked as delivered and added to inventory."
    if not is_htmx():
        flash(said)
        return redirect(form.back_to or url_for("deliveries.deliveries"), 303)
    response = make_response(render_template("components/_done.html", message=said))
    response.headers["HX-Trigger"] = RELOAD
    return response
