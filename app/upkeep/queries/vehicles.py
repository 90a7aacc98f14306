"""Whether anything is on record about a vehicle, also of one that left the lists."""

from sqlalchemy import or_, select

from app.db import db
from app.fleet.models import Check, Vehicle
from app.fleet.queries.vehicles import IN_LISTS
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.models.off_road import OffRoad
from app.upkeep.models.readings import OdometerReading
from app.upkeep.models.repairs import Repair

_TABLES = (
    *(Check, Defect, Repair, OffRoad),
    *(OdometerReading, DueItem, DueItemVehicle, DueDone),
)


def is_on_record(reg_key: str) -> bool:
    """Return whether a vehicle is in a list, or has rows from when it was."""
    listed = IN_LISTS, Vehicle.reg_key == reg_key
    rows = (select(1).where(table.reg_key == reg_key).exists() for table in _TABLES)
    statement = select(or_(select(1).where(*listed).exists(), *rows))
    return bool(db.session.execute(statement).scalar_one())
