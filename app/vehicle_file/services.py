"""Connects upkeep with fleet and accounts below it, and removes records after their retention."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import delete, update

from app.accounts.services.users import account_disabled
from app.attachments.models import Attachment
from app.audit.rules import Event
from app.audit.services import record
from app.bookings.models import Booking
from app.bookings.queries.bookings import vehicle_bookings, why_no_step
from app.bookings.queries.calendar import CALENDARS
from app.bookings.services.placing import bookings_changed
from app.db import db
from app.defects import models as defects
from app.defects.models import Defect, OffRoad, Repair
from app.defects.queries.defects import open_defects
from app.defects.queries.off_road import (
    OBJECTING,
    is_off_road,
    off_road_since,
    standings,
    was_off_road,
)
from app.defects.services import decisions, off_road, reports
from app.defects.services.repairs import refuse_undo_of_parts
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.due.queries import calendar as due_calendar
from app.due.queries.due import due_notices, objections
from app.due.services import due
from app.events.rules import EventKind
from app.events.services import ChangedSubject
from app.fleet.queries.vehicles import lock_records
from app.fleet.services.checks import remove_checks
from app.fleet.services.upkeep import Upkeep, check_submitted, record_changes, vehicles_left
from app.lists import batches, grouped
from app.mileage import queries as readings
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.stock.services.movements import undo_requested
from app.vehicle_file.queries.retention import removable_rows
from app.vehicle_file.rules import Kept

check_submitted.connect(reports.check_submitted)
for closing in (decisions, off_road, due):
    vehicles_left.connect(closing.close_for_vehicles_left)
account_disabled.connect(due.end_for_disabled)
undo_requested.connect(refuse_undo_of_parts)
OBJECTING.append(objections)
due_calendar.CALENDARS.update(CALENDARS)

UPKEEP = Upkeep(
    check_answers=reports.check_answers,
    open_defects=open_defects,
    due_notices=due_notices,
    last_readings=readings.current_mileages,
    reading_before=readings.reading_before,
    is_odometer_unused=partial(readings.is_unused, ReadingSource.CHECK),
    standings=standings,
    off_road_since=off_road_since,
    is_off_road=is_off_road,
    was_off_road=was_off_road,
    bookings=vehicle_bookings,
    why_no_step=why_no_step,
)

_SUBJECTS = {Kept.DEFECT: "defect", Kept.REPAIR: "repair", Kept.DONE: "due_done"}
"""The subject kinds of rows with attachments."""

_STEPS: Sequence[tuple[Kept, Any]] = (
    (Kept.REPAIR, defects.RepairPart.repair_id),
    (Kept.REPAIR, defects.RepairedDefect.repair_id),
    (Kept.DEFECT, defects.DefectNote.defect_id),
    (Kept.DEFECT, defects.DefectSighting.defect_id),
    (Kept.READING, OdometerReading.id),
    (Kept.OFF_ROAD, OffRoad.id),
    (Kept.DONE, DueDone.id),
    (Kept.ITEM, DueItemVehicle.due_item_id),
    (Kept.ITEM, DueItem.id),
    (Kept.BOOKING, Booking.id),
)
"""The columns by which rows are deleted, in the order that their foreign keys allow."""


def prune(reg_key: str | None, before: date) -> Counter[Kept]:
    """Remove a vehicle's records that ended before a day, and return the number of each kind.

    None stands for shared items and bookings of equipment. Open cases stay whole. The audit trail
    notes the removal; the sweep removes photos and documents.
    """
    if reg_key is not None:
        lock_records([reg_key])
    ids = grouped(sorted(removable_rows(reg_key, before)))
    removed = Counter({kind: len(found) for kind, found in ids.items()})
    if removed:
        _remove(ids)
        if removed[Kept.BOOKING]:
            bookings_changed()
        counts = {kind.name.lower(): number for kind, number in sorted(removed.items())}
        after: dict[str, Any] = {"before": before.isoformat(), **counts}
        record(Event.PRUNE, reg_key or "shared items", **after)
        change = ChangedSubject(reg_key or "shared", after=after)
        record_changes(EventKind.RECORDS_PRUNED, "vehicle", [change], by=None)
    return removed


def _remove(ids: Mapping[Kept, Sequence[int]]) -> None:
    for kind, subject in _SUBJECTS.items():
        _delete(Attachment.subject_id, ids[kind], Attachment.subject_kind == subject)
    for kind, column in _STEPS:
        _delete(column, ids[kind])
    # A reversal's amounts are negative, so it can't remain without its repair.
    for is_reversal in (Repair.reverses_id.is_not(None), Repair.reverses_id.is_(None)):
        _delete(Repair.id, ids[Kept.REPAIR], is_reversal)
    nothing = {"repeat_of_id": None, "duplicate_of_id": None}
    for some in batches(ids[Kept.DEFECT]):
        db.session.execute(update(Defect).where(Defect.id.in_(some)).values(nothing))
    _delete(Defect.id, ids[Kept.DEFECT])
    remove_checks(ids[Kept.CHECK])


def _delete(column: Any, ids: Sequence[int], *conditions: Any) -> None:
    for some in batches(ids):
        db.session.execute(delete(column.class_).where(column.in_(some), *conditions))
