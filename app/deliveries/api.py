"""The JSON calls of deliveries, under /api/gpm and /api (design §5)."""

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response

from app.api.calls import Blueprint, run_once
from app.api.description import KEYED, raises
from app.api.lists import list_part, whole_list
from app.deliveries import queries, schemas, services
from app.deliveries.rules import Order
from app.deliveries.schemas import DeliveryRecord, delivery_json
from app.divisions import Division
from app.errors import Conflict
from app.versions import version_of
from app.web import access
from app.web.access import current_user


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gpm and /api."""
    made = []
    for prefix in (f"/{Division.GPM}", ""):
        name = f"deliveries_{prefix.strip('/') or 'any'}"
        about = "What GPM ordered, and what came."
        blueprint = Blueprint(name, "Deliveries", about, url_prefix=f"/api{prefix}")
        _add_calls(blueprint)
        made.append(blueprint)
    return made


def _add_calls(blueprint: Blueprint) -> None:
    @blueprint.route("/deliveries", methods=["GET"])
    @access.api_call(Division.GPM)
    @blueprint.lists(schemas.DeliveryReply)
    def deliveries(paging: dict[str, Any]) -> Response:
        """List the deliveries as they were scheduled, with the list's ETag where it is whole."""
        if "limit" in paging:
            return _part(paging["limit"], int(paging["cursor"] or 0))

        def rows() -> Iterator[dict[str, Any]]:
            # Read at once: a slow line must not hold a connection to the database.
            return map(delivery_json, list(queries.all_deliveries()))

        return whole_list(services.LIST, version_of(services.LIST), rows)

    @blueprint.route("/deliveries", methods=["POST"])
    @access.api_call(Division.GPM)
    @blueprint.arguments(schemas.DeliveryBody)
    @blueprint.response(201, schemas.DeliveryReply)
    @blueprint.doc(**KEYED)
    def schedule_delivery(order: Order) -> dict[str, Any]:
        """Schedule a delivery; nothing comes into stock yet."""
        return _once(lambda: services.schedule_delivery(order, by=current_user().user_id).id)

    @blueprint.route("/deliveries/<row_id:delivery_id>", methods=["PUT"])
    @access.api_call(Division.GPM)
    @blueprint.arguments(schemas.ArrivalBody)
    @blueprint.response(200, schemas.DeliveryReply)
    @blueprint.doc(**KEYED)
    @raises(Conflict)
    def mark_delivered(body: dict[str, Any], delivery_id: int) -> dict[str, Any]:
        """Mark a delivery delivered and add it to the stock of its office, both or neither."""
        noted = {"confirmation": body["confirmation"], "recipient": body["recipient"]}

        def work() -> int:
            at = body["deliveredDate"]
            if at is None:
                services.note_delivery(delivery_id, **noted)
            else:
                services.mark_delivered(delivery_id, at=at, by=current_user().user_id, **noted)
            return delivery_id

        return _once(work)


def _once(work: Callable[[], int]) -> dict[str, Any]:
    """Do a change that gives a delivery's id once, and answer with the delivery as it left it."""

    def recorded() -> DeliveryRecord:
        return DeliveryRecord(delivery_json(queries.delivery(work())))

    return run_once(DeliveryRecord, recorded, of=services.LIST).values


def _part(limit: int, after: int) -> Response:
    rows = queries.deliveries_part(limit + 1, after)
    following = str(rows[limit - 1].id) if len(rows) > limit else None
    return list_part(map(delivery_json, rows[:limit]), limit, following)
