"""Changes of whole lists: vehicles imported or replaced, check templates replaced."""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import delete

from app.audit.rules import Event
from app.audit.services import record, record_import
from app.db import db, lock_rows
from app.divisions import Division
from app.events.rules import EventKind, counts
from app.events.services import record_event
from app.fleet.models import CheckTemplate, Vehicle
from app.fleet.queries import vehicles as queries
from app.fleet.queries.check_form import check_templates
from app.fleet.rules.templates import BUILT_IN, Template, template_values, validate_templates
from app.fleet.rules.vehicles import CHECK_TEMPLATES, FleetList, VehicleState, plate_key
from app.fleet.services.upkeep import vehicles_left
from app.fleet.services.vehicles import insert_vehicle, update_vehicle
from app.lists import ListChange, check_unique, lock_list
from app.versions import check_version, increment_version, version_of


def import_vehicles(
    fleet_list: FleetList, new: Sequence[VehicleState], *, by: int | None
) -> ListChange:
    """Add or change the given vehicles alone; existing registrations keep their spelling."""
    existing, _ = _lock_vehicles(fleet_list)
    states = []
    for state in new:
        vehicle = existing.get(plate_key(state.reg))
        states.append(replace(state, reg=vehicle.reg) if vehicle else state)
    change = _save_vehicles(fleet_list, states, existing, by)
    return _record_change(EventKind.VEHICLES_IMPORTED, fleet_list, change, by)


def replace_vehicles(
    fleet_list: FleetList,
    new: Sequence[VehicleState],
    *,
    versions: Collection[int] | None,
    by: int | None,
) -> ListChange:
    """Replace a list by exactly these vehicles; removed ones keep their history.

    `versions` are the versions that the caller has seen, None if it names none. Raises Invalid for
    a registration that occurs twice, PreconditionRequired and PreconditionFailed.
    """
    new_keys = [plate_key(state.reg) for state in new]
    check_unique(zip(new_keys, (state.reg for state in new), strict=True), "reg")
    # A check locks its vehicle before the list, too.
    queries.lock_records({*queries.plate_keys(Vehicle.fleet_list == fleet_list)} - set(new_keys))
    existing, version = _lock_vehicles(fleet_list)
    check_version(versions, version, is_empty=not existing)
    removed = existing.keys() - set(new_keys)
    for key in removed:
        db.session.delete(existing[key])
    change = replace(_save_vehicles(fleet_list, new, existing, by), removed=len(removed))
    _signal_left(removed, by)
    return _record_change(EventKind.VEHICLES_REPLACED, fleet_list, change, by)


def remove_vehicles(fleet_list: FleetList, reg_keys: Collection[str], *, by: int | None) -> None:
    """Remove vehicles from a list (the undo of an import); they keep their history."""
    queries.lock_records(reg_keys)
    existing, _ = _lock_vehicles(fleet_list)
    removed = existing.keys() & set(reg_keys)
    for key in removed:
        db.session.delete(existing[key])
    db.session.flush()
    _signal_left(removed, by)
    change = ListChange(removed=len(removed))
    _record_change(EventKind.VEHICLES_IMPORTED, fleet_list, change, by)


def _signal_left(removed: Set[str], by: int | None) -> None:
    left = removed - {*queries.plate_keys(queries.IN_LISTS)}
    if left:
        vehicles_left.send(left, by=by)


def _record_change(
    kind: EventKind, fleet_list: FleetList, change: ListChange, by: int | None
) -> ListChange:
    if change:
        record_event(kind, "list", fleet_list, division=Division.FLEET, by=by, after=counts(change))
        increment_version(fleet_list)
    record_import(fleet_list, change, by=by)
    return change


def _lock_vehicles(fleet_list: FleetList) -> tuple[dict[str, Vehicle], int]:
    vehicles, version = lock_list(
        lambda: lock_rows(Vehicle, Vehicle.fleet_list == fleet_list),
        queries.version_names(fleet_list),
    )
    return {vehicle.reg_key: vehicle for vehicle in vehicles}, version


def _save_vehicles(
    fleet_list: FleetList, new: Sequence[VehicleState], existing: dict[str, Vehicle], by: int | None
) -> ListChange:
    added = changed = 0
    for state in new:
        vehicle = existing.get(plate_key(state.reg))
        if vehicle is None:
            insert_vehicle(fleet_list, state, by=by)
            added += 1
        elif update_vehicle(vehicle, state, by=by):
            changed += 1
    db.session.flush()
    return ListChange(added, changed, len(new) - added - changed)


@dataclass(frozen=True)
class ReplaceTemplatesResult:
    """The templates after a replacement, as plain values, and their version."""

    templates: list[dict[str, Any]]
    version: int


def replace_templates(
    new: Sequence[Template], *, versions: Collection[int] | None
) -> ReplaceTemplatesResult:
    """Replace the check templates; an empty list restores the built-in ones.

    `versions` are the versions that the caller has seen, None if it names none. Raises Invalid,
    PreconditionRequired and PreconditionFailed.
    """
    validate_templates(new)
    current, version = lock_list(check_templates, [CHECK_TEMPLATES])
    check_version(versions, version, is_empty=False)
    if list(new or BUILT_IN) != list(current):
        db.session.execute(delete(CheckTemplate))
        for position, template in enumerate(new):
            db.session.add(CheckTemplate(position=position, **template_values(template)))
        db.session.flush()
        kind, after = EventKind.CHECK_TEMPLATES_REPLACED, {"templates": len(new)}
        record_event(kind, "list", CHECK_TEMPLATES, division=Division.FLEET, after=after)
        increment_version(CHECK_TEMPLATES)
        record(Event.SETTING, "check templates", templates=len(new))
    return ReplaceTemplatesResult(
        [template_values(template) for template in check_templates()], version_of(CHECK_TEMPLATES)
    )
