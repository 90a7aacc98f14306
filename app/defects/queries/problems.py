"""Broken promises about defects and times off the road, for `flask verify`."""

from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from app.db import db
from app.defects.models import Defect, OffRoad, Repair, RepairPart
from app.defects.queries.defects import IS_OPEN
from app.defects.queries.repairs import separated_operations
from app.fleet.rules.findings import Severity
from app.stock.models import LedgerEntry


def off_road_problems() -> Iterator[str]:
    """Yield the times off the road that end before they begin."""
    wrong = select(OffRoad).where(OffRoad.until < OffRoad.since).order_by(OffRoad.id)
    for time in db.session.scalars(wrong):
        yield f"{time.reg}: time off the road {time.id} ends before it begins"


def stop_problems() -> Iterator[str]:
    """Yield the stop defects that are open of vehicles on the road, unless that was overridden."""
    time = select(OffRoad.id).where(OffRoad.reg_key == Defect.reg_key)
    current = time.where(OffRoad.until.is_(None)).exists()
    is_overridden = (OffRoad.override_reason != "", OffRoad.until >= Defect.reported_at)
    overridden = time.where(*is_overridden).exists()
    statement = select(Defect).where(
        IS_OPEN, Defect.severity == Severity.STOP, ~current, ~overridden
    )
    for defect in db.session.scalars(statement.order_by(Defect.number)):
        yield f"{defect.reference} stops {defect.reg}, which isn't off the road"


def repair_problems() -> Iterator[str]:
    """Yield the repairs that their reversal doesn't cancel out."""
    reversal = aliased(Repair)
    pairs = select(Repair, reversal).join(reversal, reversal.reverses_id == Repair.id)
    parts = select(RepairPart.repair_id, func.sum(RepairPart.pence)).group_by(RepairPart.repair_id)
    stock = {repair_id: int(pence) for repair_id, pence in db.session.execute(parts)}
    for repair, back in db.session.execute(pairs.order_by(Repair.number)):
        amounts = [
            (row.labour, row.parts, row.other, stock.get(row.id, 0)) for row in (repair, back)
        ]
        if any(first + second for first, second in zip(*amounts, strict=True)):
            yield f"{back.reference} doesn't take back what {repair.reference} cost"


def part_problems() -> Iterator[str]:
    """Yield the stock operations of repairs that moved other quantities than the repairs say."""
    entry, part = LedgerEntry, RepairPart
    moved = select(entry.operation_id, func.sum(-entry.delta).label("quantity"))
    by_operation = moved.group_by(entry.operation_id).subquery()
    repair_id = func.min(part.repair_id).label("repair_id")
    taken = select(part.operation_id, repair_id, func.sum(part.quantity).label("quantity"))
    of_repair = taken.group_by(part.operation_id).subquery()
    statement = (
        select(Repair, of_repair.c.quantity, by_operation.c.quantity)
        .join(of_repair, of_repair.c.repair_id == Repair.id)
        .outerjoin(by_operation, by_operation.c.operation_id == of_repair.c.operation_id)
        .where(func.coalesce(by_operation.c.quantity, 0) != of_repair.c.quantity)
        .order_by(Repair.number)
    )
    for repair, quantity, number in db.session.execute(statement):
        yield f"{repair.reference} has {quantity} parts from stock, the ledger {number or 0}"


def part_notes() -> Iterator[str]:
    """Yield the repairs that stock has separated from their parts, which it refuses now."""
    for repair in separated_operations():
        yield (
            f"{repair.reference} and its parts were separated in stock. "
            f"To join them run: flask repairs relink {repair.reference}"
        )
