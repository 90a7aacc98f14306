"""Mark items as done, in one transaction with cost, mileage, papers and the next item."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from app import dates, names
from app.accounts.history import SYSTEM, lost_race
from app.attachments.services import PreparedFile, add_attachments
from app.audit.rules import Event
from app.audit.services import record
from app.db import db
from app.defects.services.defects import DefectReport, open_defect
from app.due.models import DueDone, DueItem, DuePlan
from app.due.queries import due as due_queries
from app.due.rules import fields
from app.due.rules.fields import KINDS, DoneResult, DueClosing, DueKind, in_sentence
from app.due.rules.next_due import NextDue, Proposed
from app.due.services import due as items
from app.errors import AlreadyUndone, Conflict, Invalid
from app.events.queries import events_of
from app.events.rules import EventKind
from app.fields import Choice, Day, Lines, Pounds, WholeNumber, attribute, values_of
from app.fleet.queries.vehicles import stored_plates
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Severity
from app.fleet.services.upkeep import record_change
from app.mileage.rules import ReadingSource
from app.mileage.services import record_reading, void_reading_of

SUBJECT = "due_done"
"""The subject kind of the attached papers."""


@dataclass(frozen=True)
class DoneValues:
    """The values of done work; `defects` are the lines of a test's failures or advisories."""

    done_on: date = attribute(Day(required="Day is required.", example="2026-01-15"))
    result: DoneResult = attribute(Choice(kind=DoneResult, default=DoneResult.PASS, example="pass"))
    done_miles: int | None = attribute(WholeNumber(label="Mileage", what="Mileage", example=48_210))
    next_due_on: date | Proposed | None = attribute(
        Day(days_ahead=fields.DAYS_AHEAD, example="2027-01-03")
    )
    next_due_miles: int | Proposed | None = attribute(
        WholeNumber(label="Next due at (miles)", what="Mileage", example=60_210)
    )
    certificate_number: str = attribute(fields.CERTIFICATE)
    garage: str = attribute(fields.DONE_BY)
    cost: int = attribute(Pounds(default=0, example=54.85))
    note: str = attribute(Lines(limit=fields.MAX_LINES, example="Pads at 4 mm"))
    defects: Sequence[str] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        """Remove blank and repeated lines of `defects`."""
        lines = names.merge_names(filter(None, map(str.strip, self.defects)))
        object.__setattr__(self, "defects", tuple(lines))


@dataclass(frozen=True)
class DoneChange:
    """The work done on an item; `next_due` is when it is due again, '' for never.

    `stays_closed` is why an undo doesn't open the item again, '' if it does.
    """

    done_id: int
    item_id: int
    label: str
    regs: str
    result: DoneResult
    next_item_id: int | None = None
    next_due: str = ""
    defects: Sequence[str] = ()
    has_doubtful_reading: bool = False
    stays_closed: str = ""


def mark_done(
    item_id: int, values: DoneValues, files: Sequence[PreparedFile] = (), *, revision: int, by: int
) -> DoneChange:
    """Keep the work done on an item with its papers, and open the next item.

    A failed test leaves the item open. Raises NotFound, Invalid, and Conflict that names who
    was faster and when.
    """
    item = items.lock_item(item_id)
    _check_turn(item, revision)
    proposed = due_queries.proposal(item, values.done_on, values.done_miles)
    has_failed = values.result is DoneResult.FAIL
    chosen = NextDue() if has_failed else proposed.chosen(values.next_due_on, values.next_due_miles)
    _check(item, values, chosen)
    kept = values.next_due_on
    if isinstance(kept, Proposed) and kept.day not in (None, proposed.on) and not has_failed:
        on = NextDue(proposed.on).text() or "no day"
        advice = "Save again, or enter the certificate's day."
        raise Invalid(f"For that day it is {on}: {proposed.reason} {advice}", "next_due_on")
    done = DueDone(
        **values_of(replace(values, next_due_on=chosen.on, next_due_miles=chosen.miles)),
        due_item_id=item.id,
        reg_key=item.reg_key,
        kind=item.kind,
        recorded_by=by,
        recorded_at=dates.utc_now(),
    )
    db.session.add(done)
    db.session.flush()
    if has_failed:
        item.snoozed_until, item.snooze_reason = None, ""
        item.revision += 1
    else:
        items.close_item(item, DueClosing.DONE, by=by)
    if chosen:
        regs, plan_id = items.vehicles_of(item), item.plan_id
        following = items.open_item(regs, item.kind, item.label, chosen, plan_id=plan_id, by=by)
        done.next_item_id = following.id
    add_attachments(SUBJECT, done.id, files, by=by)
    is_doubtful = False
    if done.done_miles is not None and item.reg_key is not None:
        day, source = done.done_on, ReadingSource.DUE
        reading = record_reading(
            item.reg, done.done_miles, day=day, source=source, source_id=done.id, by=by
        )
        is_doubtful = not reading.is_accepted
    references = _open_defects(item, done, values, by)
    db.session.flush()
    next_due = {"nextDueOn": chosen.on, "nextDueMiles": chosen.miles}
    after = {"result": values.result, "doneOn": values.done_on, **next_due}
    record_change(EventKind.DUE_DONE, items.SUBJECT, item.id, after=after, by=by)
    return _change(
        done,
        item,
        next_item_id=done.next_item_id,
        next_due=chosen.text(either=" or at "),
        defects=references,
        has_doubtful_reading=is_doubtful,
    )


def undo_done(done_id: int, *, by: int) -> DoneChange:
    """Undo done work: its item is open again, and the next one withdrawn.

    Its reading is void, its defects stay. A failed test never closed its item, which stays
    unchanged. An item whose vehicles left the lists, or whose plan was withdrawn, stays closed.
    Raises NotFound, AlreadyUndone, and Conflict when the next item was changed or done
    meanwhile, or the vehicle has another open item of the plan or kind.
    """
    done = due_queries.get_done(done_id)
    item = items.lock_item(done.due_item_id)
    db.session.refresh(done)
    if done.undone_at is not None:
        raise AlreadyUndone
    following = items.lock_item(done.next_item_id) if done.next_item_id else None
    if following and (following.closed_at is not None or following.revision):
        raise Conflict(
            f"What follows was changed since: {in_sentence(item.label)} of "
            f"{following.due.text(either=' or at ')}. Nothing was changed."
        )
    if following:
        items.close_item(following, DueClosing.WITHDRAWN, by=by)
    done.undone_by, done.undone_at = by, dates.utc_now()
    stays_closed = "" if done.result is DoneResult.FAIL else _reopen(item, by)
    item.revision += 1
    db.session.flush()
    void_reading_of(ReadingSource.DUE, done.id, reason="What was done was undone", by=by)
    record_change(EventKind.DUE_UNDONE, items.SUBJECT, item.id, after=items.described(item), by=by)
    record(Event.UNDO, f"done {done.id} of due item {item.id}", by=by)
    return _change(done, item, stays_closed=stays_closed)


def _change(done: DueDone, item: DueItem, **values: Any) -> DoneChange:
    regs = items.change_of(item).regs
    return DoneChange(done.id, item.id, item.label, regs, done.result, **values)


def _check_turn(item: DueItem, revision: int) -> None:
    items.check_open(item)
    if item.revision == revision:
        return
    last = events_of(items.SUBJECT, [item.id])[-1]
    is_done = last.kind == EventKind.DUE_DONE
    done = f"recorded a {(last.after or {})['result']}" if is_done else "changed this item"
    raise Conflict(lost_race(last.actor_id, done, last.at, unnamed=SYSTEM))


def _check(item: DueItem, values: DoneValues, following: NextDue) -> None:
    if values.result is not DoneResult.PASS and not KINDS[item.kind].is_tested:
        raise Invalid(f"{item.label} can't be failed.", "result")
    if values.result is not DoneResult.PASS and item.reg_key is None:
        raise Invalid("What several vehicles share can't be failed.", "result")
    if values.result is DoneResult.ADVISORIES and not values.defects:
        raise Invalid("Enter the advisories, one a line.", "defects")
    if values.result is DoneResult.FAIL and not values.defects:
        raise Invalid("Say what failed.", "defects")
    if values.result is DoneResult.PASS and values.defects:
        raise Invalid("Choose Advisories or Fail, or remove the lines.", "result")
    if following.on is not None and following.on <= values.done_on:
        raise Invalid("Next due on must be after Done on.", "next_due_on")
    if following.miles is None:
        return
    if item.reg_key is None:
        raise Invalid("What several vehicles share is due on a day.", "next_due_miles")
    fields.check_miles(item.kind, following.miles, "next_due_miles")
    run = due_queries.miles_when_done(item, values.done_on, values.done_miles)
    if run is not None and following.miles <= run:
        raise Invalid(f"The next mileage must be more than {run:,}.", "next_due_miles")


def _reopen(item: DueItem, by: int) -> str:
    """Open an item again for its listed vehicles; return why it stays closed, '' if not."""
    vehicles = items.vehicles_of(item)
    listed = stored_plates(vehicles)
    plan = db.session.get(DuePlan, item.plan_id) if item.plan_id else None
    if not listed:
        items.close_item(item, DueClosing.VEHICLE_LEFT, by=by)
        return "its vehicle is in no list any more"
    if plan and not plan.is_active:
        items.close_item(item, DueClosing.WITHDRAWN, by=by)
        return "its plan was withdrawn"
    remaining = {key: reg for key, reg in vehicles.items() if key in listed}
    items.check_single(item.kind, remaining, plan_id=item.plan_id)
    item.closing = item.closed_by = item.closed_at = None
    if item.reg_key is None:
        items.share_item(item, remaining)
    return ""


def _open_defects(item: DueItem, done: DueDone, values: DoneValues, by: int) -> Sequence[str]:
    if values.result is DoneResult.PASS:
        return ()
    if values.result is DoneResult.FAIL:
        stop = item.kind is DueKind.MOT
        severity = Severity.STOP if stop else Severity.REPAIR
        lines = [(f"{item.label} failed", "\n".join(values.defects))]
    else:
        severity = Severity.ADVISORY
        lines = [(line, f"Advisory of the {in_sentence(item.label)}") for line in values.defects]
    opened = []
    for line, detail in lines:
        title = names.truncate(line, MAX_TITLE_LENGTH - 1)
        report = DefectReport(
            reg=item.reg,
            title=title,
            part=title,
            severity=severity,
            day=values.done_on,
            detail=detail if title == line else f"{line}\n{detail}",
            odometer=values.done_miles,
        )
        opened.append(open_defect(report, by=by))
    done.defect_id = opened[0].id
    return [defect.reference for defect in opened]
