"""The calls for odometer readings."""

from collections.abc import Callable
from typing import Any

from flask import Response

from app.api.blueprint import View, change, raises
from app.api.lists import list_response
from app.api.schemas import Body
from app.errors import Conflict
from app.fleet.rules.versions import UPKEEP
from app.upkeep.api.records import run_change
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import readings as queries
from app.upkeep.queries.reading_lists import readings_part
from app.upkeep.schemas import readings as schemas
from app.upkeep.schemas.readings import reading_json
from app.upkeep.schemas.vehicle_filter import VehiclePaging, VehiclePart
from app.upkeep.services import readings as services
from app.web.access import current_user

LIST_NAME = "readings"


def _decision(step: str, body: type[Body]) -> Callable[[View], View]:
    """Declare a view by which managers decide on a reading; `step` ends its address."""

    def declare(view: View) -> View:
        view = change()(raises(Conflict)(view))
        view = bp.arguments(body)(bp.response(200, schemas.ReadingReply)(view))
        view = FLEET_AND_GPM.by_managers(view)
        declared: View = bp.route(f"/readings/<row_id:reading_id>/{step}", methods=["POST"])(view)
        return declared

    return declare


@bp.route("/readings", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.ReadingReply, VehiclePaging)
def odometer_readings(part: VehiclePart) -> Response:
    """List all odometer readings, or those of a vehicle, in the order they were recorded."""
    return list_response(
        part.paging,
        UPKEEP,
        rows=lambda: readings_part(part.reg_key),
        rows_after=lambda after, limit: readings_part(part.reg_key, int(after or 0), limit),
        write=reading_json,
    )


@bp.route("/readings", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.ReadingBody)
@bp.response(201, schemas.ReadingReply)
@change()
def add_odometer_reading(body: dict[str, Any]) -> dict[str, Any]:
    """Add a reading; one that doesn't fit its neighbours is kept as doubtful."""
    return _run_once(lambda by: services.add_reading(**body, by=by).reading_id)


@_decision("void", schemas.VoidBody)
def void_odometer_reading(body: dict[str, Any], reading_id: int) -> dict[str, Any]:
    """Stop using a reading; it stays with the reason."""
    reason = body["reason"]
    return _run_once(lambda by: services.void_reading(reading_id, reason=reason, by=by).reading_id)


@_decision("accept", schemas.AcceptBody)
def accept_odometer_reading(body: dict[str, Any], reading_id: int) -> dict[str, Any]:
    """Use a doubtful reading; those that contradict it must be void with it."""
    others = body["voidOthers"]
    return _run_once(
        lambda by: services.accept_reading(reading_id, void_others=others, by=by).reading_id
    )


def _run_once(action: Callable[[int], int]) -> dict[str, Any]:
    """Run an action of this user that returns a reading's id once; return that reading."""

    def run() -> dict[str, Any]:
        return reading_json(queries.get_reading(action(current_user().user_id)))

    return run_change(run, list_name=LIST_NAME)
