"""The age of records for their removal, and the references between them, by vehicle."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, false, func, literal, or_, select

from app import dates
from app.bookings.models import Booking
from app.bookings.rules import BookingKind, BookingState
from app.db import db
from app.defects.models import Defect, DefectSighting, OffRoad, Repair, RepairedDefect
from app.due.models import DueDone, DueItem
from app.fleet.models import IS_FLAGGED, Check
from app.fleet.queries.vehicles import vehicles_on_record
from app.mileage.models import OdometerReading
from app.mileage.queries import current_mileage
from app.mileage.rules import ReadingSource
from app.vehicle_file.rules import Kept, Node, removable

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

Reference = tuple[Node, Node]


def vehicles_with_rows() -> Sequence[str]:
    """Return the keys of all registrations with records or bookings."""
    booked = select(Booking.subject_key).where(Booking.kind == BookingKind.VEHICLE).distinct()
    return sorted({*vehicles_on_record(), *db.session.execute(booked).scalars()})


def removable_rows(reg_key: str | None, before: date) -> Collection[Node]:
    """Return the old rows of a vehicle that no kept row refers to.

    None stands for items that vehicles share and for bookings of equipment.

    Rows are old if they ended before a day, except rows of an open case: open defects, times off
    the road and items with the work before them, running warranties, flagged checks without a
    review, undecided readings, and the newest one in use, and bookings that are out or to be looked
    at.
    """
    is_old: dict[Node, bool] = {}
    for kind, old in _ages(before):
        model = _MODELS[kind]
        statement = select(model.id, func.coalesce(old, literal(value=False)).label("old"))
        for row in db.session.execute(statement.where(_is_of(model, reg_key))):
            is_old[kind, row.id] = bool(row.old)
    newest = current_mileage(reg_key) if reg_key else None
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


def _references(reg_key: str | None) -> Iterator[Reference]:
    """Yield the references between rows, also from shared items to a vehicle's rows.

    A repair and its targets refer to each other. An open item refers to the work before it, such as
    the currently valid certificate.
    """
    for kind, source in _SOURCES:
        owner, targets = _MODELS[kind], _targets(source.class_)
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
    before = select(DueItem.id, DueDone.id).join(DueDone, DueDone.next_item_id == DueItem.id)
    is_open = _is_of(DueItem, reg_key), DueItem.closed_at.is_(None)
    for item_id, done_id in db.session.execute(before.where(*is_open)):
        yield (Kept.ITEM, item_id), (Kept.DONE, done_id)
    columns = (OdometerReading.id, OdometerReading.source, OdometerReading.source_id)
    readings = select(*columns).where(_is_of(OdometerReading, reg_key))
    for row_id, read_at, source_id in db.session.execute(readings):
        if read_at in _READ_AT and source_id is not None:
            yield (Kept.READING, row_id), (_READ_AT[read_at], source_id)


def _targets(table: type[Any]) -> Sequence[tuple[Any, Kept]]:
    """Return a table's foreign keys to rows that are removed, with the kinds of these rows."""
    kinds = {model.__tablename__: kind for kind, model in _MODELS.items()}
    return [
        (key.parent, kinds[key.column.table.name])
        for column in table.__table__.columns
        for key in column.foreign_keys
        if key.column.table.name in kinds
    ]


def _is_of(model: Any, reg_key: str | None) -> ColumnElement[bool]:
    if model is Booking:
        is_vehicle = Booking.kind == BookingKind.VEHICLE
        return and_(is_vehicle, Booking.subject_key == reg_key) if reg_key else ~is_vehicle
    is_of: ColumnElement[bool] = model.reg_key == reg_key
    return is_of
