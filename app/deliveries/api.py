"""The JSON calls of deliveries, under /api/gpm and /api."""

from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.deliveries import queries, schemas, services
from app.deliveries.rules import DeliveryOrder
from app.deliveries.schemas import DeliveryReply
from app.divisions import Division
from app.errors import Conflict
from app.fields import fields_of
from app.idempotency import Stamp
from app.records.calls import Changes, ListRequest, list_response, parameters_of
from app.web import access

GPM = access.api_call(Division.GPM)

bp = Blueprint("deliveries", "Deliveries", "What GPM has ordered, and what has arrived.")

DELIVERY = "/deliveries/<row_id:delivery_id>"

_NAMES = {name: field.json for name, field in fields_of(DeliveryOrder).items()}
changes = Changes(bp, GPM, services.LIST, _NAMES)


def register_calls(api: Api) -> None:
    """Serve the calls under /api/gpm and /api."""
    api.register_prefixed(bp, Division.GPM, None)


@bp.route("/deliveries", methods=["GET"])
@GPM
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.DELIVERY_LIST))
def deliveries(requested: ListRequest) -> Response:
    """List the deliveries in the order they were scheduled, with the list's ETag if it is whole.

    Those that were cancelled have a list of their own.
    """
    return list_response(requested, schemas.DELIVERY_LIST, DeliveryReply.write_all)


@bp.route("/cancelled-deliveries", methods=["GET"])
@GPM
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.CANCELLED_LIST))
def cancelled_deliveries(requested: ListRequest) -> Response:
    """List the cancelled deliveries in the order they were scheduled."""
    return list_response(requested, schemas.CANCELLED_LIST, DeliveryReply.write_all)


@changes("/deliveries", schemas.DeliveryReply, schemas.DeliveryBody, status=201)
def schedule_delivery(order: DeliveryOrder, *, by: int) -> dict[str, Any]:
    """Schedule a delivery; stock doesn't change yet."""
    return _reply(services.schedule(order, by=by).id)


@changes(DELIVERY, schemas.DeliveryReply, schemas.ArrivalBody, method="PUT", failures=(Conflict,))
def mark_delivered(
    body: dict[str, Any], delivery_id: int, *, stamp: Stamp, by: int
) -> dict[str, Any]:
    """Mark a delivery as delivered and add it to the stock of its office, both or neither."""
    notes = {"confirmation": body["confirmation"], "recipient": body["recipient"]}
    at = body["delivered_date"]
    if at is None:
        services.note_delivery(delivery_id, **notes)
    else:
        services.mark_delivered(delivery_id, at=at, by=by, stamp=stamp, **notes)
    return _reply(delivery_id)


@changes(
    f"{DELIVERY}/order",
    schemas.DeliveryReply,
    schemas.OrderEditBody,
    method="PUT",
    failures=(Conflict,),
)
def edit_delivery(edit: dict[str, Any], delivery_id: int, *, by: int) -> dict[str, Any]:
    """Give a pending delivery another order; its confirmation and recipient stay."""
    return _reply(services.edit(delivery_id, **edit, by=by).id)


@changes(
    f"{DELIVERY}/cancellation",
    schemas.DeliveryReply,
    schemas.CancellationBody,
    method="PUT",
    failures=(Conflict,),
)
def cancel_delivery(body: dict[str, Any], delivery_id: int, *, by: int) -> dict[str, Any]:
    """Cancel a pending delivery, or schedule a cancelled one again."""
    if body["cancelled"]:
        return _reply(services.cancel(delivery_id, cancel_reason=body["reason"], by=by).id)
    return _reply(services.schedule_again(delivery_id, by=by).id)


def _reply(delivery_id: int) -> dict[str, Any]:
    return DeliveryReply.write(queries.delivery(delivery_id))
