"""Repairs with their costs, parts and defects."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import and_, select

from app.db import db
from app.divisions import Store
from app.errors import NotFound
from app.stock.models import LedgerEntry, StockSite
from app.upkeep.models.defects import Defect
from app.upkeep.models.repairs import Repair, RepairedDefect, RepairPart
from app.upkeep.rules.repairs import RepairCosts

REPAIRS_WITH_GARAGES = 200
"""How many of the last repairs suggest their garages."""


class NoSuchRepair(NotFound):
    """The repair doesn't exist."""

    def __init__(self) -> None:
        super().__init__("There is no such repair. Load the list again.")


@dataclass(frozen=True)
class StockPartRow:
    """Parts that a repair took from a store; negative where they came back."""

    name: str
    quantity: int
    pence: int
    operation_id: int
    store: Store


def get_repair(number: int) -> Repair:
    """Return a repair by its number; raises NoSuchRepair."""
    statement = select(Repair).filter_by(number=number)
    repair = db.session.execute(statement).scalar_one_or_none()
    if repair is None:
        raise NoSuchRepair
    return repair


def reversal_of(repair_id: int) -> Repair | None:
    """Return the row that takes a repair back, None if it stands."""
    return db.session.execute(select(Repair).filter_by(reverses_id=repair_id)).scalar_one_or_none()


def stock_parts(repair_ids: Collection[int]) -> Mapping[int, Sequence[StockPartRow]]:
    """Return the parts that repairs took from stock, by repair."""
    first_line = (LedgerEntry.operation_id == RepairPart.operation_id, LedgerEntry.line == 0)
    statement = (
        select(RepairPart, StockSite.division, StockSite.site)
        .join(LedgerEntry, and_(*first_line))
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(RepairPart.repair_id.in_(repair_ids))
        .order_by(RepairPart.repair_id, RepairPart.position)
    )
    found: defaultdict[int, list[StockPartRow]] = defaultdict(list)
    for part, division, site in db.session.execute(statement):
        row = StockPartRow(
            part.name, part.quantity, part.pence, part.operation_id, Store(division, site)
        )
        found[part.repair_id].append(row)
    return found


def repaired_defects(repair_ids: Collection[int]) -> Mapping[int, Sequence[Defect]]:
    """Return the defects that repairs mended, by repair."""
    statement = (
        select(RepairedDefect.repair_id, Defect)
        .join(Defect, Defect.id == RepairedDefect.defect_id)
        .where(RepairedDefect.repair_id.in_(repair_ids))
        .order_by(Defect.number)
    )
    found: defaultdict[int, list[Defect]] = defaultdict(list)
    for repair_id, defect in db.session.execute(statement):
        found[repair_id].append(defect)
    return found


def costs_of(repair: Repair, parts: Sequence[StockPartRow]) -> RepairCosts:
    """Return what a repair costs with its parts from stock."""
    stock = sum(part.pence for part in parts)
    return RepairCosts(repair.labour, repair.parts, repair.other, stock)


def items_of(operation_ids: Collection[int]) -> Sequence[int]:
    """Return the ids of the items that operations changed."""
    statement = select(LedgerEntry.item_id).where(LedgerEntry.operation_id.in_(operation_ids))
    return sorted(set(db.session.execute(statement).scalars()))


def garages() -> Sequence[str]:
    """Return the garages of the last repairs, the newest first."""
    statement = (
        select(Repair.garage)
        .order_by(Repair.finished_on.desc(), Repair.id.desc())
        .limit(REPAIRS_WITH_GARAGES)
    )
    return list(dict.fromkeys(filter(None, db.session.execute(statement).scalars())))


@dataclass(frozen=True)
class RepairFilters:
    """The filters of the list of repairs; '' and None match all."""

    search: str = ""
    start: date | None = None
    end: date | None = None
