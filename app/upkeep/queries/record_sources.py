"""The repairs, times off the road and readings of a vehicle's record.

Each function yields its entries by vehicle and day, from as many statements however many there are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select, text
from sqlalchemy.orm import aliased

from app import dates
from app.money import format_number
from app.upkeep.models.defects import Defect
from app.upkeep.models.off_road import OffRoad
from app.upkeep.models.readings import APART, OdometerReading
from app.upkeep.models.repairs import Repair, RepairedDefect, RepairPart
from app.upkeep.queries.record_reader import (
    DOUBTS,
    RecordReader,
    at,
    defect_reference,
    mileage_doubt,
    of_row,
    on_day,
    repair_reference,
    waiting_doubt,
)
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.off_road import REASON_LABELS
from app.upkeep.rules.record import Amounts, RecordEntry, RecordKind, sentences

SOURCE_LABELS = {
    ReadingSource.CHECK: "Read at a check",
    ReadingSource.REPAIR: "Read at a repair",
    ReadingSource.DUE: "Read when an item was done",
    ReadingSource.BY_HAND: "Entered by hand",
    ReadingSource.IMPORT: "Imported",
}


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
            reversal.recorded_at.label("reversed_at"),
            original.number.label("reverses"),
            waiting_doubt(ReadingSource.REPAIR, Repair.id),
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
            **on_day(row.finished_on, row.recorded_at),
            kind=RecordKind.REPAIR,
            reference=repair_reference(row.number),
            title=row.garage or "Repair",
            outcome=_repair_outcome(row),
            detail=sentences(
                _listed("Mended", (defect_reference(each.number) for each in defect_rows)),
                _listed(
                    "From stock",
                    (f"{format_number(each.quantity)} × {each.name}" for each in taken),
                ),
                f"Invoice {row.invoice_number}" if row.invoice_number else "",
                _warranty(row),
                row.note,
                mileage_doubt(row),
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
            **on_day(row.day, row.recorded_at),
            kind=RecordKind.READING,
            title=SOURCE_LABELS[row.source],
            outcome=_reading_outcome(row),
            detail=sentences(
                f"Doubtful: {DOUBTS[row.doubt]}" if row.doubt else "",
                f"Accepted by {reader.who(row.accepted_by)}" if row.accepted_at else "",
                _void(reader, row) if row.void_at else "",
            ),
            who=reader.who(row.recorded_by),
            miles=row.miles,
        )


SOURCES = (
    repairs,
    off_road,
    returns,
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
        on = dates.format_day(dates.london_day(row.recorded_at))
        return f"Takes {repair_reference(row.reverses)} back on {on}"
    if row.reversed_by is None:
        return ""
    on = dates.format_day(dates.london_day(row.reversed_at))
    return f"Taken back by {repair_reference(row.reversed_by)} on {on}"


def _part(row: Any) -> str:
    return f"{format_number(row.quantity)} × {row.name}"


def _warranty(row: Any) -> str:
    until = f"until {dates.format_day(row.warranty_until)}" if row.warranty_until else ""
    miles = f"until {format_number(row.warranty_miles)} miles" if row.warranty_miles else ""
    return f"Warranty {' and '.join(filter(None, (until, miles)))}" if until or miles else ""


def _void(reader: RecordReader, row: Any) -> str:
    on = dates.format_day(dates.london_day(row.void_at))
    return f"Void by {reader.who(row.void_by)} on {on}: {row.void_reason}"


def _reading_outcome(row: Any) -> str:
    if row.void_at:
        return "Void"
    return "Accepted" if row.is_accepted else "Not accepted"


def _listed(label: str, texts: Iterable[str]) -> str:
    found = ", ".join(texts)
    return f"{label}: {found}" if found else ""
