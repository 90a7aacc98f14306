"""Whole lists of vehicles: imports set what they name, the API's full list replaces all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from app.db import db
from app.errors import Invalid
from app.fleet.models import Vehicle
from app.fleet.queries import vehicles as queries
from app.fleet.rules.plates import plate_key
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.vehicles import insert, write
from app.versions import check_version, increment_version, lock_version


@dataclass(frozen=True)
class ListChange:
    """How many vehicles a list added, changed, left as they were and removed."""

    added: int
    changed: int
    unchanged: int
    removed: int = 0


def set_vehicles(
    fleet_list: FleetList, wanted: Sequence[VehicleState], *, by: int | None
) -> ListChange:
    """Set the vehicles of a list and leave all others alone (an import).

    A registration that is known keeps its spelling.
    """
    present, _ = _held(fleet_list)
    told = [
        replace(new, reg=known.reg) if (known := present.get(plate_key(new.reg))) else new
        for new in wanted
    ]
    change = _write(fleet_list, told, present, by=by)
    if change.added or change.changed:
        increment_version(fleet_list)
    return change


def replace_vehicles(
    fleet_list: FleetList,
    wanted: Sequence[VehicleState],
    *,
    versions: Collection[int] | None,
    by: int | None,
) -> ListChange:
    """Make a list hold exactly these vehicles; those that go keep their history (design §4).

    `versions` are the list's data versions that the caller has seen, None for an empty list.
    Raises PreconditionRequired and PreconditionFailed.
    """
    _check_named_once(wanted)
    present, version = _held(fleet_list)
    check_version(versions, version, is_empty=not present)
    kept = {plate_key(new.reg) for new in wanted}
    gone = [vehicle for key, vehicle in present.items() if key not in kept]
    for vehicle in gone:
        db.session.delete(vehicle)
    written = _write(fleet_list, wanted, present, by=by)
    change = replace(written, removed=len(gone))
    if change.added or change.changed or change.removed:
        increment_version(fleet_list)
    return change


def _held(fleet_list: FleetList) -> tuple[dict[str, Vehicle], int]:
    """Return a list's vehicles by key and its version; nobody else changes them meanwhile.

    Vehicles are locked before versions, as single changes do; what was added until the version
    was locked is read then.
    """
    statement = (
        select(Vehicle)
        .filter_by(fleet_list=fleet_list)
        .order_by(Vehicle.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    db.session.execute(statement).scalars().all()
    version = sum(lock_version(name) for name in queries.versions_of(fleet_list))
    present = db.session.execute(statement).scalars()
    return {vehicle.reg_key: vehicle for vehicle in present}, version


def _check_named_once(wanted: Sequence[VehicleState]) -> None:
    seen: set[str] = set()
    for place, new in enumerate(wanted):
        key = plate_key(new.reg)
        if key in seen:
            raise Invalid(f'"{new.reg}" stands in the list twice', f"{place}.reg")
        seen.add(key)


def _write(
    fleet_list: FleetList,
    wanted: Sequence[VehicleState],
    present: dict[str, Vehicle],
    *,
    by: int | None,
) -> ListChange:
    added = changed = 0
    for new in wanted:
        known = present.get(plate_key(new.reg))
        if known is None:
            insert(fleet_list, new, by=by)
            added += 1
        elif write(known, new, by=by):
            changed += 1
    return ListChange(added, changed, len(wanted) - added - changed)
