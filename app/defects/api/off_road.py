"""The calls for vehicles off the road."""

from typing import Any

from flask import Response

from app.api.blueprint import text_in_path
from app.api.lists import ListPaging, list_response
from app.defects.api.scope import bp
from app.defects.queries import off_road as queries
from app.defects.schemas import off_road as schemas
from app.defects.services import off_road as services
from app.errors import Conflict, NotFound
from app.fleet.acts import FLEET_AND_GPM
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.vehicles import (
    MAX_PLATE_LENGTH,
    UPKEEP,
    clean_plate,
    describe_missing,
    plate_key,
)
from app.records.calls import Changes

changes = Changes(bp, FLEET_AND_GPM, "off-road")

_REG = text_in_path("reg", limit=MAX_PLATE_LENGTH, example="LK19 VTE")


@bp.route("/vehicles/<reg>/off-road", methods=["GET"], parameters=[_REG])
@FLEET_AND_GPM
@bp.lists(schemas.OffRoadReply)
def times_off_road(paging: ListPaging, reg: str) -> Response:
    """List when a vehicle was off the road, newest first; the list may be empty."""
    reg_key = _key_on_record(reg)
    return list_response(
        paging,
        UPKEEP,
        rows=lambda: queries.times_of(reg_key),
        rows_after=lambda after, limit: queries.times_of(reg_key, limit, int(after or 0)),
        key=lambda row: str(row.time.id),
        write=schemas.OffRoadReply.write,
    )


@changes(
    "/vehicles/<reg>/off-road",
    schemas.OffRoadReply,
    schemas.TakeOffRoadBody,
    status=201,
    parameters=[_REG],
)
def take_off_road(body: dict[str, Any], reg: str, *, by: int) -> dict[str, Any]:
    """Take a vehicle off the road; one that is off already gains the reason."""
    _listed_key(reg)
    result = services.report_off_road(reg, **body, by=by)
    return schemas.OffRoadReply.write(queries.time_row(result.time_id))


@changes.by_managers(
    "/vehicles/<reg>/return",
    schemas.OffRoadReply,
    schemas.ReturnBody,
    failures=(Conflict,),
    conflict=schemas.NotRoadworthyReply,
    parameters=[_REG],
)
def return_to_road(body: dict[str, Any], reg: str, *, by: int) -> dict[str, Any]:
    """Put a vehicle back on the road, unless something stands against it."""
    _key_on_record(reg)
    time = services.return_to_road(reg, **body, by=by)
    return schemas.OffRoadReply.write(queries.time_row(time.id))


def _listed_key(reg: str) -> str:
    plate = clean_plate(reg)
    key = plate_key(plate)
    if stored_plate(key) is None:
        raise NotFound(describe_missing(plate))
    return key


def _key_on_record(reg: str) -> str:
    """Return the key of a listed or formerly off-road vehicle; raises NotFound."""
    key = plate_key(clean_plate(reg))
    return key if queries.last_time(key) else _listed_key(reg)
