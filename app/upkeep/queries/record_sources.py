"""The repairs, times off the road and readings of a vehicle's record.

Each function yields its entries by vehicle and day, from as many statements however many there are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select, text
from sqlalchemy.orm import aliased

from app import dates
from app.money import format_number
from app.reference_numbers import Series
from app.upkeep.models.defects import Defect, OffRoad, Repair, RepairedDefect, RepairPart
from app.upkeep.models.readings import APART, OdometerReading
from app.upkeep.queries.record_reader import (
    RecordReader,
    defect_reference,
    mileage_doubt,
    on_day,
    repair_reference,
    waiting_doubt,
)
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.record import Amounts, RecordEntry, RecordKind, sentences

_TIMES_OFF = select(*OffRoad.__table__.columns, Defect.number).outerjoin(
    Defect, Defect.id == OffRoad.defect_id
)


def repairs(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the repairs and their reversals, with their parts and defects."""
    reversal, original = aliased(Repair), aliased(Repair)
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
    )
    parts = _by_repair(
        reader,
        select(Repair.id, RepairPart.name, RepairPart.quantity, RepairPart.pence).join(
            RepairPart, RepairPart.repair_id == Repair.id
        ),
        RepairPart.position,
    )
    mended = _by_repair(
        reader,
        select(Repair.id, Defect.number)
        .join(RepairedDefect, RepairedDefect.repair_id == Repair.id)
        .join(Defect, Defect.id == RepairedDefect.defect_id),
        Defect.number,
    )
    for row, entry in reader.happened(
        statement,
        Repair.finished_on,
        by=Repair.recorded_by,
        series=Series.REPAIR,
        recorded_at=Repair.recorded_at,
    ):
        taken, defects = parts(row.id), mended(row.id)
        yield entry(
            kind=RecordKind.REPAIR,
            title=row.garage or "Repair",
            outcome=_repair_outcome(row),
            detail=sentences(
                _listed("Mended", (defect_reference(each.number) for each in defects)),
                _listed(
                    "From stock",
                    (f"{format_number(each.quantity)} × {each.name}" for each in taken),
                ),
                f"Invoice {row.invoice_number}" if row.invoice_number else "",
                _warranty(row),
                row.note,
                mileage_doubt(row),
            ),
            miles=row.odometer,
            amounts=Amounts(
                labour=row.labour,
                parts=row.parts,
                other=row.other,
                stock=sum(each.pence for each in taken),
            ),
        )


def off_road(
    reader: RecordReader, statement: Select[*tuple[Any, ...]] = _TIMES_OFF
) -> Iterator[RecordEntry]:
    """Yield the times off the road that any of the days is in."""
    for row, entry in reader.happened(
        statement, OffRoad.since, by=OffRoad.opened_by, series=Series.DEFECT, ended=OffRoad.until
    ):
        back = (
            f"Expected back on {dates.format_day(row.expected_back)}" if row.expected_back else ""
        )
        yield entry(
            kind=RecordKind.OFF_ROAD,
            title=row.reason.label,
            outcome="Not back yet" if row.until is None else "Ended",
            detail=sentences(*row.detail.splitlines(), back),
        )


def off_road_now(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the current times off the road, as open today."""
    for entry in off_road(reader, _TIMES_OFF.where(OffRoad.until.is_(None))):
        title = f"Off the road: {entry.title}"
        yield replace(entry, kind=RecordKind.OPEN, at=None, title=title)


def returns(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the ends of times off the road, with their objections."""
    for row, entry in reader.happened(
        select(*OffRoad.__table__.columns), OffRoad.until, by=OffRoad.closed_by
    ):
        against = "; ".join(row.objections.splitlines())
        yield entry(
            kind=RecordKind.RETURN,
            title=row.reason.label,
            outcome="Overridden" if row.override_reason else "Signed off",
            detail=sentences(
                row.note,
                f"Put back all the same: {row.override_reason}" if row.override_reason else "",
                f"Stood against it: {against}" if against else "",
            ),
            who=row.signed_as or reader.who(row.closed_by),
        )


def readings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the odometer readings except plain ones of checks, whose entries have them."""
    for row, entry in reader.happened(
        select(*OdometerReading.__table__.columns).where(text(f"({APART})")),
        OdometerReading.day,
        by=OdometerReading.recorded_by,
        recorded_at=OdometerReading.recorded_at,
    ):
        void = f"Void by {reader.who(row.void_by)}{on_day(row.void_at)}" if row.void_at else ""
        is_used = "Accepted" if row.is_accepted else "Not accepted"
        yield entry(
            kind=RecordKind.READING,
            title=row.source.label,
            outcome="Void" if void else is_used,
            detail=sentences(
                f"Doubtful: {row.doubt.label}" if row.doubt else "",
                f"Accepted by {reader.who(row.accepted_by)}" if row.accepted_at else "",
                f"{void}: {row.void_reason}" if void else "",
            ),
            miles=row.miles,
        )


SOURCES = (off_road_now, repairs, off_road, returns, readings)


def _by_repair(
    reader: RecordReader, statement: Select[*tuple[Any, ...]], order: Any
) -> Callable[[int], Sequence[Any]]:
    """Return a function that returns the rows of each repair, for repairs in the same order."""
    rows = reader.rows(reader.selected(statement, Repair.finished_on).order_by(order))
    groups = groupby(rows, key=lambda row: row.id)
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
        return f"Takes {repair_reference(row.reverses)} back{on_day(row.recorded_at)}"
    if row.reversed_by is None:
        return ""
    return f"Taken back by {repair_reference(row.reversed_by)}{on_day(row.reversed_at)}"


def _warranty(row: Any) -> str:
    until = f"until {dates.format_day(row.warranty_until)}" if row.warranty_until else ""
    miles = f"until {format_number(row.warranty_miles)} miles" if row.warranty_miles else ""
    return f"Warranty {' and '.join(filter(None, (until, miles)))}" if until or miles else ""


def _listed(label: str, texts: Iterable[str]) -> str:
    found = ", ".join(texts)
    return f"{label}: {found}" if found else ""
