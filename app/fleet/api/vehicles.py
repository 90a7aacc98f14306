"""Vehicles, vans, plates, and what happened to them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flask import Response

from app.api.calls import AddedReply, Blueprint, ListChangeReply, run_once
from app.api.description import MATCHED, one_or_more
from app.api.lists import if_match_versions, list_part, whole_list
from app.divisions import Division
from app.fleet.api.scope import policy
from app.fleet.models import Vehicle
from app.fleet.queries import vehicle_history
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.schemas import vehicles as schemas
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from app.fleet.services.lists import ListChange
from app.fleet.services.vehicles import VAN_HISTORY, PastEvent, Recorded
from app.versions import version_of
from app.web.access import current_user

_PLATES = {"type": "array", "items": {"type": "string", "example": "LK19 VTE"}}


def add_calls(blueprint: Blueprint, division: Division | None) -> None:
    """Add the calls to a blueprint; `division` is its prefix."""
    for fleet_list in FleetList:
        _add_list(blueprint, fleet_list)
    _add_van_history(blueprint)
    _add_plates(blueprint)
    if division is Division.FLEET:
        _add_history(blueprint)


def _add_list(blueprint: Blueprint, fleet_list: FleetList) -> None:
    path = f"/{fleet_list}"
    is_main = fleet_list is FleetList.VEHICLES
    where_none = "; the vans where there are no vehicles" if is_main else ""

    @blueprint.route(path, methods=["GET"], endpoint=fleet_list.value)
    @policy
    @blueprint.lists(schemas.VehicleReply)
    @blueprint.doc(
        summary=f"List the {fleet_list} by registration, with an ETag when whole{where_none}."
    )
    def read(paging: dict[str, Any]) -> Response:
        meant = queries.shown_list() if is_main else fleet_list
        if "limit" in paging:
            return _part(meant, paging, schemas.vehicle_json)

        def rows() -> Iterator[dict[str, Any]]:
            # Read at once: a slow line must not hold a connection to the database.
            return map(schemas.vehicle_json, queries.all_vehicles(meant))

        return whole_list(fleet_list, queries.list_version(fleet_list), rows)

    @blueprint.route(path, methods=["POST"], endpoint=f"replace_{fleet_list}")
    @policy
    @blueprint.arguments(schemas.VehicleBody(many=True))
    @blueprint.response(200, ListChangeReply)
    @blueprint.doc(
        summary=f"Make the list hold exactly these {fleet_list}; those that go keep their history.",
        **MATCHED,
    )
    def replace(wanted: list[VehicleState]) -> ListChange:
        versions = if_match_versions(fleet_list)
        by = current_user().user_id
        return run_once(
            ListChange,
            lambda: lists.replace_vehicles(fleet_list, wanted, versions=versions, by=by),
            of=fleet_list,
            reads_match=True,
        )


def _add_van_history(blueprint: Blueprint) -> None:
    @blueprint.route("/van-history", methods=["GET"])
    @policy
    @blueprint.lists(schemas.VanEventReply)
    def van_history(paging: dict[str, Any]) -> Response:
        """List where vans were, newest first, with the list's ETag where it is whole."""
        version = version_of(VAN_HISTORY) + version_of(FleetList.VANS)
        if "limit" in paging:
            limit = paging["limit"]
            events = vehicle_history.van_history(limit + 1, int(paging["cursor"] or 0))
            following = str(events[limit - 1].id) if len(events) > limit else None
            return list_part(map(schemas.van_event_json, events[:limit]), limit, following)

        def rows() -> Iterator[dict[str, Any]]:
            return map(schemas.van_event_json, vehicle_history.van_history())

        return whole_list(VAN_HISTORY, version, rows)

    @blueprint.route("/van-history", methods=["POST"])
    @policy
    @blueprint.arguments(schemas.EventBody(many=True))
    @blueprint.response(201, AddedReply)
    @blueprint.doc(**one_or_more(schemas.EventBody))
    def record_van_history(told: Sequence[PastEvent]) -> Recorded:
        """Add an entry, or a list of them; the latest also says where its van is now."""
        by = current_user().user_id
        return run_once(Recorded, lambda: services.record_events(told, by=by), of=VAN_HISTORY)


def _add_plates(blueprint: Blueprint) -> None:
    @blueprint.route("/plates", methods=["GET"])
    @policy
    @blueprint.lists(_PLATES)
    def plates(paging: dict[str, Any]) -> Response:
        """List the registrations of the vehicles, of the vans where there are none."""
        if "limit" in paging:
            return _part(queries.shown_list(), paging, lambda vehicle: vehicle.reg)
        version = queries.list_version(FleetList.VEHICLES)
        return whole_list("plates", version, lambda: iter(queries.plates(queries.shown_list())))


def _add_history(blueprint: Blueprint) -> None:
    @blueprint.route("/history", methods=["GET"])
    @policy
    @blueprint.response(200, schemas.FleetHistoryReply)
    def fleet_history() -> dict[str, Any]:
        """Tell what happened to each vehicle, newest first."""
        fleet_list = queries.shown_list()
        found = vehicle_history.histories(fleet_list)
        return {
            "vehicles": [
                {
                    "reg": vehicle.reg,
                    "history": [schemas.event_json(e) for e in found.get(vehicle.reg_key, [])],
                }
                for vehicle in queries.all_vehicles(fleet_list)
            ]
        }


def _part(
    fleet_list: FleetList,
    paging: dict[str, Any],
    write: Callable[[Vehicle], dict[str, Any] | str],
) -> Response:
    limit = paging["limit"]
    found = queries.vehicles_after(fleet_list, paging["cursor"], limit + 1)
    following = found[limit - 1].reg_key if len(found) > limit else None
    return list_part(map(write, found[:limit]), limit, following)
