"""The acts on a vehicle, the import of each list, and what pages and calls about vehicles share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from flask import request, url_for

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.db import transaction
from app.divisions import Division
from app.fleet import forms
from app.fleet.models import Vehicle
from app.fleet.queries import vehicles as queries
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.vehicles import (
    MAX_PLATE_LENGTH,
    MAX_PLATES,
    STATUSES,
    UNKNOWN_STATUS,
    FleetList,
    plate_key,
)
from app.fleet.schemas.vehicles import VEHICLE_ALIASES, VEHICLE_FILE, read_vehicles
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from app.fleet.services.checks import CheckPlan, plan_check, renew_uploads
from app.fleet.services.vehicles import VehicleChange
from app.names import merge_names
from app.photos.services import photos
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.records.targets import ImportTarget
from app.versions import version_of
from app.web import access

DIVISIONS = (Division.FLEET, Division.GPM)
for_fleet = access.division(*DIVISIONS)
fleet_page = for_fleet.route
FLEET_AND_GPM = access.api_call(*DIVISIONS)
"""The policy of calls that Fleet and GPM share."""

View = TypeVar("View", bound=Callable[..., Any])

VEHICLE = "/vehicles/<row_id:vehicle_id>"


def fleet_call(
    calls: Blueprint, path: str, replies: Callable[[View], View], **options: Any
) -> Callable[[View], View]:
    """Return a decorator that serves a call that reads; `replies` declares its reply."""
    route = calls.route(path, methods=["GET"], **options)
    return lambda view: route(FLEET_AND_GPM(replies(view)))


def upkeep_calls(name: str) -> Blueprint:
    """Return the blueprint of a feature's calls about the upkeep of vehicles."""
    description = "Defects, repairs, vehicles off the road, and what is due."
    return Blueprint(name, "Upkeep", description, feature="upkeep")


def serves_upkeep(calls: Blueprint) -> Callable[[Api], None]:
    """Return the function that serves calls under /api/fleet, /api/gpm and /api."""
    return lambda api: api.register_prefixed(calls, *DIVISIONS, None)


def prepare_check(check: SubmittedCheck, *, by: int) -> CheckPlan:
    """Judge a submitted check, and store its new photos, outside a transaction."""
    plan = plan_check(check, by=by)
    if all(photo.data is None for photo in check.photos):
        return plan
    with transaction():
        renewed = renew_uploads(plan, by=by)
    # The transaction returned its connection, so others can use it meanwhile.
    return replace(plan, pictures=photos.prepare_photos(check.photos, renewed))


def plates(*_: Any) -> Mapping[str, Sequence[str]]:
    """Return the registrations that forms suggest."""
    return {"plates": queries.plates(limit=MAX_PLATES)}


def fill_in_vehicle(argument: str) -> Callable[[Any, None], None]:
    """Return a function that fills in the vehicle that an address names."""

    def fill_in(form: Any, _: None) -> None:
        form.reg.data = request.args.get(argument, "")[:MAX_PLATE_LENGTH]

    return fill_in


def _current(_: Any, vehicle: Vehicle) -> str:
    name = f"{vehicle.make} {vehicle.model}".strip()
    values = (name, vehicle.classification, vehicle.status, vehicle.location)
    return f"It is now: {', '.join(value or '–' for value in values)}."


ON_VEHICLE = Target[Vehicle](
    read=queries.get_vehicle,
    page=lambda vehicle: url_for("fleet.vehicle", vehicle_id=vehicle.id),
    then=Then.OPEN,
    current=_current,
)


def _values_in_use(*_: Any) -> Mapping[str, Any]:
    fleet_list = queries.current_list()
    return {
        "statuses": merge_names(STATUSES, queries.values_in_use(fleet_list, "status")),
        "classifications": queries.values_in_use(fleet_list, "classification"),
        "locations": queries.values_in_use(fleet_list, "location"),
    }


def _describe_added(change: VehicleChange) -> Outcome:
    return Outcome(f"Added {change.reg}.", url_for("fleet.vehicle", vehicle_id=change.vehicle_id))


def _target(fleet_list: FleetList) -> ImportTarget[Any]:
    return ImportTarget(
        key=fleet_list,
        label=fleet_list.capitalize(),
        call=f"/fleet/{fleet_list}",
        division=Division.FLEET,
        columns=VEHICLE_FILE,
        required=["reg"],
        aliases=VEHICLE_ALIASES,
        key_columns=["reg"],
        fold=plate_key,
        alike=["reg"],
        empty_means={"status": UNKNOWN_STATUS, "lastEventAt": None},
        read=read_vehicles,
        version=partial(version_of, fleet_list),
        current=lambda: queries.all_vehicles(fleet_list),
        apply=lambda states, by, *_: lists.import_vehicles(fleet_list, states, by=by),
        remove=lambda keys, by: lists.remove_vehicles(fleet_list, keys, by=by),
    )


TARGETS = {each.key: each for each in map(_target, FleetList)}

ACTS = (
    Act(
        "add_vehicle",
        "/vehicles/add",
        for_fleet,
        forms.AddVehicleForm,
        services.add_vehicle,
        _describe_added,
        new_record("fleet.vehicles", then=Then.OPEN),
        shows=_values_in_use,
    ),
    Act(
        "edit_vehicle",
        f"{VEHICLE}/edit",
        for_fleet,
        forms.EditVehicleForm,
        services.edit_vehicle,
        "Saved {r.reg}.",
        ON_VEHICLE,
        shows=_values_in_use,
    ),
)
