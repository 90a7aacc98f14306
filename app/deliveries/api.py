"""The JSON calls of deliveries; without a division in their path they are GPM's."""

from dataclasses import replace
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.deliveries import queries, schemas, services
from app.deliveries.models import Delivery
from app.deliveries.rules import DeliveryOrder, list_of
from app.deliveries.schemas import DeliveryReply, list_for
from app.deliveries.services import receipts
from app.divisions import SITES, Division
from app.errors import Conflict, Invalid, NotFound
from app.fields import fields_of
from app.idempotency import Stamp
from app.records.calls import Changes, ListRequest, list_response, parameters_of
from app.records.record import Record
from app.reference_numbers import Series, parse_number
from app.web import access

GPM = Division.GPM
FOR_OWNER = access.api_call_by_prefix(GPM)

ABOUT = "What GFM and GPM have ordered, and what has arrived."
bp = Blueprint("deliveries", "Deliveries", ABOUT, passes_division=True)

DELIVERY = "/deliveries/<row_id:delivery_id>"

_NAMES = {name: field.json for name, field in fields_of(DeliveryOrder).items()}
# The keys of calls name the list: a path has one meaning.
changes = Changes(bp, FOR_OWNER, list_of(GPM), _NAMES, (Conflict, NotFound))


def register_calls(api: Api) -> None:
    """Serve the calls under the prefix of each division, and GPM's under /api."""
    api.register_prefixed(bp, *SITES, None)


@bp.route("/deliveries", methods=["GET"])
@FOR_OWNER
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.DELIVERY_LIST))
def deliveries(requested: ListRequest, division: Division | None) -> Response:
    """List the deliveries in the order they were scheduled, with the list's ETag if it is whole.

    Those that were cancelled have a list of their own.
    """
    return _list(requested, schemas.DELIVERY_LIST, division)


@bp.route("/cancelled-deliveries", methods=["GET"])
@FOR_OWNER
@bp.lists(schemas.DeliveryReply, parameters_of(schemas.CANCELLED_LIST))
def cancelled_deliveries(requested: ListRequest, division: Division | None) -> Response:
    """List the cancelled deliveries in the order they were scheduled."""
    return _list(requested, schemas.CANCELLED_LIST, division)


def _list(requested: ListRequest, record: Record[Delivery], division: Division | None) -> Response:
    record = list_for(division or GPM, record)
    query = replace(requested.query, scope=record.scope())
    return list_response(replace(requested, query=query), record, DeliveryReply.write_all)


@changes("/deliveries", schemas.DeliveryReply, schemas.DeliveryBody, status=201)
def schedule_delivery(
    order: dict[str, Any], division: Division | None, *, by: int
) -> dict[str, Any]:
    """Schedule a delivery, maybe as a further line of an order; stock doesn't change yet."""
    number = parse_number(order["order_number"], Series.ORDER)
    change = services.schedule(division or GPM, order["values"], number=number, by=by)
    return _reply(division, change.id)


@changes(DELIVERY, schemas.DeliveryReply, schemas.ArrivalBody, method="PUT")
def mark_delivered(
    body: dict[str, Any], division: Division | None, delivery_id: int, *, stamp: Stamp, by: int
) -> dict[str, Any]:
    """Mark a delivery as delivered and add it to the stock of its office, both or neither.

    Of a smaller amount `received`, the rest is pending as another delivery of the same order.
    """
    of, at, received = (division or GPM, delivery_id), body["delivered_date"], body["received"]
    notes = {"confirmation": body["confirmation"], "recipient": body["recipient"]}
    if at is not None:
        receipts.mark_delivered(*of, received=received, at=at, by=by, stamp=stamp, **notes)
    elif received is not None:
        raise Invalid("Say when it came: deliveredDate.", "deliveredDate")
    else:
        services.note_delivery(*of, **notes)
    return _reply(division, delivery_id)


@changes(f"{DELIVERY}/order", schemas.DeliveryReply, schemas.OrderEditBody, method="PUT")
def edit_delivery(
    edit: dict[str, Any], division: Division | None, delivery_id: int, *, by: int
) -> dict[str, Any]:
    """Give a pending delivery another order; its confirmation and recipient stay."""
    return _reply(division, services.edit(division or GPM, delivery_id, **edit, by=by).id)


@changes(f"{DELIVERY}/cancellation", schemas.DeliveryReply, schemas.CancellationBody, method="PUT")
def cancel_delivery(
    body: dict[str, Any], division: Division | None, delivery_id: int, *, by: int
) -> dict[str, Any]:
    """Cancel a pending delivery, or schedule a cancelled one again."""
    if body["cancelled"]:
        services.cancel(division or GPM, delivery_id, cancel_reason=body["reason"], by=by)
    else:
        services.schedule_again(division or GPM, delivery_id, by=by)
    return _reply(division, delivery_id)


def _reply(division: Division | None, delivery_id: int) -> dict[str, Any]:
    return DeliveryReply.write(queries.delivery(division or GPM, delivery_id))
