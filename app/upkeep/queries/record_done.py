"""What was due in a vehicle's record: what was done of it, changed, and withdrawn.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

from sqlalchemy import Select, String, and_, cast, func, null, select
from sqlalchemy.orm import aliased

from app import dates
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.money import format_number
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.queries.cost_sources import share_of_cost
from app.upkeep.queries.record_reader import (
    RecordReader,
    at,
    defect_reference,
    mileage_doubt,
    of_row,
    on_day,
    waiting_doubt,
)
from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.kinds import DoneResult, DueClosing, ReadingSource
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
            DueItem.due_on,
            DueItem.due_miles,
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
            DueItem.due_on,
            DueItem.due_miles,
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


def changes(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield which items were given another day or mileage, and which were withdrawn."""
    statement = _changes(DueItem.reg, DueItem.reg_key).where(DueItem.reg_key.is_not(None))
    yield from _changed(reader, statement, DueItem.reg_key, DueItem.id)


def shared_changes(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the same of items that vehicles share, for each of them."""
    statement = _changes(DueItemVehicle.reg, DueItemVehicle.reg_key).join(
        DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id
    )
    yield from _changed(reader, statement, DueItemVehicle.reg_key, DueItemVehicle.due_item_id)


SOURCES = (done, shared_done, changes, shared_changes)


def _changes(reg: Any, reg_key: Any) -> Select[*tuple[Any, ...]]:
    is_of = RecordedEvent.subject_id == cast(DueItem.id, String)
    columns = (RecordedEvent.at, RecordedEvent.actor_id, RecordedEvent.before, RecordedEvent.after)
    item = (DueItem.label, DueItem.due_on, DueItem.due_miles)
    return (
        select(reg, reg_key, *item, *columns)
        .select_from(DueItem)
        .join(RecordedEvent, and_(RecordedEvent.subject_kind == "due_item", is_of))
        .where(RecordedEvent.kind.in_([EventKind.DUE_CHANGED, EventKind.DUE_CLOSED]))
    )


def _changed(
    reader: RecordReader, statement: Select[*tuple[Any, ...]], key: Any, item_id: Any
) -> Iterator[RecordEntry]:
    of_vehicle = reader.of_vehicle(key)
    statement = statement.where(*of_vehicle, reader.within(RecordedEvent.at))
    if reader.filters.reg_key:
        # By the join alone PostgreSQL would read the events of all items.
        ids = [str(row[0]) for row in reader.rows(select(item_id).where(*of_vehicle))]
        statement = statement.where(RecordedEvent.subject_id.in_(ids))
    for row in reader.rows(statement.order_by(key, RecordedEvent.at, RecordedEvent.id)):
        change = _change_of(row)
        if change is None:
            continue
        outcome, detail = change
        yield RecordEntry(
            **of_row(row),
            **at(row.at),
            kind=RecordKind.DUE_CHANGED,
            title=row.label,
            outcome=outcome,
            detail=detail,
            who=reader.who(row.actor_id),
        )


def _change_of(row: Any) -> tuple[str, str] | None:
    """Return the outcome and detail of an item's event, None if it changed nothing of when."""
    before, after = row.before or {}, row.after or {}
    if after.get("closing") == DueClosing.WITHDRAWN:
        return "Withdrawn", sentences(_due_text("Was due", row.due_on, row.due_miles))
    due = [(values.get("dueOn"), values.get("dueMiles")) for values in (before, after)]
    if after.get("closing") or due[0] == due[1]:
        return None
    texts = [
        _due_text(what, date.fromisoformat(on) if on else None, miles)
        for what, (on, miles) in zip(("Was due", "Now due"), due, strict=True)
    ]
    return "Changed", sentences(*texts)


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
    # What failed leaves its item open, which may be due on another day by now.
    has_closed = row.result is not DoneResult.FAIL
    return {
        **on_day(row.done_on, row.recorded_at),
        "kind": RecordKind.DONE,
        "title": row.label,
        "outcome": _done_outcome(row),
        "amounts": Amounts(other=cost) if cost and not row.undone_at else None,
        "detail": sentences(
            _due_text("Was due", row.due_on, row.due_miles) if has_closed else "",
            found,
            f"Certificate {row.certificate_number}" if row.certificate_number else "",
            f"At {row.garage}" if row.garage else "",
            "" if row.undone_at else _due_text("Due again", row.next_due_on, row.next_due_miles),
            row.note,
            mileage_doubt(row),
            _undone(reader, row) if row.undone_at else "",
        ),
        "who": reader.who(row.recorded_by),
        "miles": row.done_miles,
    }


def _undone(reader: RecordReader, row: Any) -> str:
    on = dates.format_day(dates.london_day(row.undone_at))
    return f"Taken back by {reader.who(row.undone_by) or 'the terminal'} on {on}"


def _due_text(what: str, on: date | None, miles: int | None) -> str:
    """Return when something is due, such as 'Was due on 3 Mar 2026 or at 60,000 miles'."""
    texts = (
        f"on {dates.format_day(on)}" if on else "",
        f"at {format_number(miles)} miles" if miles is not None else "",
    )
    found = " or ".join(filter(None, texts))
    return f"{what} {found}" if found else ""


def _done_outcome(row: Any) -> str:
    if row.undone_at:
        return "Taken back"
    is_tested = KINDS[row.kind].is_tested or row.result is not DoneResult.PASS
    return RESULTS[row.result] if is_tested else "Done"
