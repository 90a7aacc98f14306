"""Due items in a vehicle's record: done, changed, withdrawn, and overdue."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, cast, func, null, select
from sqlalchemy.orm import aliased

from app.defects.models import Defect
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.due.queries import due
from app.due.rules.fields import KINDS, DoneResult, DueClosing
from app.due.rules.next_due import NextDue, due_in_event
from app.events.rules import EventKind
from app.mileage.rules import ReadingSource
from app.vehicle_file.queries.cost_sources import share_of_cost
from app.vehicle_file.queries.reader import (
    RecordFilters,
    RecordReader,
    RecordSource,
    Statement,
    Values,
    defect_number,
    entry,
    mileage_doubt,
    of_events,
    on_day,
    waiting_doubt,
)
from app.vehicle_file.rules import Amounts, RecordEntry, RecordKind, place, sentences

RESULTS = {
    DoneResult.PASS: "Passed",
    DoneResult.FAIL: "Failed",
    DoneResult.ADVISORIES: "Passed with advisories",
}

_of_work = partial(
    RecordSource, when=DueDone.done_on, by=DueDone.recorded_by, recorded_at=DueDone.recorded_at
)

# Windows would let SQLite read the vehicles of all items.
_OTHER = aliased(DueItemVehicle)

_SHARING = select(func.count()).where(_OTHER.due_item_id == DueItem.id)

_SHARE = share_of_cost(
    _SHARING.scalar_subquery(),
    _SHARING.where(_OTHER.reg_key <= DueItemVehicle.reg_key).scalar_subquery(),
)


def _work(reg: Any, reg_key: Any, share: Any, doubt: ColumnElement[Any]) -> Statement:
    return (
        select(
            reg,
            reg_key,
            *(each for each in DueDone.__table__.columns if each.key != "reg_key"),
            share.label("share"),
            doubt.label("waiting_doubt"),
            DueItem.label,
            DueItem.due_on,
            DueItem.due_miles,
            Defect.number.label("defect"),
            Defect.day.label("defect_day"),
            Defect.title.label("defect_title"),
            Defect.detail.label("defect_detail"),
        )
        .select_from(DueDone)
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .outerjoin(Defect, Defect.id == DueDone.defect_id)
    )


def _done(row: Any, reader: RecordReader) -> Values:
    undone, due_again = "", _due_text("Due again", NextDue(row.next_due_on, row.next_due_miles))
    if row.undone_at:
        who = reader.who(row.undone_by) or "the terminal"
        undone, due_again = f"Taken back by {who}{on_day(row.undone_at)}", ""
    # A failed test leaves its item open, which may be due on another day by now.
    was_due = NextDue() if row.result is DoneResult.FAIL else NextDue(row.due_on, row.due_miles)
    is_tested = KINDS[row.kind].is_tested or row.result is not DoneResult.PASS
    return entry(
        RecordKind.DONE,
        row.label,
        "Taken back" if undone else RESULTS[row.result] if is_tested else "Done",
        _due_text("Was due", was_due),
        _found(row),
        f"Certificate {row.certificate_number}" if row.certificate_number else "",
        f"At {row.garage}" if row.garage else "",
        due_again,
        row.note,
        mileage_doubt(row),
        undone,
        amounts=Amounts(other=row.share) if row.share and not undone else None,
        miles=row.done_miles,
        name=row.garage,
    )


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


def _changed(row: Any, _: RecordReader) -> Values | None:
    """Return the change of an item by its event, None if its day and mileage stayed."""
    closing = (row.after or {}).get("closing")
    before, after = due_in_event(row.before), due_in_event(row.after)
    texts = [_due_text("Was due", before), _due_text("Now due", after)]
    if closing == DueClosing.WITHDRAWN:
        texts = [_due_text("Was due", NextDue(row.due_on, row.due_miles))]
    elif closing or before == after:
        return None
    outcome = "Withdrawn" if closing else "Changed"
    return entry(RecordKind.DUE_CHANGED, row.label, outcome, *texts)


_DUE = select(DueItem.label, DueItem.due_on, DueItem.due_miles).select_from(DueItem)

_DOUBT = waiting_doubt(ReadingSource.DUE, DueDone.id)

SOURCES = (
    _of_work(
        _work(DueItem.reg, DueDone.reg_key, DueDone.cost, _DOUBT).where(
            DueDone.reg_key.is_not(None)
        )
    )(_done),
    _of_work(
        _work(DueItemVehicle.reg, DueItemVehicle.reg_key, _SHARE, cast(null(), _DOUBT.type))
        .join(DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id)
        .where(DueDone.reg_key.is_(None)),
        key=DueItemVehicle.reg_key,
    )(_done),
    *(
        of_events(*each, DueItem.__tablename__, EventKind.DUE_CHANGED, EventKind.DUE_CLOSED)(
            _changed
        )
        for each in due.of_vehicles(_DUE)
    ),
)


def overdue(filters: RecordFilters) -> Sequence[RecordEntry]:
    """Return the overdue items, shared ones for each of their vehicles."""
    of, today = filters.reg_key, filters.end
    rows = due.items_of([of], today) if of else due.open_items(today)
    entries: list[RecordEntry] = []
    for row in (each for each in rows if each.standing.is_overdue):
        verb = "Ran out" if KINDS[row.terms.kind].runs_out else "Was due"
        ended = _due_text(verb, NextDue(row.standing.ended_on))
        entry_of = partial(
            RecordEntry,
            day=row.standing.ended_on or today,
            kind=RecordKind.OPEN,
            title=row.terms.label,
            outcome="Overdue",
            detail=sentences(ended, row.standing.reason),
        )
        entries += [
            entry_of(reg=reg, reg_key=key)
            for key, reg in row.vehicles.items()
            if of in ("", key) and key >= filters.first_key
        ]
    return sorted(entries, key=place)


def _due_text(what: str, at: NextDue) -> str:
    """Return when something is due, such as 'Was due on 3 Mar 2026 or at 60,000 miles'."""
    return f"{what} {at.text('on ', 'at ')}" if at else ""
