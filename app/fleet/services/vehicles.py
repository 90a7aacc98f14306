"""Changes of vehicles, each a row of their history."""

from datetime import date

from sqlalchemy import select

from app import dates
from app.db import db
from app.fleet.models import Vehicle, VehicleEvent
from app.fleet.rules.plates import plate_key
from app.versions import raise_version


def record_check(reg: str, *, on: date, odometer: int, check_id: int, by: int | None) -> int | None:
    """Move a vehicle's last update and odometer to a check's, and note it in its history.

    An older check than the last update moves neither. Returns its odometer before, None where it
    isn't known.
    """
    at = min(dates.noon_in_london(on), dates.utc_now())
    before: int | None = None
    for vehicle in _locked(reg):
        before = vehicle.odometer if before is None else before
        db.session.add(
            VehicleEvent(
                fleet_list=vehicle.fleet_list,
                reg=vehicle.reg,
                reg_key=vehicle.reg_key,
                at=at,
                location=vehicle.location,
                status=vehicle.status,
                check_id=check_id,
                user_id=by,
            )
        )
        if vehicle.last_event_at is None or at >= vehicle.last_event_at:
            vehicle.last_event_at = at
            vehicle.odometer = odometer
        db.session.flush()
        raise_version(vehicle.fleet_list)
    return before


def _locked(reg: str) -> list[Vehicle]:
    """Return the vehicles of both lists with a registration, held until the transaction ends."""
    statement = (
        select(Vehicle)
        .filter_by(reg_key=plate_key(reg))
        .order_by(Vehicle.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return list(db.session.execute(statement).scalars())
