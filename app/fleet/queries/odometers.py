"""The odometer readings before a check."""

from sqlalchemy import select

from app.db import db
from app.fleet.models import Check


def previous_odometer(check: Check, vehicle_odometer: int | None) -> int | None:
    """Return a vehicle's odometer reading before a check, or None.

    `vehicle_odometer` is the vehicle's own value before the check. It doesn't count if checks of a
    later day exist, which may have changed it; then the reading of the check before does.
    """
    same = select(Check.odometer).where(Check.reg_key == check.reg_key, Check.id != check.id)
    later = db.session.execute(same.where(Check.day > check.day).limit(1)).first()
    if vehicle_odometer is not None and later is None:
        return vehicle_odometer
    earlier = same.where(Check.day <= check.day).order_by(Check.day.desc(), Check.id.desc())
    return db.session.execute(earlier.limit(1)).scalar_one_or_none()


def odometer_before(check: Check) -> int | None:
    """Return the odometer reading of the check before, if that arrived earlier, or None."""
    statement = (
        select(Check.odometer)
        .where(Check.reg_key == check.reg_key, Check.id < check.id, Check.day <= check.day)
        .order_by(Check.day.desc(), Check.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none()
