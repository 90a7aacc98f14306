"""Broken promises about due items, for `flask verify`."""

from collections.abc import Iterator

from sqlalchemy import select, union_all

from app.db import db
from app.defects.models import Defect
from app.due.models import DueItem, DueItemVehicle
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import IN_LISTS


def left_problems() -> Iterator[str]:
    """Yield the open items and defects of vehicles that are in no list."""
    own = select(DueItem.id, DueItem.reg_key, DueItem.reg).where(DueItem.closed_at.is_(None))
    shared = (
        select(DueItem.id, DueItemVehicle.reg_key, DueItemVehicle.reg)
        .join(DueItem, DueItem.id == DueItemVehicle.due_item_id)
        .where(DueItem.closed_at.is_(None))
    )
    items = union_all(own.where(DueItem.reg_key.is_not(None)), shared).subquery()
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == items.c.reg_key)
    statement = select(items.c.id, items.c.reg).where(~listed.exists())
    for item_id, reg in db.session.execute(statement.order_by(items.c.id, items.c.reg_key)):
        yield f"{reg}: item {item_id} is open, and the vehicle is in no list"
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == Defect.reg_key)
    left = select(Defect).where(Defect.closed_at.is_(None), ~listed.exists())
    for defect in db.session.execute(left.order_by(Defect.number)).scalars():
        yield f"{defect.reg}: {defect.reference} is open, and the vehicle is in no list"
