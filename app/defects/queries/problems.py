"""Broken promises about defects and times off the road, for `flask verify`."""

from collections.abc import Iterator, Mapping

from sqlalchemy import func, or_, select
from sqlalchemy.orm import aliased

from app.db import db
from app.defects.models import Defect, OffRoad, Repair, RepairPart
from app.defects.rules.fields import DefectState
from app.fleet.rules.findings import Severity
from app.stock.models import LedgerEntry


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
