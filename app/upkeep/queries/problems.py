"""Broken promises of upkeep, for `flask verify`."""

from collections.abc import Iterator, Mapping

from sqlalchemy import func, or_, select, union_all
from sqlalchemy.orm import aliased

from app.db import db
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import IN_LISTS
from app.fleet.rules.findings import Severity
from app.stock.models import LedgerEntry
from app.upkeep.models.defects import Defect, OffRoad, Repair, RepairPart
from app.upkeep.models.due import DueItem, DueItemVehicle
from app.upkeep.models.readings import OdometerReading
from app.upkeep.rules.kinds import DefectState


def off_road_problems() -> Iterator[str]:
    """Yield vehicles with two current times off the road, and times that end before they begin."""
    current = (
        select(OffRoad.reg_key)
        .where(OffRoad.until.is_(None))
        .group_by(OffRoad.reg_key)
        .having(func.count() > 1)
        .order_by(OffRoad.reg_key)
    )
    for reg_key in db.session.execute(current).scalars():
        yield f"{reg_key}: off the road twice at once"
    wrong = select(OffRoad).where(
        or_(OffRoad.until < OffRoad.since, OffRoad.reason.is_(None)),
    )
    for time in db.session.execute(wrong.order_by(OffRoad.id)).scalars():
        yield f"{time.reg}: time off the road {time.id} ends before it begins, or has no reason"


def stop_problems() -> Iterator[str]:
    """Yield the stop defects that are open of vehicles on the road, unless that was overridden."""
    current = select(OffRoad.id).where(OffRoad.reg_key == Defect.reg_key, OffRoad.until.is_(None))
    overridden = select(OffRoad.id).where(
        OffRoad.reg_key == Defect.reg_key,
        OffRoad.override_reason != "",
        OffRoad.until >= Defect.reported_at,
    )
    statement = (
        select(Defect)
        .where(
            Defect.closed_at.is_(None),
            Defect.severity == Severity.STOP,
            ~current.exists(),
            ~overridden.exists(),
        )
        .order_by(Defect.number)
    )
    for defect in db.session.execute(statement).scalars():
        yield f"{defect.reference} stops {defect.reg}, which isn't off the road"


def closing_problems() -> Iterator[str]:
    """Yield the defects that are closed without a reason or without who did it."""
    is_closed = or_(Defect.state == DefectState.CLOSED, Defect.closed_at.is_not(None))
    is_incomplete = or_(
        Defect.closing.is_(None),
        Defect.closed_at.is_(None),
        Defect.state != DefectState.CLOSED,
    )
    statement = select(Defect).where(is_closed, is_incomplete).order_by(Defect.number)
    for defect in db.session.execute(statement).scalars():
        yield f"{defect.reference} is closed without a reason or a day"


def repair_problems() -> Iterator[str]:
    """Yield the repairs that their reversal doesn't cancel out."""
    reversal = aliased(Repair)
    pairs = select(Repair, reversal).join(reversal, reversal.reverses_id == Repair.id)
    parts = (
        select(RepairPart.repair_id, func.sum(RepairPart.pence).label("pence"))
        .join(Repair, Repair.id == RepairPart.repair_id)
        .group_by(RepairPart.repair_id)
    )
    stock = {row.repair_id: int(row.pence) for row in db.session.execute(parts)}
    for repair, back in db.session.execute(pairs.order_by(Repair.number)):
        amounts = zip(_amounts(repair, stock), _amounts(back, stock), strict=True)
        if any(first + second for first, second in amounts):
            yield f"{back.reference} doesn't take back what {repair.reference} cost"


def due_problems() -> Iterator[str]:
    """Yield the vehicles with two open items of a plan."""
    statement = (
        select(DueItem.plan_id, DueItem.reg_key)
        .where(DueItem.closed_at.is_(None), DueItem.plan_id.is_not(None))
        .group_by(DueItem.plan_id, DueItem.reg_key)
        .having(func.count() > 1)
        .order_by(DueItem.plan_id, DueItem.reg_key)
    )
    for plan_id, reg_key in db.session.execute(statement):
        yield f"{reg_key}: plan {plan_id} has several open items"


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


def reading_problems() -> Iterator[str]:
    """Yield the vehicles whose readings in use fall from one day to a later one."""
    later = aliased(OdometerReading)
    statement = (
        select(OdometerReading.reg_key, OdometerReading.day, OdometerReading.miles)
        .where(
            OdometerReading.is_accepted,
            OdometerReading.void_at.is_(None),
            select(later.id)
            .where(
                later.reg_key == OdometerReading.reg_key,
                later.day > OdometerReading.day,
                later.miles < OdometerReading.miles,
                later.is_accepted,
                later.void_at.is_(None),
            )
            .exists(),
        )
        .order_by(OdometerReading.reg_key, OdometerReading.day)
    )
    for reg_key, day, miles in db.session.execute(statement):
        yield f"{reg_key}: {miles} miles of {day} are more than on a later day"


def part_problems() -> Iterator[str]:
    """Yield the stock operations of repairs that moved other quantities than the repairs say."""
    moved = (
        select(LedgerEntry.operation_id, func.sum(-LedgerEntry.delta).label("quantity"))
        .group_by(LedgerEntry.operation_id)
        .subquery()
    )
    taken = (
        select(
            RepairPart.operation_id,
            func.min(RepairPart.repair_id).label("repair_id"),
            func.sum(RepairPart.quantity).label("quantity"),
        )
        .group_by(RepairPart.operation_id)
        .subquery()
    )
    statement = (
        select(Repair, taken.c.quantity, moved.c.quantity)
        .join(taken, taken.c.repair_id == Repair.id)
        .outerjoin(moved, moved.c.operation_id == taken.c.operation_id)
        .where(func.coalesce(moved.c.quantity, 0) != taken.c.quantity)
        .order_by(Repair.number)
    )
    for repair, quantity, number in db.session.execute(statement):
        yield f"{repair.reference} has {quantity} parts from stock, the ledger {number or 0}"


def _amounts(repair: Repair, stock: Mapping[int, int]) -> tuple[int, int, int, int]:
    return repair.labour, repair.parts, repair.other, stock.get(repair.id, 0)
