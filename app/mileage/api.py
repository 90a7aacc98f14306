"""The calls for odometer readings."""

from typing import Any

from flask import Response

from app.errors import Conflict
from app.fleet.acts import FLEET_AND_GPM, fleet_call, serves_upkeep, upkeep_calls
from app.mileage import queries, schemas, services
from app.records.calls import Changes, ListRequest, list_response, parameters_of

bp = upkeep_calls("mileage")


register_calls = serves_upkeep(bp)

READING = "/readings/<row_id:reading_id>"

changes = Changes(bp, FLEET_AND_GPM, "readings")


@fleet_call(bp, "/readings", bp.lists(schemas.ReadingReply, parameters_of(schemas.READING_LIST)))
def odometer_readings(requested: ListRequest) -> Response:
    """List all odometer readings, or those of a vehicle, in the order they were recorded."""
    return list_response(requested, schemas.READING_LIST, schemas.ReadingReply.write_all)


@changes("/readings", schemas.ReadingReply, schemas.ReadingBody, status=201)
def add_odometer_reading(body: dict[str, Any], *, by: int) -> dict[str, Any]:
    """Add a reading; one that doesn't fit its neighbours is kept as doubtful."""
    return _reply(services.add_reading(**body, by=by).reading_id)


@changes.by_managers(
    f"{READING}/void", schemas.ReadingReply, schemas.VoidBody, failures=(Conflict,)
)
def void_odometer_reading(body: dict[str, Any], reading_id: int, *, by: int) -> dict[str, Any]:
    """Stop using a reading; it stays with the reason."""
    return _reply(services.void_reading(reading_id, **body, by=by).reading_id)


@changes.by_managers(
    f"{READING}/accept", schemas.ReadingReply, schemas.AcceptBody, failures=(Conflict,)
)
def accept_odometer_reading(body: dict[str, Any], reading_id: int, *, by: int) -> dict[str, Any]:
    """Use a doubtful reading; those that contradict it must be void with it."""
    return _reply(services.accept_reading(reading_id, **body, by=by).reading_id)


def _reply(reading_id: int) -> dict[str, Any]:
    return schemas.ReadingReply.write(queries.get_reading(reading_id))
