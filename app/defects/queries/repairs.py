"""Repairs with their costs, parts and defects."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import aliased

from app import names
from app.accounts.history import lost_race
from app.accounts.queries import usernames
from app.db import db
from app.defects.models import Defect, Repair, RepairedDefect, RepairPart
from app.defects.rules.defects import urgency
from app.defects.rules.fields import Closing, DefectState
from app.divisions import Division, Store
from app.errors import existing
from app.fleet.rules.vehicles import MAX_PLATES
from app.lists import batches, grouped, rows_with
from app.reference_numbers import ReferenceNumber, Series, parse_reference
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.queries import operations
from app.stock.queries.levels import site_ids

MAX_ITEMS = 300
"""The most items that a form suggests."""

REPAIRS_WITH_GARAGES = 200
"""How many of the last repairs suggest their garages."""


_PENCE = func.coalesce(func.sum(RepairPart.pence), 0)

FROM_STOCK = select(_PENCE).where(RepairPart.repair_id == Repair.id).scalar_subquery()
"""The column of the pence that a repair's parts from stock cost."""


@dataclass(frozen=True)
class StockPartRow:
    """Parts that a repair took from a store; negative if they came back."""

    name: str
    quantity: int
    pence: int
    operation_id: int
    store: Store


def get_repair(number: int) -> Repair:
    """Return a repair by its number; raises NotFound."""
    repair = db.session.scalar(select(Repair).filter_by(number=number))
    reference = ReferenceNumber(Series.REPAIR, number)
    return existing(repair, f"There is no repair {reference}. Load the list again.")


def repair_by_id(repair_id: int) -> Repair:
    """Return a repair by its id."""
    return db.session.get_one(Repair, repair_id)


def why_not_reversed(repair: Repair) -> str:
    """Return why a repair can't be undone, '' if it can."""
    if repair.reverses_id is not None:
        taken_back = repair_by_id(repair.reverses_id).reference
        return f"{repair.reference} takes {taken_back} back. It can't be undone."
    reversal = db.session.scalar(select(Repair).filter_by(reverses_id=repair.id))
    if reversal is None:
        return ""
    return lost_race(reversal.recorded_by, f"undid {repair.reference}", reversal.recorded_at)


def stock_divisions(repair: Repair) -> Collection[Division]:
    """Return the divisions whose stock gave the parts of a repair."""
    return {part.store.division for part in stock_parts([repair.id]).get(repair.id, ())}


@cache
def stands(repair: type[Repair]) -> ColumnElement[bool]:
    """Return the condition that a repair is neither reversed nor a reversal."""
    reversal = aliased(Repair)
    reversed_by = select(reversal.id).where(reversal.reverses_id == repair.id).exists()
    # Written so that no index of it is used: nearly all repairs reverse none.
    return and_(func.coalesce(repair.reverses_id, 0) == 0, ~reversed_by)


def stock_parts(repair_ids: Collection[int]) -> Mapping[int, Sequence[StockPartRow]]:
    """Return the parts that repairs took from stock, by repair."""
    is_of = LedgerEntry.operation_id == RepairPart.operation_id
    statement = (
        select(RepairPart, StockSite.division, StockSite.site)
        .join(LedgerEntry, and_(is_of, LedgerEntry.line == 0))
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .order_by(RepairPart.repair_id, RepairPart.position)
    )
    found = rows_with(statement, RepairPart.repair_id, repair_ids)
    return grouped(
        (row.repair_id, StockPartRow(row.name, row.quantity, row.pence, row.operation_id, store))
        for row, store in ((row, Store(division, site)) for row, division, site in found)
    )


def repaired_defects(repair_ids: Collection[int]) -> Mapping[int, Sequence[Defect]]:
    """Return the defects that repairs mended, by repair."""
    statement = (
        select(RepairedDefect.repair_id, Defect)
        .join(Defect, Defect.id == RepairedDefect.defect_id)
        .order_by(Defect.number)
    )
    return grouped(rows_with(statement, RepairedDefect.repair_id, repair_ids))


def signed_off(defects: Collection[Defect]) -> Sequence[str]:
    """Return a sentence for each defect of a repair that stays closed when the repair is undone."""
    return [
        f"{row.reference} stays signed off. Report it again if it isn't mended."
        for row in defects
        if row.closing is Closing.REPAIRED
    ]


def repair_of_operation(operation_id: int) -> Repair | None:
    """Return the repair, or the reversal of one, that an operation of stock belongs to."""
    is_of = RepairPart.operation_id.in_(operations.origins(operation_id))
    statement = select(Repair).join(RepairPart).where(is_of)
    return db.session.scalar(statement.order_by(Repair.id).limit(1))


def separated_operations(
    repair_ids: Collection[int] | None = None,
) -> Mapping[Repair, Mapping[int, int]]:
    """Return the repairs whose withdrawals are undone though they stand, or the reverse.

    All repairs are looked at unless some are given. Each has those withdrawals, with the last
    operation of each.
    """
    reversal = aliased(Repair)
    statement = (
        select(Repair, reversal.id, RepairPart.operation_id)
        .join(RepairPart, RepairPart.repair_id == Repair.id)
        .outerjoin(reversal, reversal.reverses_id == Repair.id)
        .where(Repair.reverses_id.is_(None))
        .order_by(Repair.number)
        .distinct()
    )
    if repair_ids is not None:
        statement = statement.where(Repair.id.in_(repair_ids))
    found: defaultdict[Repair, dict[int, int]] = defaultdict(dict)
    for rows in batches(db.session.execute(statement).all()):
        ids = {row.operation_id for row in rows}
        undoings = operations.undoings(ids)
        undone = {first: undoing.operation_id for first, undoing in undoings.items()}
        last = {**operations.operations_in_effect(ids), **undone}
        for repair, reversal_id, operation_id in rows:
            if (operation_id in undone) != (reversal_id is not None):
                found[repair][operation_id] = last[operation_id]
    return found


def garages() -> Sequence[str]:
    """Return the garages of the last repairs, the newest first, and those of booked defects."""
    newest = select(Repair.garage).order_by(Repair.finished_on.desc(), Repair.id.desc())
    booked = select(Defect.garage).filter_by(state=DefectState.BOOKED)
    found = (db.session.scalars(each) for each in (newest.limit(REPAIRS_WITH_GARAGES), booked))
    return list(filter(None, names.merge_names(*found)))


@dataclass(frozen=True)
class RepairRow:
    """A repair with its parts and defects; `recorded_by` is '' for the terminal.

    `reverses` is the repair that it undoes, `reversed_by` the row that undoes it. A reversal has
    the `defects` of its repair.
    """

    repair: Repair
    parts: Sequence[StockPartRow]
    defects: Sequence[Defect]
    recorded_by: str
    reverses: Repair | None
    reversed_by: Repair | None

    @property
    def from_stock(self) -> int:
        """Return the pence that its parts from stock cost."""
        return sum(part.pence for part in self.parts)

    @property
    def total(self) -> int:
        """Return its cost in pence."""
        return self.repair.labour + self.repair.parts + self.repair.other + self.from_stock


def repair_rows(repairs: Sequence[Repair]) -> Sequence[RepairRow]:
    """Return repairs with their parts and defects."""
    ids = [repair.id for repair in repairs]
    taken_back = [row.reverses_id for row in repairs if row.reverses_id]
    parts, defects = stock_parts(ids), repaired_defects([*ids, *taken_back])
    by_reversed = select(Repair.reverses_id, Repair)
    reversed_by = dict(rows_with(by_reversed, Repair.reverses_id, ids))
    reverses = dict(rows_with(select(Repair.id, Repair), Repair.id, taken_back))
    names_of = usernames(row.recorded_by for row in repairs)
    return [
        RepairRow(
            repair=row,
            parts=parts.get(row.id, ()),
            defects=defects.get(row.reverses_id or row.id, ()),
            recorded_by=names_of[row.recorded_by],
            reverses=reverses.get(row.reverses_id) if row.reverses_id else None,
            reversed_by=reversed_by.get(row.id),
        )
        for row in repairs
    ]


def listed_repairs(repairs: Sequence[Repair]) -> Sequence[tuple[Repair, Sequence[Any]]]:
    """Return repairs with what their rows of the list show, once for each mended defect."""
    ids = [repair.id for repair in repairs]
    found = grouped((row.id, row) for row in rows_with(_listed(), Repair.id, ids))
    return [(repair, found[repair.id]) for repair in repairs]


@cache
def _listed() -> Select[*tuple[Any, ...]]:
    reversal, undone = aliased(Repair), aliased(Repair)
    is_mended = RepairedDefect.repair_id == func.coalesce(Repair.reverses_id, Repair.id)
    return (
        select(
            Repair.id,
            FROM_STOCK.label("from_stock"),
            undone.number.label("reverses"),
            reversal.id.label("reversal"),
            Defect.number.label("defect"),
        )
        .outerjoin(undone, undone.id == Repair.reverses_id)
        .outerjoin(reversal, reversal.reverses_id == Repair.id)
        .outerjoin(RepairedDefect, is_mended)
        .outerjoin(Defect, Defect.id == RepairedDefect.defect_id)
        .order_by(Defect.number)
    )


def named_repairs(search: str) -> Sequence[ColumnElement[bool]] | None:
    """Return the conditions of the repairs that a number names: its own, or a defect's."""
    reference = parse_reference(search)
    if reference is None:
        return None
    if reference.series is Series.REPAIR:
        return [Repair.number == reference.number]
    mended = select(RepairedDefect.repair_id).join(Defect)
    return [Repair.id.in_(mended.where(Defect.number == reference.number))]


_UNREPAIRED = (Defect.closed_at.is_(None), Defect.state != DefectState.REPAIRED)


def unrepaired_defects(reg_key: str) -> Sequence[Defect]:
    """Return the defects of a vehicle that a repair can mend, the worst first, then the oldest."""
    rows = db.session.scalars(select(Defect).where(Defect.reg_key == reg_key, *_UNREPAIRED))
    return sorted(rows, key=lambda row: (-urgency(row.severity), row.day, row.id))


def plates_to_repair() -> Sequence[str]:
    """Return the registrations of vehicles that have a defect to mend."""
    statement = select(Defect.reg).where(*_UNREPAIRED).distinct().order_by(Defect.reg)
    return db.session.scalars(statement.limit(MAX_PLATES)).all()


def item_names(stores: Collection[Store]) -> Sequence[str]:
    """Return the names of items that these stores have, as far as a form suggests them."""
    if not stores:
        return []
    is_in_stores = Item.site_id.in_(site_ids(list(stores)).values())
    in_stock = select(Item.name).where(is_in_stores, Item.removed_at.is_(None), Item.amount > 0)
    found = db.session.scalars(in_stock.order_by(Item.name_key).limit(MAX_ITEMS))
    return list(dict.fromkeys(found))


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
    deltas = select(entry.operation_id, func.sum(-entry.delta).label("quantity"))
    moved = deltas.group_by(entry.operation_id).subquery()
    repair_id = func.min(part.repair_id).label("repair_id")
    parts = select(part.operation_id, repair_id, func.sum(part.quantity).label("quantity"))
    taken = parts.group_by(part.operation_id).subquery()
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
