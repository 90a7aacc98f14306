"""The age of records for their removal, and the references between them, by vehicle."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select

from app import dates
from app.db import db
from app.defects.models import Defect, DefectSighting, OffRoad, Repair, RepairedDefect
from app.due.models import DueDone, DueItem
from app.fleet.models import IS_FLAGGED, Check
from app.mileage.models import OdometerReading
from app.mileage.queries import current_mileage
from app.mileage.rules import ReadingSource
from app.vehicle_file.rules import Kept, Node, removable

_READ_AT = {
    ReadingSource.CHECK: Kept.CHECK,
    ReadingSource.REPAIR: Kept.REPAIR,
    ReadingSource.DUE: Kept.DONE,
}

Reference = tuple[Node, Node]


def removable_rows(reg_key: str | None, before: date) -> Collection[Node]:
    """Return the old rows of a vehicle, or for None of shared items, that no kept row refers to.

    Rows are old if they ended before a day, except rows of an open case: open defects, times off
    the road and items with the work before them, running warranties, flagged checks without a
    review, undecided readings, and the newest one in use.
    """
    is_old: dict[Node, bool] = {}
    for kind, model, old in _ages(reg_key, before):
        statement = select(model.id, func.coalesce(old, literal(value=False)).label("old"))
        for row in db.session.execute(statement.where(_is_of(model, reg_key))):
            is_old[kind, row.id] = bool(row.old)
    newest = current_mileage(reg_key) if reg_key else None
    if newest is not None:
        is_old[Kept.READING, newest.id] = False
    return removable(is_old, _references(reg_key))


def _ages(reg_key: str | None, before: date) -> Iterator[tuple[Kept, Any, ColumnElement[bool]]]:
    """Yield the condition for each kind that its rows are old."""
    moment = dates.start_of_day(before)
    yield Kept.ITEM, DueItem, DueItem.closed_at < moment
    yield Kept.DONE, DueDone, and_(DueDone.done_on < before, DueDone.recorded_at < moment)
    if reg_key is None:
        return
    waits = and_(IS_FLAGGED, Check.reviewed_at.is_(None))
    yield Kept.CHECK, Check, and_(Check.day < before, ~waits)
    is_later = (DefectSighting.defect_id == Defect.id, DefectSighting.day >= before)
    later = select(DefectSighting.id).where(*is_later)
    yield Kept.DEFECT, Defect, and_(Defect.closed_at < moment, ~later.exists())
    is_over = or_(Repair.warranty_until.is_(None), Repair.warranty_until < dates.today())
    repaired = and_(Repair.finished_on < before, Repair.recorded_at < moment, is_over)
    yield Kept.REPAIR, Repair, repaired
    yield Kept.OFF_ROAD, OffRoad, OffRoad.until < moment
    is_decided = or_(OdometerReading.is_accepted, OdometerReading.void_at.is_not(None))
    yield Kept.READING, OdometerReading, and_(OdometerReading.day < before, is_decided)


_LINKS: Sequence[tuple[Any, Select[*tuple[Any, ...]], Sequence[Kept]]] = (
    (
        Defect,
        select(Defect.id, Defect.check_id, Defect.repeat_of_id, Defect.duplicate_of_id),
        (Kept.DEFECT, Kept.CHECK, Kept.DEFECT, Kept.DEFECT),
    ),
    (
        Defect,
        select(DefectSighting.defect_id, DefectSighting.check_id).join(
            Defect, Defect.id == DefectSighting.defect_id
        ),
        (Kept.DEFECT, Kept.CHECK),
    ),
    (OffRoad, select(OffRoad.id, OffRoad.defect_id), (Kept.OFF_ROAD, Kept.DEFECT)),
    (
        Repair,
        select(RepairedDefect.repair_id, RepairedDefect.defect_id).join(
            Repair, Repair.id == RepairedDefect.repair_id
        ),
        (Kept.REPAIR, Kept.DEFECT),
    ),
    (Repair, select(Repair.id, Repair.reverses_id), (Kept.REPAIR, Kept.REPAIR)),
)
"""The statements whose rows refer to others, by the table that has the vehicle.

The kinds are those of the columns: first the row, then what it refers to.
"""


def _references(reg_key: str | None) -> Iterator[Reference]:
    """Yield the references between rows; a repair and its targets refer to each other."""
    yield from _done_references(reg_key)
    if reg_key is None:
        return
    for table, statement, kinds in _LINKS:
        for row in db.session.execute(statement.where(_is_of(table, reg_key))):
            source, *targets = zip(kinds, row, strict=True)
            for target in targets:
                if target[1] is not None:
                    yield source, target
                    if source[0] is Kept.REPAIR:
                        yield target, source
    columns = (OdometerReading.id, OdometerReading.source, OdometerReading.source_id)
    readings = select(*columns).where(_is_of(OdometerReading, reg_key))
    for row_id, read_at, source_id in db.session.execute(readings):
        if read_at in _READ_AT and source_id is not None:
            yield (Kept.READING, row_id), (_READ_AT[read_at], source_id)


def _done_references(reg_key: str | None) -> Iterator[Reference]:
    """Yield the references of done work, and of an open item to the work before it."""
    is_open = DueItem.closed_at.is_(None).label("is_next_open")
    of_vehicle = or_(_is_of(DueDone, reg_key), DueDone.reg_key.is_(None))
    statement = (
        select(
            DueDone.id,
            DueDone.due_item_id,
            DueDone.next_item_id,
            DueDone.repair_id,
            DueDone.defect_id,
            DueDone.reg_key,
            is_open,
        )
        .outerjoin(DueItem, DueItem.id == DueDone.next_item_id)
        .where(of_vehicle)
    )
    for row in db.session.execute(statement):
        # Shared rows are none of this vehicle's, so they are kept.
        done = (Kept.DONE, row.id)
        targets = (
            (Kept.ITEM, row.due_item_id),
            (Kept.ITEM, row.next_item_id),
            (Kept.REPAIR, row.repair_id),
            (Kept.DEFECT, row.defect_id),
        )
        yield from ((done, target) for target in targets if target[1] is not None)
        if row.next_item_id is not None and row.is_next_open:
            yield (Kept.ITEM, row.next_item_id), done


def _is_of(model: Any, reg_key: str | None) -> ColumnElement[bool]:
    is_of: ColumnElement[bool] = model.reg_key == reg_key
    return is_of
