"""The calls for vehicles, vans, plates and their history."""

from collections.abc import Collection, Sequence
from itertools import starmap
from typing import Any

from flask import Response

from app import dates
from app.api.lists import ListPaging, list_response
from app.api.schemas import AddedReply, ListChangeReply
from app.fleet.acts import FLEET_AND_GPM
from app.fleet.api.scope import bp, fleet_bp
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import UPKEEP, VAN_HISTORY, FleetList, VehicleState, plate_key
from app.fleet.schemas import vehicles as schemas
from app.fleet.schemas.lists import VAN_LIST, VEHICLE_LIST, VehicleRow
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from app.fleet.services.vehicles import PastEvent
from app.lists import Added, ListChange
from app.records import calls as records
from app.records.calls import Changes, ListRequest, parameters_of
from app.records.record import Record
from app.versions import version_of

changes = Changes(bp, FLEET_AND_GPM, FleetList.VEHICLES)

_PLATES = {"type": "array", "items": {"type": "string", "example": "LK19 VTE"}}


@bp.route("/vehicles", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.ListedVehicleReply, parameters_of(VEHICLE_LIST))
def vehicles(requested: ListRequest) -> Response:
    """List the vehicles (or the vans if there are none) by registration, whole with an ETag."""
    return _list_vehicles(requested, VEHICLE_LIST)


@changes("/vehicles", ListChangeReply, schemas.VehicleBody(many=True), replaces=True)
def replace_vehicles(
    new: list[VehicleState], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of vehicles by this one; removed vehicles keep their history."""
    return lists.replace_vehicles(FleetList.VEHICLES, new, versions=versions, by=by)


@bp.route("/vans", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.ListedVehicleReply, parameters_of(VAN_LIST))
def vans(requested: ListRequest) -> Response:
    """List the vans by registration, with an ETag if it is whole."""
    return _list_vehicles(requested, VAN_LIST)


@changes.of(FleetList.VANS)("/vans", ListChangeReply, schemas.VehicleBody(many=True), replaces=True)
def replace_vans(
    new: list[VehicleState], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of vans by this one; removed vans keep their history."""
    return lists.replace_vehicles(FleetList.VANS, new, versions=versions, by=by)


@bp.route("/van-history", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.VanEventReply)
def van_history(paging: ListPaging) -> Response:
    """List where vans were, newest first, with the list's ETag if it is whole."""
    return list_response(
        paging,
        VAN_HISTORY,
        rows=queries.van_history,
        rows_after=lambda after, limit: queries.van_history(limit, int(after or 0)),
        write=schemas.VanEventReply.write,
        version=lambda: version_of(VAN_HISTORY) + version_of(FleetList.VANS),
    )


@changes.of(VAN_HISTORY)(
    "/van-history", AddedReply, schemas.EventBody, status=201, takes_several=True
)
def record_van_history(events: Sequence[PastEvent], *, by: int) -> Added:
    """Add one or more entries to the history; a van's latest one also updates the van."""
    return services.record_van_history(events, by=by)


@bp.route("/plates", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(_PLATES)
def plates(paging: ListPaging) -> Response:
    """List the registrations of the vehicles, or of the vans if there are no vehicles."""
    return list_response(
        paging,
        "plates",
        rows=lambda: queries.plates(queries.current_list()),
        rows_after=lambda after, limit: queries.plates(queries.current_list(), after, limit),
        key=plate_key,
        write=str,
        version=lambda: queries.list_version(FleetList.VEHICLES),
    )


@fleet_bp.route("/history", methods=["GET"])
@FLEET_AND_GPM
@fleet_bp.response(200, schemas.FleetHistoryReply)
def fleet_history() -> dict[str, Any]:
    """Return the history of each vehicle, newest first."""
    source = queries.current_list()
    events = queries.events_by_vehicle(source)
    return {
        "vehicles": [
            {
                "reg": vehicle.reg,
                "history": [
                    schemas.EventReply.write(event) for event in events.get(vehicle.reg_key, [])
                ],
            }
            for vehicle in queries.all_vehicles(source)
        ]
    }


def _list_vehicles(requested: ListRequest, record: Record[VehicleRow]) -> Response:
    """Serve a list of vehicles.

    Its ETag changes with what upkeep knows and by the day too; If-Match compares the list alone.
    """

    def version() -> str:
        day = dates.today().toordinal()
        return f"{queries.list_version(FleetList(record.list_name))}.{version_of(UPKEEP)}.{day}"

    return records.list_response(
        requested, record, lambda rows: starmap(schemas.listed_vehicle_json, rows), version
    )
