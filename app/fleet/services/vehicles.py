"""Changes of single vehicles and their history."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from app import dates
from app.db import db, lock_rows
from app.divisions import Division
from app.errors import Conflict, EditConflict, Invalid
from app.events.rules import EventKind, Values, differences, values_of
from app.events.services import record_event
from app.fleet.models import Vehicle, VehicleEvent
from app.fleet.queries import vehicles as queries
from app.fleet.rules import vehicles as rules
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
    """Add a vehicle to the list that the screens show.

    Raises Conflict when its registration is in the list.
    """
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
    """Change a vehicle's values except for its registration.

    Raises NoSuchVehicle, and EditConflict when somebody else edited it since `revision`.
    """
    reg_key = queries.get_vehicle(vehicle_id).reg_key
    vehicle = next((v for v in lock_vehicles([reg_key]) if v.id == vehicle_id), None)
    if vehicle is None:
        raise queries.NoSuchVehicle
    if vehicle.revision != revision:
        raise EditConflict("vehicle")
    before = queries.vehicle_state(vehicle)
    if update_vehicle(vehicle, replace(new, reg=vehicle.reg), by=by):
        db.session.flush()
        changed = differences(before, queries.vehicle_state(vehicle), texts=_RECORDED_TEXTS)
        _record(EventKind.VEHICLE_EDITED, vehicle, by, before=changed[0], after=changed[1])
        increment_version(vehicle.fleet_list)
    return VehicleChange(vehicle.id, vehicle.reg)


def record_check(reg: str, *, on: date, odometer: int, check_id: int, by: int | None) -> int | None:
    """Update a vehicle's last event and odometer from a check, and add it to the history.

    A check before the vehicle's last event leaves that as it is and is recorded with the status
    and location of its time. A check before another check leaves the odometer as it is.
    Returns the odometer before, None if it is unknown.
    """
    now = dates.utc_now()
    at = now if on == dates.london_day(now) else dates.noon_in_london(on)
    key = plate_key(reg)
    vehicles = lock_vehicles([key])
    is_last_check = not queries.was_checked_after(key, on)
    odometer_before: int | None = None
    for vehicle in vehicles:
        odometer_before = vehicle.odometer if odometer_before is None else odometer_before
        is_latest = vehicle.last_event_at is None or at >= vehicle.last_event_at
        past = None if is_latest else queries.last_event_before(vehicle, at)
        status, location = (past.status, past.location) if past else _status_and_location(vehicle)
        _add_event(vehicle, at, status=status, location=location, by=by, check_id=check_id)
        if is_latest:
            vehicle.last_event_at = at
        if is_last_check:
            vehicle.odometer = odometer
    db.session.flush()
    for name in sorted({vehicle.fleet_list for vehicle in vehicles}):
        increment_version(name)
    return odometer_before


def record_van_history(events: Sequence[PastEvent], *, by: int) -> Added:
    """Add entries to the history of vans; a van's latest entry sets its status and location.

    Raises Invalid that names the first entry without a van.
    """
    now = dates.utc_now()
    keys = {plate_key(event.reg) for event in events}
    vans = {v.reg_key: v for v in lock_vehicles(keys) if v.fleet_list is FleetList.VANS}
    is_list_changed = False
    for index, event in enumerate(events):
        van = vans.get(plate_key(event.reg))
        if van is None:
            raise Invalid(f"There is no van {event.reg}.", f"{index}.reg")
        status, location = _status_and_location(van)
        status = event.status or status
        location = location if event.location is None else event.location
        at = event.at or now
        _add_event(van, at, status=status, location=location, by=by)
        if van.last_event_at is None or at >= van.last_event_at:
            if _status_and_location(van) != (status, location):
                van.revision += 1
            van.status, van.location, van.last_event_at = status, location, at
            is_list_changed = True
    db.session.flush()
    if events:
        record_event(
            EventKind.VAN_HISTORY_RECORDED,
            "list",
            VAN_HISTORY,
            division=Division.FLEET,
            by=by,
            after={"entries": len(events), "vans": len(keys)},
        )
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
    vehicles: list[Vehicle] = []
    for keys in batches(sorted(set(reg_keys))):
        vehicles += lock_rows(Vehicle, Vehicle.reg_key.in_(keys))
    return vehicles


def _record(
    kind: EventKind,
    vehicle: Vehicle,
    by: int | None,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    subject = ("vehicle", vehicle.reg_key)
    record_event(kind, *subject, division=Division.FLEET, by=by, before=before, after=after)


def _apply(
    vehicle: Vehicle, after: VehicleState, before: VehicleState | None, by: int | None
) -> None:
    has_event = rules.needs_event(after, before)
    if has_event:
        after = rules.set_event_time(after, before, dates.utc_now())
    vehicle.reg = after.reg
    vehicle.make, vehicle.model = after.make or "", after.model or ""
    vehicle.status = after.status or rules.UNKNOWN_STATUS
    vehicle.classification = after.classification or ""
    vehicle.location = after.location or ""
    vehicle.odometer = after.odometer
    vehicle.last_event_at = after.last_event_at
    if has_event and after.last_event_at:
        status, location = _status_and_location(vehicle)
        _add_event(vehicle, after.last_event_at, status=status, location=location, by=by)


def _status_and_location(vehicle: Vehicle) -> tuple[str, str]:
    return vehicle.status, vehicle.location


def _add_event(
    vehicle: Vehicle,
    at: datetime,
    *,
    status: str,
    location: str,
    by: int | None,
    check_id: int | None = None,
) -> None:
    db.session.add(
        VehicleEvent(
            fleet_list=vehicle.fleet_list,
            reg=vehicle.reg,
            reg_key=vehicle.reg_key,
            at=at,
            location=location,
            status=status,
            check_id=check_id,
            user_id=by,
        )
    )
