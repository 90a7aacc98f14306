"""The repairs, times off the road, done items, readings and files of a vehicle's record.

Each function yields its entries by vehicle and day, from as many statements however many there are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Label, Select, null, select, text
from sqlalchemy.orm import aliased

from app import dates
from app.money import format_number
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.models.off_road import OffRoad
from app.upkeep.models.readings import APART, OdometerReading
from app.upkeep.models.repairs import Repair, RepairedDefect, RepairPart
from app.upkeep.queries.record_reader import (
    RecordReader,
    at,
    defect_reference,
    of_row,
    repair_reference,
)
from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.kinds import DoneResult, Doubt, ReadingSource
from app.upkeep.rules.off_road import REASON_LABELS
from app.upkeep.rules.record import Amounts, RecordEntry, RecordKind, sentences

RESULTS = {
    DoneResult.PASS: "Passed",
    DoneResult.FAIL: "Failed",
    DoneResult.ADVISORIES: "Passed with advisories",
}
SOURCE_LABELS = {
    ReadingSource.CHECK: "Read at a check",
    ReadingSource.REPAIR: "Read at a repair",
    ReadingSource.DUE: "Read when an item was done",
    ReadingSource.BY_HAND: "Entered by hand",
    ReadingSource.IMPORT: "Imported",
}
DOUBTS = {Doubt.FELL: "it fell", Doubt.JUMPED: "it rose too fast"}


def repairs(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the repairs and what takes them back, with their parts and defects."""
    reversal, original = aliased(Repair), aliased(Repair)
    order = (Repair.reg_key, Repair.finished_on, Repair.id)
    where = (
        *reader.of_vehicle(Repair.reg_key),
        Repair.finished_on.between(reader.filters.start, reader.filters.end),
    )
    statement = (
        select(
            *Repair.__table__.columns,
            reversal.number.label("reversed_by"),
            original.number.label("reverses"),
            _waiting_doubt(ReadingSource.REPAIR, Repair.id),
        )
        .outerjoin(reversal, reversal.reverses_id == Repair.id)
        .outerjoin(original, original.id == Repair.reverses_id)
        .where(*where)
        .order_by(*order)
    )
    parts = _by_repair(
        reader,
        select(Repair.id, RepairPart.name, RepairPart.quantity, RepairPart.pence)
        .join(RepairPart, RepairPart.repair_id == Repair.id)
        .where(*where)
        .order_by(*order, RepairPart.position),
    )
    mended = _by_repair(
        reader,
        select(Repair.id, Defect.number)
        .join(RepairedDefect, RepairedDefect.repair_id == Repair.id)
        .join(Defect, Defect.id == RepairedDefect.defect_id)
        .where(*where)
        .order_by(*order, Defect.number),
    )
    for row in reader.rows(statement):
        taken, defect_rows = parts(row.id), mended(row.id)
        yield RecordEntry(
            **of_row(row),
            day=row.finished_on,
            kind=RecordKind.REPAIR,
            reference=repair_reference(row.number),
            title=row.garage or "Repair",
            outcome=_repair_outcome(row),
            detail=sentences(
                _listed("Mended", (defect_reference(each.number) for each in defect_rows)),
                _listed("From stock", (f"{each.quantity} × {each.name}" for each in taken)),
                f"Invoice {row.invoice_number}" if row.invoice_number else "",
                _warranty(row),
                row.note,
                _mileage_doubt(row),
            ),
            who=reader.who(row.recorded_by),
            miles=row.odometer,
            amounts=Amounts(
                labour=row.labour,
                parts=row.parts,
                other=row.other,
                stock=sum(each.pence for each in taken),
            ),
        )


def off_road(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the times off the road that any of the days is in."""
    statement = (
        select(*OffRoad.__table__.columns, Defect.number)
        .outerjoin(Defect, Defect.id == OffRoad.defect_id)
        .where(
            OffRoad.since < reader.filters.until,
            OffRoad.id.in_(reader.unended(OffRoad.id, OffRoad.reg_key, OffRoad.until)),
        )
        .order_by(OffRoad.reg_key, OffRoad.since, OffRoad.id)
    )
    for row in reader.rows(statement):
        expected = row.expected_back
        yield RecordEntry(
            **of_row(row),
            **at(row.since),
            kind=RecordKind.OFF_ROAD,
            reference=defect_reference(row.number) if row.number else "",
            title=REASON_LABELS[row.reason],
            outcome="Not back yet" if row.until is None else "Ended",
            detail=sentences(
                *row.detail.splitlines(),
                f"Expected back on {dates.format_day(expected)}" if expected else "",
            ),
            who=reader.who(row.opened_by),
        )


def returns(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the ends of times off the road, with what stood against them."""
    statement = (
        select(*OffRoad.__table__.columns)
        .where(*reader.of_vehicle(OffRoad.reg_key), reader.within(OffRoad.until))
        .order_by(OffRoad.reg_key, OffRoad.until, OffRoad.id)
    )
    for row in reader.rows(statement):
        against = "; ".join(row.objections.splitlines())
        yield RecordEntry(
            **of_row(row),
            **at(row.until),
            kind=RecordKind.RETURN,
            title=REASON_LABELS[row.reason],
            outcome="Overridden" if row.override_reason else "Signed off",
            detail=sentences(
                row.note,
                f"Put back all the same: {row.override_reason}" if row.override_reason else "",
                f"Stood against it: {against}" if against else "",
            ),
            who=row.signed_as or reader.who(row.closed_by),
        )


def done(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield what was done of what is due, taken back or not."""
    statement = (
        select(
            DueItem.reg,
            *DueDone.__table__.columns,
            DueItem.label,
            _waiting_doubt(ReadingSource.DUE, DueDone.id),
        )
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .where(
            *(reader.of_vehicle(DueDone.reg_key) or [DueDone.reg_key.is_not(None)]),
            DueDone.done_on.between(reader.filters.start, reader.filters.end),
        )
        .order_by(DueDone.reg_key, DueDone.done_on, DueDone.id)
    )
    for row in reader.rows(statement):
        amounts = Amounts(other=row.cost) if row.cost else None
        yield RecordEntry(**_done_values(reader, row), **of_row(row), amounts=amounts)


def shared_done(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield what was done of items that vehicles share, without its cost, for each of them."""
    statement = (
        select(
            DueItemVehicle.reg,
            DueItemVehicle.reg_key.label("vehicle_key"),
            *DueDone.__table__.columns,
            DueItem.label,
            null().label("waiting_doubt"),
        )
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .join(DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id)
        .where(
            *reader.of_vehicle(DueItemVehicle.reg_key),
            DueDone.reg_key.is_(None),
            DueDone.done_on.between(reader.filters.start, reader.filters.end),
        )
        .order_by(DueItemVehicle.reg_key, DueDone.done_on, DueDone.id)
    )
    for row in reader.rows(statement):
        yield RecordEntry(**_done_values(reader, row), reg=row.reg, reg_key=row.vehicle_key)


def readings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the readings of the odometer but for the plain ones of checks, which name them."""
    statement = (
        select(*OdometerReading.__table__.columns)
        .where(
            *reader.of_vehicle(OdometerReading.reg_key),
            OdometerReading.day.between(reader.filters.start, reader.filters.end),
            text(f"({APART})"),
        )
        .order_by(OdometerReading.reg_key, OdometerReading.day, OdometerReading.id)
    )
    for row in reader.rows(statement):
        yield RecordEntry(
            **of_row(row),
            day=row.day,
            kind=RecordKind.READING,
            title=SOURCE_LABELS[row.source],
            outcome=_reading_outcome(row),
            detail=sentences(
                f"Doubtful: {DOUBTS[row.doubt]}" if row.doubt else "",
                f"Accepted by {reader.who(row.accepted_by)}" if row.accepted_at else "",
                f"Void by {reader.who(row.void_by)}: {row.void_reason}" if row.void_at else "",
            ),
            who=reader.who(row.recorded_by),
            miles=row.miles,
        )


SOURCES = (
    repairs,
    off_road,
    returns,
    done,
    shared_done,
    readings,
)


def _by_repair(
    reader: RecordReader, statement: Select[*tuple[Any, ...]]
) -> Callable[[int], Sequence[Any]]:
    """Return a function that returns the rows of each repair, for repairs in the same order."""
    groups = groupby(reader.rows(statement), key=lambda row: row.id)
    following: list[tuple[int, Sequence[Any]]] = []

    def rows_of(repair_id: int) -> Sequence[Any]:
        if not following:
            group = next(groups, None)
            if group is None:
                return ()
            following.append((group[0], list(group[1])))
        if following[0][0] != repair_id:
            return ()
        return following.pop()[1]

    return rows_of


def _repair_outcome(row: Any) -> str:
    if row.reverses:
        return f"Takes {repair_reference(row.reverses)} back"
    return f"Taken back by {repair_reference(row.reversed_by)}" if row.reversed_by else ""


def _warranty(row: Any) -> str:
    until = f"until {dates.format_day(row.warranty_until)}" if row.warranty_until else ""
    miles = f"until {format_number(row.warranty_miles)} miles" if row.warranty_miles else ""
    return f"Warranty {' and '.join(filter(None, (until, miles)))}" if until or miles else ""


def _done_values(reader: RecordReader, row: Any) -> dict[str, Any]:
    """Return the values of an entry for what was done, without its vehicle and its cost."""
    return {
        "day": row.done_on,
        "kind": RecordKind.DONE,
        "title": row.label,
        "outcome": _done_outcome(row),
        "detail": sentences(
            f"Certificate {row.certificate_number}" if row.certificate_number else "",
            f"At {row.garage}" if row.garage else "",
            f"Due again on {dates.format_day(row.next_due_on)}" if row.next_due_on else "",
            f"Due again at {format_number(row.next_due_miles)} miles" if row.next_due_miles else "",
            row.note,
            _mileage_doubt(row),
            f"Taken back by {reader.who(row.undone_by)}" if row.undone_at else "",
        ),
        "who": reader.who(row.recorded_by),
        "miles": row.done_miles,
    }


def _done_outcome(row: Any) -> str:
    if row.undone_at:
        return "Taken back"
    is_tested = KINDS[row.kind].is_tested or row.result is not DoneResult.PASS
    return RESULTS[row.result] if is_tested else "Done"


def _waiting_doubt(source: ReadingSource, source_id: Any) -> Label[Any]:
    """Return the doubt about the reading of a repair or done item that nobody has accepted.

    A join would let PostgreSQL read all readings of the source.
    """
    of_row = OdometerReading.source == source, OdometerReading.source_id == source_id
    doubt = select(OdometerReading.doubt).where(*of_row, ~OdometerReading.is_accepted)
    return doubt.scalar_subquery().label("waiting_doubt")


def _mileage_doubt(row: Any) -> str:
    return f"Its mileage isn't used: {DOUBTS[row.waiting_doubt]}" if row.waiting_doubt else ""


def _reading_outcome(row: Any) -> str:
    if row.void_at:
        return "Void"
    return "Accepted" if row.is_accepted else "Not accepted"


def _listed(label: str, texts: Iterable[str]) -> str:
    found = ", ".join(texts)
    return f"{label}: {found}" if found else ""
