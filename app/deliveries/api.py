"""The JSON calls of deliveries, under /api/gpm and /api."""

from collections.abc import Callable
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint, change, raises
from app.api.changes import StoredReply, request_stamp, run_once
from app.api.fields import rename_fields
from app.api.openapi import Api
from app.deliveries import queries, schemas, services
from app.deliveries.rules import DeliveryOrder
from app.deliveries.schemas import OrderEdit, delivery_json
from app.divisions import Division
from app.errors import Conflict
from app.fields import json_names
from app.records.calls import ListRequest, list_response, parameters_of
from app.web import access
from app.web.access import current_user

GPM = access.api_call(Division.GPM)

bp = Blueprint("deliveries", "Deliveries", "What GPM has ordered, and what has arrived.")


def register_calls(api: Api) -> None:
    """Serve the calls under /api/gpm and /api."""
    api.register_prefixed(bp, Division.GPM)
    api.register_prefixed(bp, None)


@bp.route("/deliveries", methods=["GET"])
@GPM
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.DELIVERY_LIST))
def deliveries(requested: ListRequest) -> Response:
    """List the deliveries in the order they were scheduled, with the list's ETag if it is whole.

    Those that were cancelled have a list of their own.
    """
    return list_response(requested, schemas.DELIVERY_LIST, lambda rows: map(delivery_json, rows))


@bp.route("/cancelled-deliveries", methods=["GET"])
@GPM
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.CANCELLED_LIST))
def cancelled_deliveries(requested: ListRequest) -> Response:
    """List the cancelled deliveries in the order they were scheduled."""
    return list_response(requested, schemas.CANCELLED_LIST, lambda rows: map(delivery_json, rows))


@bp.route("/deliveries", methods=["POST"])
@GPM
@bp.arguments(schemas.DeliveryBody)
@bp.response(201, schemas.DeliveryReply)
@change()
def schedule_delivery(order: DeliveryOrder) -> dict[str, Any]:
    """Schedule a delivery; stock doesn't change yet."""
    by = current_user().user_id
    return _run_once(lambda: services.schedule(order, by=by).id)


@bp.route("/deliveries/<row_id:delivery_id>", methods=["PUT"])
@GPM
@bp.arguments(schemas.ArrivalBody)
@bp.response(200, schemas.DeliveryReply)
@change()
@raises(Conflict)
def mark_delivered(body: dict[str, Any], delivery_id: int) -> dict[str, Any]:
    """Mark a delivery as delivered and add it to the stock of its office, both or neither."""
    notes = {"confirmation": body["confirmation"], "recipient": body["recipient"]}
    at = body["deliveredDate"]
    by = current_user().user_id

    def action() -> int:
        if at is None:
            services.note_delivery(delivery_id, **notes)
        else:
            stamp = request_stamp(services.LIST)
            services.mark_delivered(delivery_id, at=at, by=by, stamp=stamp, **notes)
        return delivery_id

    return _run_once(action)


@bp.route("/deliveries/<row_id:delivery_id>/order", methods=["PUT"])
@GPM
@bp.arguments(schemas.OrderEditBody)
@bp.response(200, schemas.DeliveryReply)
@change()
@raises(Conflict)
def edit_delivery(edit: OrderEdit, delivery_id: int) -> dict[str, Any]:
    """Give a pending delivery another order; its confirmation and recipient stay."""
    by = current_user().user_id
    return _run_once(
        lambda: services.edit(delivery_id, edit.order, revision=edit.revision, by=by).id
    )


@bp.route("/deliveries/<row_id:delivery_id>/cancellation", methods=["PUT"])
@GPM
@bp.arguments(schemas.CancellationBody)
@bp.response(200, schemas.DeliveryReply)
@change()
@raises(Conflict)
def cancel_delivery(body: dict[str, Any], delivery_id: int) -> dict[str, Any]:
    """Cancel a pending delivery, or schedule a cancelled one again."""
    by = current_user().user_id

    def action() -> int:
        if body["cancelled"]:
            return services.cancel(delivery_id, reason=body["reason"], by=by).id
        return services.schedule_again(delivery_id, by=by).id

    return _run_once(action)


def _run_once(action: Callable[[], int]) -> dict[str, Any]:
    """Run an action that returns a delivery's id once; return the delivery as it left it."""
    with rename_fields(json_names(DeliveryOrder)):
        return run_once(
            StoredReply,
            lambda: StoredReply(delivery_json(queries.delivery(action()))),
            list_name=services.LIST,
        ).values
