"""What was done of what is due, in a vehicle's record.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, null, select
from sqlalchemy.orm import aliased

from app import dates
from app.money import format_number
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.queries.cost_sources import share_of_cost
from app.upkeep.queries.record_reader import (
    RecordReader,
    defect_reference,
    mileage_doubt,
    of_row,
    on_day,
    waiting_doubt,
)
from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.kinds import DoneResult, ReadingSource
from app.upkeep.rules.record import Amounts, RecordEntry, RecordKind, sentences

RESULTS = {
    DoneResult.PASS: "Passed",
    DoneResult.FAIL: "Failed",
    DoneResult.ADVISORIES: "Passed with advisories",
}


def done(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield what was done of what is due, taken back or not."""
    statement = (
        select(
            DueItem.reg,
            *DueDone.__table__.columns,
            DueItem.label,
            Defect.number.label("defect"),
            Defect.day.label("defect_day"),
            Defect.title.label("defect_title"),
            Defect.detail.label("defect_detail"),
            waiting_doubt(ReadingSource.DUE, DueDone.id),
        )
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .outerjoin(Defect, Defect.id == DueDone.defect_id)
        .where(
            *(reader.of_vehicle(DueDone.reg_key) or [DueDone.reg_key.is_not(None)]),
            DueDone.done_on.between(reader.filters.start, reader.filters.end),
        )
        .order_by(DueDone.reg_key, DueDone.done_on, DueDone.id)
    )
    for row in reader.rows(statement):
        values = _done_values(reader, row, row.cost, _found(row))
        yield RecordEntry(**values, **of_row(row))


def shared_done(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield what was done of items that vehicles share, with its share of the cost, for each."""
    # Windows would let SQLite read the vehicles of all items.
    other = aliased(DueItemVehicle)
    sharing = select(func.count()).where(other.due_item_id == DueItem.id)
    statement = (
        select(
            DueItemVehicle.reg,
            DueItemVehicle.reg_key.label("vehicle_key"),
            *DueDone.__table__.columns,
            DueItem.label,
            share_of_cost(
                sharing.scalar_subquery(),
                sharing.where(other.reg_key <= DueItemVehicle.reg_key).scalar_subquery(),
            ).label("share"),
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
        values = _done_values(reader, row, row.share)
        yield RecordEntry(**values, reg=row.reg, reg_key=row.vehicle_key)


SOURCES = (done, shared_done)


def _found(row: Any) -> str:
    """Return what a test found, with the number of the first defect that it opened."""
    if row.defect is None:
        return ""
    reference = defect_reference(row.defect)
    if row.defect_day != row.done_on:
        return f"Seen again: {reference}"
    has_failed = row.result is DoneResult.FAIL
    what = "; ".join(row.defect_detail.splitlines()) if has_failed else row.defect_title
    return f"{'Failed on' if has_failed else 'First advisory'}: {what} ({reference})"


def _done_values(
    reader: RecordReader, row: Any, cost: int | None, found: str = ""
) -> dict[str, Any]:
    """Return the values of an entry for what was done, without its vehicle."""
    return {
        **on_day(row.done_on, row.recorded_at),
        "kind": RecordKind.DONE,
        "title": row.label,
        "outcome": _done_outcome(row),
        "amounts": Amounts(other=cost) if cost else None,
        "detail": sentences(
            found,
            f"Certificate {row.certificate_number}" if row.certificate_number else "",
            f"At {row.garage}" if row.garage else "",
            f"Due again on {dates.format_day(row.next_due_on)}" if row.next_due_on else "",
            f"Due again at {format_number(row.next_due_miles)} miles" if row.next_due_miles else "",
            row.note,
            mileage_doubt(row),
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
