"""Changes of single vehicles, each a row of their history."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import select

from app import dates
from app.db import db
from app.errors import Conflict, EditConflict, Invalid
from app.fleet.models import Vehicle, VehicleEvent
from app.fleet.queries import vehicle_history
from app.fleet.queries import vehicles as queries
from app.fleet.rules import vehicles as rules
from app.fleet.rules.plates import plate_key
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.versions import increment_version, lock_version

VAN_HISTORY = "van-history"


@dataclass(frozen=True)
class VehicleChange:
    """A vehicle that was added or edited, in plain values that a replay can repeat."""

    vehicle_id: int
    reg: str


@dataclass(frozen=True)
class PastEvent:
    """Where a van was and in which status; what isn't told is as it is now."""

    reg: str
    at: datetime | None = None
    location: str | None = None
    status: str | None = None


@dataclass(frozen=True)
class Recorded:
    """How many events were added to the history."""

    added: int


def add_vehicle(new: VehicleState, *, by: int | None) -> VehicleChange:
    """Add a vehicle to the list that the screens show.

    Raises Conflict when the list has its registration.
    """
    fleet_list = queries.shown_list()
    # Every addition holds this, so no two can meet.
    lock_version(fleet_list)
    existing = queries.vehicle_named(fleet_list, new.reg)
    if existing is not None:
        raise Conflict(f"There is a vehicle {existing.reg} already.", "reg")
    vehicle = insert(fleet_list, new, by=by)
    increment_version(fleet_list)
    return VehicleChange(vehicle.id, vehicle.reg)


def edit_vehicle(
    vehicle_id: int, told: VehicleState, *, revision: int, by: int | None
) -> VehicleChange:
    """Change what a vehicle is; its registration stays, whatever is told.

    Raises EditConflict when somebody else edited it since `revision`.
    """
    reg_key = queries.vehicle(vehicle_id).reg_key
    vehicle = next((v for v in locked([reg_key]) if v.id == vehicle_id), None)
    if vehicle is None:
        raise queries.NoSuchVehicle
    if vehicle.revision != revision:
        raise EditConflict("vehicle")
    if write(vehicle, replace(told, reg=vehicle.reg), by=by):
        increment_version(vehicle.fleet_list)
    return VehicleChange(vehicle.id, vehicle.reg)


def record_check(reg: str, *, on: date, odometer: int, check_id: int, by: int | None) -> int | None:
    """Move a vehicle's last update and odometer to a check's, and note it in its history.

    An older check than the last update leaves that, and is noted with what was known then; one
    that is older than another check leaves the odometer. Returns its odometer before, None where
    it isn't known.
    """
    now = dates.utc_now()
    at = now if on == dates.london_day(now) else dates.noon_in_london(on)
    key = plate_key(reg)
    found = locked([key])
    is_last_reading = not vehicle_history.was_checked_after(key, on)
    before: int | None = None
    for vehicle in found:
        before = vehicle.odometer if before is None else before
        is_latest = vehicle.last_event_at is None or at >= vehicle.last_event_at
        then = None if is_latest else vehicle_history.event_before(vehicle, at)
        status, location = (then.status, then.location) if then else _present(vehicle)
        _note(vehicle, at, status=status, location=location, by=by, check_id=check_id)
        if is_latest:
            vehicle.last_event_at = at
        if is_last_reading:
            vehicle.odometer = odometer
    db.session.flush()
    for name in sorted({vehicle.fleet_list for vehicle in found}):
        increment_version(name)
    return before


def record_events(told: Sequence[PastEvent], *, by: int) -> Recorded:
    """Add entries to the history of vans; the latest one also says where the van is now.

    Raises Invalid that names the first van there isn't.
    """
    now = dates.utc_now()
    keys = {plate_key(event.reg) for event in told}
    vans = {v.reg_key: v for v in locked(keys) if v.fleet_list is FleetList.VANS}
    moved = False
    for place, event in enumerate(told):
        van = vans.get(plate_key(event.reg))
        if van is None:
            raise Invalid(f"There is no van {event.reg}.", f"{place}.reg")
        status, location = _present(van)
        status = event.status or status
        location = location if event.location is None else event.location
        at = event.at or now
        _note(van, at, status=status, location=location, by=by)
        if van.last_event_at is None or at >= van.last_event_at:
            if _present(van) != (status, location):
                van.revision += 1
            van.status, van.location, van.last_event_at = status, location, at
            moved = True
    db.session.flush()
    if told:
        increment_version(VAN_HISTORY)
    if moved:
        increment_version(FleetList.VANS)
    return Recorded(len(told))


def insert(fleet_list: FleetList, new: VehicleState, *, by: int | None) -> Vehicle:
    """Add a vehicle's row, with its history's first where something is known of it.

    Hold the list's version, and raise it afterwards.
    """
    vehicle = Vehicle(fleet_list=fleet_list, reg_key=plate_key(new.reg), revision=0)
    _set(vehicle, rules.settled(new), None, by)
    db.session.add(vehicle)
    db.session.flush()
    return vehicle


def write(vehicle: Vehicle, told: VehicleState, *, by: int | None) -> bool:
    """Give a locked vehicle what was told; tell whether that changed anything.

    Raise the list's version afterwards.
    """
    before = queries.state_of(vehicle)
    after = rules.settled(told, before)
    if after == before:
        return False
    vehicle.revision += 1
    _set(vehicle, after, before, by)
    db.session.flush()
    return True


def locked(reg_keys: Sequence[str] | set[str]) -> list[Vehicle]:
    """Return the vehicles of both lists with these keys, held until the transaction ends."""
    found: list[Vehicle] = []
    wanted = sorted(set(reg_keys))
    for start in range(0, len(wanted), 5000):
        statement = (
            select(Vehicle)
            .where(Vehicle.reg_key.in_(wanted[start : start + 5000]))
            .order_by(Vehicle.id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        found += db.session.execute(statement).scalars()
    return found


def _set(
    vehicle: Vehicle, after: VehicleState, before: VehicleState | None, by: int | None
) -> None:
    has_news = rules.is_news(after, before)
    if has_news:
        after = rules.happened(after, before, dates.utc_now())
    vehicle.reg = after.reg
    vehicle.make, vehicle.model = after.make or "", after.model or ""
    vehicle.status = after.status or rules.UNKNOWN_STATUS
    vehicle.classification = after.classification or ""
    vehicle.location = after.location or ""
    vehicle.odometer = after.odometer
    vehicle.last_event_at = after.last_event_at
    if has_news and after.last_event_at:
        status, location = _present(vehicle)
        _note(vehicle, after.last_event_at, status=status, location=location, by=by)


def _present(vehicle: Vehicle) -> tuple[str, str]:
    return vehicle.status, vehicle.location


def _note(
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
