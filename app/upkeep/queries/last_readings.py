"""The last odometer reading of every vehicle."""

from collections.abc import Mapping

from sqlalchemy import select

from app.db import db
from app.fleet.models import Vehicle
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.readings import ACCEPTED, NEWEST_FIRST


def last_readings() -> Mapping[str, OdometerReading]:
    """Return the newest reading in use of each vehicle of the lists that has one.

    Each is looked up in the index, however many readings there are.
    """
    newest = (
        select(OdometerReading.id)
        .where(OdometerReading.reg_key == Vehicle.reg_key, *ACCEPTED)
        .order_by(*NEWEST_FIRST)
        .limit(1)
        .scalar_subquery()
    )
    statement = select(OdometerReading).where(OdometerReading.id.in_(select(newest)))
    return {row.reg_key: row for row in db.session.execute(statement).scalars()}
