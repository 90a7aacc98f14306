"""Due items in a vehicle's record: done, changed, and withdrawn."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import String, and_, cast, func, null, select
from sqlalchemy.orm import aliased

from app import dates
from app.defects.models import Defect
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.due.queries import due
from app.due.rules.due import Terms
from app.due.rules.fields import KINDS, DoneResult, DueClosing
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.mileage.rules import ReadingSource
from app.money import format_number
from app.vehicle_file.queries.cost_sources import share_of_cost
from app.vehicle_file.queries.reader import (
    Entry,
    RecordFilters,
    RecordReader,
    RecordSource,
    Statement,
    defect_number,
    mileage_doubt,
    on_day,
    waiting_doubt,
)
from app.vehicle_file.rules.record import Amounts, RecordEntry, RecordKind, place, sentences

RESULTS = {
    DoneResult.PASS: "Passed",
    DoneResult.FAIL: "Failed",
    DoneResult.ADVISORIES: "Passed with advisories",
}

_of_work = partial(
    RecordSource, when=DueDone.done_on, by=DueDone.recorded_by, recorded_at=DueDone.recorded_at
)

_IS_CHANGE = and_(
    RecordedEvent.subject_kind == "due_item",
    RecordedEvent.subject_id == cast(DueItem.id, String),
    RecordedEvent.kind.in_([EventKind.DUE_CHANGED, EventKind.DUE_CLOSED]),
)

_CHANGES = (
    select(DueItem.label, DueItem.due_on, DueItem.due_miles)
    .add_columns(
        RecordedEvent.at, RecordedEvent.actor_id, RecordedEvent.before, RecordedEvent.after
    )
    .select_from(DueItem)
    .join(RecordedEvent, _IS_CHANGE)
)


@_of_work(
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
    .where(DueDone.reg_key.is_not(None))
)
def done(row: Any, entry: Entry) -> RecordEntry:
    """Return done work, undone or not."""
    return _done(row, entry, row.cost, _found(row))


# Windows would let SQLite read the vehicles of all items.
_OTHER = aliased(DueItemVehicle)

_SHARING = select(func.count()).where(_OTHER.due_item_id == DueItem.id)


@_of_work(
    select(
        DueItemVehicle.reg,
        DueItemVehicle.reg_key,
        *(each for each in DueDone.__table__.columns if each.key != "reg_key"),
        DueItem.label,
        DueItem.due_on,
        DueItem.due_miles,
        share_of_cost(
            _SHARING.scalar_subquery(),
            _SHARING.where(_OTHER.reg_key <= DueItemVehicle.reg_key).scalar_subquery(),
        ).label("share"),
        null().label("waiting_doubt"),
    )
    .join(DueItem, DueItem.id == DueDone.due_item_id)
    .join(DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id)
    .where(DueDone.reg_key.is_(None)),
    key=DueItemVehicle.reg_key,
)
def shared_done(row: Any, entry: Entry) -> RecordEntry:
    """Return work done on a shared item for one of its vehicles, with its share of the cost."""
    return _done(row, entry, row.share)


def _of_changes(statement: Statement, key: Any, item_id: Any) -> RecordSource:
    def restricted(reader: RecordReader) -> Statement:
        if not reader.filters.reg_key:
            return statement
        # By the join alone PostgreSQL would read the events of all items.
        ids = reader.rows(select(item_id).where(*reader.of_vehicle(key)))
        return statement.where(RecordedEvent.subject_id.in_([str(row[0]) for row in ids]))

    return RecordSource(restricted, RecordedEvent.at, key=key, by=RecordedEvent.actor_id)


def _changed(row: Any, entry: Entry) -> RecordEntry | None:
    """Return the change of an item by its event, None if its day and mileage stayed."""
    before, after = row.before or {}, row.after or {}
    if after.get("closing") == DueClosing.WITHDRAWN:
        detail = sentences(_due_text("Was due", row.due_on, row.due_miles))
        return entry(RecordKind.DUE_CHANGED, row.label, "Withdrawn", detail=detail)
    due = [(values.get("dueOn"), values.get("dueMiles")) for values in (before, after)]
    if after.get("closing") or due[0] == due[1]:
        return None
    texts = [
        _due_text(what, date.fromisoformat(on) if on else None, miles)
        for what, (on, miles) in zip(("Was due", "Now due"), due, strict=True)
    ]
    return entry(RecordKind.DUE_CHANGED, row.label, "Changed", detail=sentences(*texts))


changes = _of_changes(
    _CHANGES.add_columns(DueItem.reg, DueItem.reg_key).where(DueItem.reg_key.is_not(None)),
    DueItem.reg_key,
    DueItem.id,
)(_changed)
"""Yields the items that got another day or mileage, and the withdrawn ones."""

shared_changes = _of_changes(
    _CHANGES.add_columns(DueItemVehicle.reg, DueItemVehicle.reg_key).join(
        DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id
    ),
    DueItemVehicle.reg_key,
    DueItemVehicle.due_item_id,
)(_changed)
"""Yields the same of items that vehicles share, for each of them."""

SOURCES = (done, shared_done, changes, shared_changes)


def _found(row: Any) -> str:
    """Return a test's findings, with the number of the first defect that it opened."""
    if row.defect is None:
        return ""
    reference = str(defect_number(row.defect))
    if row.defect_day != row.done_on:
        return f"Seen again: {reference}"
    has_failed = row.result is DoneResult.FAIL
    what = "; ".join(row.defect_detail.splitlines()) if has_failed else row.defect_title
    return f"{'Failed on' if has_failed else 'First advisory'}: {what} ({reference})"


def overdue(filters: RecordFilters) -> Sequence[RecordEntry]:
    """Return the overdue items, shared ones for each of their vehicles."""
    today = filters.end
    rows = due.items_of([filters.reg_key], today) if filters.reg_key else due.open_items(today)
    entries = [
        RecordEntry(
            reg=reg,
            reg_key=key,
            day=_due_day(row.terms, today) or today,
            kind=RecordKind.OPEN,
            title=row.terms.label,
            outcome="Overdue",
            detail=sentences(_ran_out(row.terms, today), row.standing.reason),
        )
        for row in rows
        if row.standing.is_overdue
        for key, reg in row.vehicles.items()
        if (not filters.reg_key or key == filters.reg_key) and key >= filters.first_key
    ]
    return sorted(entries, key=place)


def _due_day(terms: Terms, today: date) -> date | None:
    """Return the day on which an item was due, None if only its miles make it overdue."""
    return terms.due_on if terms.due_on and terms.due_on < today else None


def _ran_out(terms: Terms, today: date) -> str:
    what = "Ran out" if KINDS[terms.kind].runs_out else "Was due"
    return _due_text(what, _due_day(terms, today), None)


def _done(row: Any, entry: Entry, cost: int | None, found: str = "") -> RecordEntry:
    # A failed test leaves its item open, which may be due on another day by now.
    has_closed = row.result is not DoneResult.FAIL
    undone, due_again = "", _due_text("Due again", row.next_due_on, row.next_due_miles)
    if row.undone_at:
        who = entry.reader.who(row.undone_by) or "the terminal"
        undone, due_again = f"Taken back by {who}{on_day(row.undone_at)}", ""
    is_tested = KINDS[row.kind].is_tested or row.result is not DoneResult.PASS
    return entry(
        RecordKind.DONE,
        row.label,
        "Taken back" if undone else RESULTS[row.result] if is_tested else "Done",
        amounts=Amounts(other=cost) if cost and not undone else None,
        detail=sentences(
            _due_text("Was due", row.due_on, row.due_miles) if has_closed else "",
            found,
            f"Certificate {row.certificate_number}" if row.certificate_number else "",
            f"At {row.garage}" if row.garage else "",
            due_again,
            row.note,
            mileage_doubt(row),
            undone,
        ),
        miles=row.done_miles,
    )


def _due_text(what: str, on: date | None, miles: int | None) -> str:
    """Return when something is due, such as 'Was due on 3 Mar 2026 or at 60,000 miles'."""
    texts = (
        f"on {dates.format_day(on)}" if on else "",
        f"at {format_number(miles)} miles" if miles is not None else "",
    )
    found = " or ".join(filter(None, texts))
    return f"{what} {found}" if found else ""
