"""Connects upkeep with fleet and accounts below it, and removes records after their retention."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, false, func, literal, or_, select, update

from app import dates
from app.accounts.services.users import account_disabled
from app.attachments.models import Attachment
from app.audit.rules import Event
from app.audit.services import record
from app.bookings.models import Booking
from app.bookings.queries.bookings import vehicle_bookings, why_no_step
from app.bookings.queries.calendar import CALENDARS
from app.bookings.rules import BookingKind, BookingState
from app.bookings.services.placing import bookings_changed
from app.db import db
from app.defects.models import (
    Defect,
    DefectNote,
    DefectSighting,
    OffRoad,
    Repair,
    RepairedDefect,
    RepairPart,
)
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
from app.fleet.models import IS_FLAGGED, Check
from app.fleet.queries.vehicles import lock_records
from app.fleet.services.checks import remove_checks
from app.fleet.services.upkeep import Upkeep, check_submitted, record_changes, vehicles_left
from app.lists import batches, grouped
from app.mileage import queries as readings
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.stock.services.movements import undo_requested
from app.vehicle_file.rules import Kept, Node, removable

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

_READ_AT = {
    ReadingSource.CHECK: Kept.CHECK,
    ReadingSource.REPAIR: Kept.REPAIR,
    ReadingSource.DUE: Kept.DONE,
}

_MODELS: Mapping[Kept, type[Any]] = {
    Kept.CHECK: Check,
    Kept.DEFECT: Defect,
    Kept.REPAIR: Repair,
    Kept.OFF_ROAD: OffRoad,
    Kept.ITEM: DueItem,
    Kept.DONE: DueDone,
    Kept.READING: OdometerReading,
    Kept.BOOKING: Booking,
}

_SOURCES: Sequence[tuple[Kept, Any]] = (
    (Kept.DEFECT, Defect.id),
    (Kept.DEFECT, DefectSighting.defect_id),
    (Kept.REPAIR, Repair.id),
    (Kept.REPAIR, RepairedDefect.repair_id),
    (Kept.OFF_ROAD, OffRoad.id),
    (Kept.DONE, DueDone.id),
    (Kept.BOOKING, Booking.id),
)
"""The columns by which rows refer to others, in their own tables and in tables of links."""

_LINKS: Sequence[tuple[Kept, Any]] = (
    (Kept.REPAIR, RepairPart.repair_id),
    (Kept.REPAIR, RepairedDefect.repair_id),
    (Kept.DEFECT, DefectNote.defect_id),
    (Kept.DEFECT, DefectSighting.defect_id),
    (Kept.ITEM, DueItemVehicle.due_item_id),
)
"""The columns by which rows of other tables go with their owners."""


def prune(reg_key: str | None, before: date) -> Counter[Kept]:
    """Remove old records of a vehicle, or of shared items and equipment, and count each kind."""
    if reg_key is not None:
        lock_records([reg_key])
    ids = grouped(sorted(_removable_rows(reg_key, before)))
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
    for kind in (Kept.DEFECT, Kept.REPAIR, Kept.DONE):
        is_of_kind = Attachment.subject_kind == _MODELS[kind].__tablename__
        _delete(Attachment.subject_id, ids[kind], is_of_kind)
    for kind, column in _LINKS:
        _delete(column, ids[kind])
    # In the order that their foreign keys allow.
    for kind in (Kept.READING, Kept.OFF_ROAD, Kept.DONE, Kept.ITEM, Kept.BOOKING):
        _delete(_MODELS[kind].id, ids[kind])
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


def _removable_rows(reg_key: str | None, before: date) -> Collection[Node]:
    """Return the rows that ended before a day, except those of open cases and what these need."""
    is_old: dict[Node, bool] = {}
    for kind, old in _ages(before):
        model = _MODELS[kind]
        statement = select(model.id, func.coalesce(old, literal(value=False)).label("old"))
        for row in db.session.execute(statement.where(_is_of(model, reg_key))):
            is_old[kind, row.id] = bool(row.old)
    newest = readings.current_mileage(reg_key) if reg_key else None
    if newest is not None:
        is_old[Kept.READING, newest.id] = False
    return removable(is_old, _references(reg_key))


def _ages(before: date) -> Iterator[tuple[Kept, ColumnElement[bool]]]:
    moment = dates.start_of_day(before)
    yield Kept.ITEM, DueItem.closed_at < moment
    yield Kept.DONE, and_(DueDone.done_on < before, DueDone.recorded_at < moment)
    waits = and_(IS_FLAGGED, Check.reviewed_at.is_(None))
    yield Kept.CHECK, and_(Check.day < before, ~waits)
    is_later = (DefectSighting.defect_id == Defect.id, DefectSighting.day >= before)
    later = select(DefectSighting.id).where(*is_later)
    yield Kept.DEFECT, and_(Defect.closed_at < moment, ~later.exists())
    is_over = or_(Repair.warranty_until.is_(None), Repair.warranty_until < dates.today())
    repaired = and_(Repair.finished_on < before, Repair.recorded_at < moment, is_over)
    yield Kept.REPAIR, repaired
    yield Kept.OFF_ROAD, OffRoad.until < moment
    is_undecided = or_(Booking.state == BookingState.OUT, Booking.look_at != "")
    yield Kept.BOOKING, and_(Booking.ends_at < moment, ~is_undecided)
    is_decided = or_(OdometerReading.is_accepted, OdometerReading.void_at.is_not(None))
    yield Kept.READING, and_(OdometerReading.day < before, is_decided)


def _references(reg_key: str | None) -> Iterator[tuple[Node, Node]]:
    """Yield the references between rows, both ways for repairs, also from shared items."""
    kinds = {model.__tablename__: kind for kind, model in _MODELS.items()}
    for kind, source in _SOURCES:
        owner, foreign = _MODELS[kind], source.class_.__table__.foreign_keys
        tables = [(key.parent, key.column.table.name) for key in foreign]
        targets = [(column, kinds[table]) for column, table in tables if table in kinds]
        statement = select(source, *(column for column, _ in targets))
        if source.class_ is not owner:
            statement = statement.join(owner, owner.id == source)
        # Work on shared items is none of the vehicle's, so what it refers to is kept.
        is_shared = source.class_.reg_key.is_(None) if kind is Kept.DONE else false()
        for row_id, *ids in db.session.execute(statement.where(_is_of(owner, reg_key) | is_shared)):
            for (_, to), target_id in zip(targets, ids, strict=True):
                if target_id is not None:
                    yield (kind, row_id), (to, target_id)
                    if kind is Kept.REPAIR:
                        yield (to, target_id), (kind, row_id)
    # An open item refers to the work before it, such as the currently valid certificate.
    before = select(DueItem.id, DueDone.id).join(DueDone, DueDone.next_item_id == DueItem.id)
    is_open = _is_of(DueItem, reg_key), DueItem.closed_at.is_(None)
    for item_id, done_id in db.session.execute(before.where(*is_open)):
        yield (Kept.ITEM, item_id), (Kept.DONE, done_id)
    columns = (OdometerReading.id, OdometerReading.source, OdometerReading.source_id)
    read = select(*columns).where(_is_of(OdometerReading, reg_key))
    for row_id, read_at, source_id in db.session.execute(read):
        if read_at in _READ_AT and source_id is not None:
            yield (Kept.READING, row_id), (_READ_AT[read_at], source_id)


def _is_of(model: Any, reg_key: str | None) -> ColumnElement[bool]:
    if model is Booking:
        is_vehicle = Booking.kind == BookingKind.VEHICLE
        return and_(is_vehicle, Booking.subject_key == reg_key) if reg_key else ~is_vehicle
    is_of: ColumnElement[bool] = model.reg_key == reg_key
    return is_of
