"""Broken promises about defects and times off the road, for `flask verify`."""

from collections.abc import Iterator, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from app.db import db
from app.defects.models import Defect, OffRoad, Repair, RepairPart
from app.defects.queries.repairs import separated_operations
from app.fleet.rules.findings import Severity
from app.stock.models import LedgerEntry


def off_road_problems() -> Iterator[str]:
    """Yield the times off the road that end before they begin."""
    wrong = select(OffRoad).where(OffRoad.until < OffRoad.since).order_by(OffRoad.id)
    for time in db.session.execute(wrong).scalars():
        yield f"{time.reg}: time off the road {time.id} ends before it begins"


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


def part_notes() -> Iterator[str]:
    """Yield the repairs that stock has separated from their parts, which it refuses now."""
    for repair in separated_operations():
        yield (
            f"{repair.reference} and its parts were separated in stock. "
            f"To join them run: flask repairs relink {repair.reference}"
        )


def _amounts(repair: Repair, stock: Mapping[int, int]) -> tuple[int, int, int, int]:
    return repair.labour, repair.parts, repair.other, stock.get(repair.id, 0)
