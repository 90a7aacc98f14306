"""Changes of single vehicles and their history."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app import dates
from app.db import db, lock_rows
from app.divisions import Division
from app.errors import Conflict, Invalid, check_revision, existing
from app.events.rules import EventKind, Values, differences, values_of
from app.events.services import record_event
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.queries import vehicles as queries
from app.fleet.rules import vehicles as rules
from app.fleet.rules.checks import check_time
from app.fleet.rules.vehicles import VAN_HISTORY, FleetList, VehicleState, plate_key
from app.lists import Added, batches
from app.versions import increment_version, lock_version

_RECORDED_TEXTS = ("reg", "make", "model", "status", "classification")
"""The texts of a vehicle that its events have; a location can be somebody's home."""


@dataclass(frozen=True)
class VehicleChange:
    """A vehicle that was added or edited."""

    vehicle_id: int
    reg: str


@dataclass(frozen=True)
class PastEvent:
    """A van's status and location at a time; None means as they are now."""

    reg: str
    at: datetime | None = None
    location: str | None = None
    status: str | None = None


def add_vehicle(new: VehicleState, *, by: int | None) -> VehicleChange:
    """Add a vehicle to the list on the screens; raises Conflict if it is there."""
    fleet_list = queries.current_list()
    # Every addition takes this lock, so that two of the same registration can't succeed.
    lock_version(fleet_list)
    existing = queries.find_vehicle(fleet_list, new.reg)
    if existing is not None:
        raise Conflict(f"Vehicle {existing.reg} already exists.", "reg")
    vehicle = insert_vehicle(fleet_list, new, by=by)
    db.session.flush()
    _record(EventKind.VEHICLE_ADDED, vehicle, by, after=values_of(new, texts=_RECORDED_TEXTS))
    increment_version(fleet_list)
    return VehicleChange(vehicle.id, vehicle.reg)


def edit_vehicle(
    vehicle_id: int, new: VehicleState, *, revision: int, by: int | None
) -> VehicleChange:
    """Change a vehicle's values but its registration; raises NotFound and EditConflict."""
    locked = lock_rows(Vehicle, Vehicle.id == vehicle_id)
    vehicle = existing(next(iter(locked), None), queries.NO_SUCH_VEHICLE)
    check_revision("vehicle", vehicle.revision, revision)
    before = queries.vehicle_state(vehicle)
    if update_vehicle(vehicle, replace(new, reg=vehicle.reg), by=by):
        db.session.flush()
        changed = differences(before, queries.vehicle_state(vehicle), texts=_RECORDED_TEXTS)
        _record(EventKind.VEHICLE_EDITED, vehicle, by, before=changed[0], after=changed[1])
        increment_version(vehicle.fleet_list)
    return VehicleChange(vehicle.id, vehicle.reg)


def record_check(check: Check) -> int | None:
    """Update a vehicle's last event and odometer from a check, and add it to the history.

    A check before the vehicle's last event leaves that as it is and is recorded with the status
    and location of its time. A check before another check leaves the odometer as it is.
    Returns the odometer before, None if it is unknown or of a later day.
    """
    at = check_time(check.day, dates.utc_now())
    vehicles = lock_vehicles([check.reg_key])
    is_last_check = not queries.was_checked_after(check.reg_key, check.day)
    odometers = [vehicle.odometer for vehicle in vehicles if is_last_check]
    for vehicle in vehicles:
        is_latest = vehicle.last_event_at is None or at >= vehicle.last_event_at
        past = None if is_latest else queries.last_event_before(vehicle, at)
        then = {"status": past.status, "location": past.location} if past else {}
        _add_event(vehicle, at=at, user_id=check.submitted_by, check_id=check.id, **then)
        if is_latest:
            vehicle.last_event_at = at
        if is_last_check:
            vehicle.odometer = check.odometer
    db.session.flush()
    for name in sorted({vehicle.fleet_list for vehicle in vehicles}):
        increment_version(name)
    return next((miles for miles in odometers if miles is not None), None)


def record_van_history(events: Sequence[PastEvent], *, by: int) -> Added:
    """Add entries to vans' history; a latest sets its van. Raises Invalid at one without a van."""
    now = dates.utc_now()
    keys = {plate_key(event.reg) for event in events}
    vans = {v.reg_key: v for v in lock_vehicles(keys) if v.fleet_list is FleetList.VANS}
    is_list_changed = False
    for index, event in enumerate(events):
        van = vans.get(plate_key(event.reg))
        if van is None:
            raise Invalid(f"There is no van {event.reg}.", f"{index}.reg")
        status = event.status or van.status
        location = van.location if event.location is None else event.location
        at = event.at or now
        _add_event(van, at=at, status=status, location=location, user_id=by)
        if van.last_event_at is None or at >= van.last_event_at:
            if (van.status, van.location) != (status, location):
                van.revision += 1
            van.status, van.location, van.last_event_at = status, location, at
            is_list_changed = True
    db.session.flush()
    if events:
        kind, after = EventKind.VAN_HISTORY_RECORDED, {"entries": len(events), "vans": len(keys)}
        record_event(kind, "list", VAN_HISTORY, division=Division.FLEET, by=by, after=after)
        increment_version(VAN_HISTORY)
    if is_list_changed:
        increment_version(FleetList.VANS)
    return Added(len(events))


def insert_vehicle(fleet_list: FleetList, new: VehicleState, *, by: int | None) -> Vehicle:
    """Insert a vehicle, and its first event if its status or location is given.

    The caller has locked the list's version, flushes the vehicle and increments the version.
    """
    vehicle = Vehicle(fleet_list=fleet_list, reg_key=plate_key(new.reg), revision=0)
    _apply(vehicle, rules.merge_state(new), None, by)
    db.session.add(vehicle)
    return vehicle


def update_vehicle(vehicle: Vehicle, new: VehicleState, *, by: int | None) -> bool:
    """Set the given values of a locked vehicle; return whether that changed anything.

    The caller flushes the change and increments the list's version.
    """
    before = queries.vehicle_state(vehicle)
    after = rules.merge_state(new, before)
    if after == before:
        return False
    vehicle.revision += 1
    _apply(vehicle, after, before, by)
    return True


def lock_vehicles(reg_keys: Collection[str]) -> list[Vehicle]:
    """Lock the vehicles of both lists with these keys until the transaction ends."""
    some = batches(sorted(set(reg_keys)))
    return [each for keys in some for each in lock_rows(Vehicle, Vehicle.reg_key.in_(keys))]


def _record(kind: EventKind, vehicle: Vehicle, by: int | None, **values: Values) -> None:
    record_event(kind, "vehicle", vehicle.reg_key, division=Division.FLEET, by=by, **values)


def _apply(
    vehicle: Vehicle, after: VehicleState, before: VehicleState | None, by: int | None
) -> None:
    has_event = rules.needs_event(after, before)
    if has_event:
        after = rules.set_event_time(after, before, dates.utc_now())
    for name, value in vars(after).items():
        setattr(vehicle, name, value)
    if has_event:
        _add_event(vehicle, at=after.last_event_at, user_id=by)


def _add_event(vehicle: Vehicle, **values: Any) -> None:
    """Add an event of a vehicle, with its present status and location unless others are given."""
    names = ("fleet_list", "reg", "reg_key", "status", "location")
    present = {name: getattr(vehicle, name) for name in names}
    db.session.add(VehicleEvent(**present | values))
