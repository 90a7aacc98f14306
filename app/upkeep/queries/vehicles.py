"""The vehicles with any record, also after they left the lists."""

from collections.abc import Sequence

from sqlalchemy import or_, select

from app.db import db
from app.fleet.models import Check, Vehicle
from app.fleet.queries.vehicles import IN_LISTS
from app.search import distinct_values
from app.upkeep.models.defects import Defect, OffRoad, Repair
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.models.readings import OdometerReading

_TABLES = (Check, Defect, Repair, OffRoad, OdometerReading, DueItem)


def is_on_record(reg_key: str) -> bool:
    """Return whether a vehicle is in a list, or has rows from when it was."""
    listed = IN_LISTS, Vehicle.reg_key == reg_key
    rows = (
        select(1).where(table.reg_key == reg_key).exists()
        for table in (*_TABLES, DueItemVehicle, DueDone)
    )
    statement = select(or_(select(1).where(*listed).exists(), *rows))
    return bool(db.session.execute(statement).scalar_one())


def vehicles_on_record() -> Sequence[str]:
    """Return the keys of all registrations with rows of upkeep, of any kind."""
    found: set[str] = set()
    for table in _TABLES:
        keys = select(distinct_values(table.reg_key).c.value)
        found |= {key for key in db.session.execute(keys).scalars() if key is not None}
    return sorted(found)
