"""The defects, repairs, times off the road and readings of a vehicle's record."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import aliased

from app.dates import format_day, parse_day
from app.defects.models import (
    Defect,
    DefectNote,
    DefectSighting,
    OffRoad,
    Repair,
    RepairedDefect,
    RepairPart,
)
from app.defects.rules.defects import severity_label, urgency
from app.defects.rules.fields import Closing
from app.events.rules import EventKind
from app.fleet.models import Check
from app.fleet.rules.check_answers import driver_name
from app.fleet.rules.findings import SightingAnswer
from app.mileage.models import APART, OdometerReading
from app.mileage.rules import ReadingSource
from app.money import format_number
from app.reference_numbers import Series
from app.vehicle_file.queries.reader import (
    RecordReader,
    RecordSource,
    Statement,
    Values,
    defect_number,
    entry,
    mileage_doubt,
    of_events,
    on_day,
    repair_number,
    waiting_doubt,
)
from app.vehicle_file.rules import Amounts, RecordEntry, RecordKind, sentences

_DEFECTS = select(*Defect.__table__.columns)

_REPORTED = _DEFECTS.add_columns(Check.items).outerjoin(Check, Check.id == Defect.check_id)


def _about_defects(table: type[Any]) -> Statement:
    of_defect = select(Defect.reg, Defect.reg_key, Defect.number, Defect.title)
    rows = of_defect.add_columns(*table.__table__.columns)
    return rows.join(table, table.defect_id == Defect.id)


_TIMES_OFF = select(*OffRoad.__table__.columns, Defect.number).outerjoin(
    Defect, Defect.id == OffRoad.defect_id
)

_ORIGINAL, _REVERSAL, _REVERSED = aliased(Defect), aliased(Repair), aliased(Repair)

_of_defects = partial(RecordSource, series=Series.DEFECT, key=Defect.reg_key)

_of_times_off = partial(
    RecordSource,
    when=OffRoad.since,
    by=OffRoad.opened_by,
    series=Series.DEFECT,
    ended=OffRoad.until,
)


def open_defects(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the open defects with how each stands, the worst of a vehicle first."""
    of_vehicle = reader.filters.of_vehicle(Defect.reg_key)
    statement = _REPORTED.where(*of_vehicle, Defect.closed_at.is_(None))
    found = reader.rows(statement.order_by(Defect.reg_key, Defect.part_key))
    for _, rows in groupby(found, key=attrgetter("reg_key")):
        for row in sorted(rows, key=lambda row: (-urgency(row.severity), row.day, row.id)):
            garage = f" at {row.garage}" if row.garage else ""
            on = f" on {format_day(row.booked_for)}" if row.booked_for else ""
            yield RecordEntry(
                reg=row.reg,
                reg_key=row.reg_key,
                day=row.day,
                kind=RecordKind.OPEN,
                reference=str(defect_number(row.number)),
                title=row.title,
                outcome=f"{severity_label(row.severity)}, {row.state.label.lower()}",
                detail=sentences(f"Booked in{garage}{on}" if garage or on else ""),
                who=reader.who(row.reported_by),
                name=driver_name(row.items or {}),
            )


def _defects(row: Any, _: RecordReader) -> Values:
    """Return a defect that was open on any of the days."""
    # The reported severity isn't kept once somebody has assessed it.
    origin = ", as assessed" if row.assessed_at else ""
    return entry(
        RecordKind.DEFECT,
        row.title,
        f"{severity_label(row.severity)}{origin}",
        row.detail,
        f"Check {row.check_id}" if row.check_id else "",
        miles=row.odometer,
        name=driver_name(row.items or {}),
    )


def _closings(row: Any, _: RecordReader) -> Values:
    return entry(
        RecordKind.SIGN_OFF if row.closing is Closing.REPAIRED else RecordKind.CLOSING,
        row.title,
        row.closing.label,
        row.closing_reason,
        f"Same as {defect_number(row.original)}" if row.original else "",
        f"Until {format_day(row.accepted_until)}" if row.accepted_until else "",
    )


def _sightings(row: Any, _: RecordReader) -> Values:
    answer = "Still there" if row.answer is SightingAnswer.YES else row.answer.label
    answer = "Seen before it was mended" if row.is_before_repair else answer
    return entry(
        RecordKind.SIGHTING,
        row.title,
        f"{answer}: {severity_label(row.severity)}" if row.severity else answer,
        row.detail,
        f"Check {row.check_id}" if row.check_id else "",
        name=driver_name(row.items or {}),
    )


def _bookings(row: Any, _: RecordReader) -> Values:
    day = row.after["bookedFor"]
    for_day = f"For {format_day(parse_day(day))}" if day else ""
    return entry(RecordKind.BOOKING, row.title, for_day, f"At {row.after['garage']}")


_of_repairs = partial(RecordSource, when=Repair.finished_on, by=Repair.recorded_by)

_OF_REPAIR = Repair.id, Repair.reg, Repair.reg_key


def _parts(row: Any, reader: RecordReader) -> None:
    """Keep a part for the entry of its repair."""
    reader.parts[row.id].append(row)


def _mended(row: Any, reader: RecordReader) -> None:
    """Keep a mended defect for the entry of its repair."""
    reader.mended[row.id].append(row.number)


def _repairs(row: Any, reader: RecordReader) -> Values:
    """Return a repair or reversal with its parts and defects, which were read before it."""
    taken = sorted(reader.parts.pop(row.id, ()), key=attrgetter("position"))
    numbers = ", ".join(map(str, map(defect_number, sorted(reader.mended.pop(row.id, ())))))
    from_stock = ", ".join(f"{format_number(each.quantity)} × {each.name}" for each in taken)
    stock = sum(each.pence for each in taken)
    return entry(
        RecordKind.REPAIR,
        row.garage or "Repair",
        _repair_outcome(row),
        f"Mended: {numbers}" if numbers else "",
        f"From stock: {from_stock}" if from_stock else "",
        f"Invoice {row.invoice_number}" if row.invoice_number else "",
        _warranty(row),
        row.note,
        mileage_doubt(row),
        miles=row.odometer,
        name="" if row.reverses else row.garage,
        amounts=Amounts(labour=row.labour, parts=row.parts, other=row.other, stock=stock),
    )


def _time_off(row: Any, _: RecordReader) -> Values:
    return entry(
        RecordKind.OFF_ROAD,
        row.reason.label,
        "Not back yet" if row.until is None else "Ended",
        *row.detail.splitlines(),
        f"Expected back on {format_day(row.expected_back)}" if row.expected_back else "",
    )


def _off_road_now(row: Any, reader: RecordReader) -> Values:
    title = f"Off the road: {row.reason.label}"
    return _time_off(row, reader) | {"kind": RecordKind.OPEN, "at": None, "title": title}


def _returns(row: Any, reader: RecordReader) -> Values:
    against = "; ".join(row.objections.splitlines())
    return entry(
        RecordKind.RETURN,
        row.reason.label,
        "Overridden" if row.override_reason else "Signed off",
        row.note,
        f"Put back all the same: {row.override_reason}" if row.override_reason else "",
        f"Stood against it: {against}" if against else "",
        who=row.signed_as or reader.who(row.closed_by),
    )


def _readings(row: Any, reader: RecordReader) -> Values:
    """Return a reading other than a plain one of a check, whose entry has it."""
    who = reader.who
    void = f"Void by {who(row.void_by)}{on_day(row.void_at)}" if row.void_at else ""
    is_used = "Accepted" if row.is_accepted else "Not accepted"
    return entry(
        RecordKind.READING,
        row.source.label,
        "Void" if void else is_used,
        f"Doubtful: {row.doubt.label}" if row.doubt else "",
        f"Accepted by {who(row.accepted_by)}" if row.accepted_at else "",
        f"{void}: {row.void_reason}" if void else "",
        miles=row.miles,
    )


SOURCES = (
    _of_times_off(_TIMES_OFF.where(OffRoad.until.is_(None)))(_off_road_now),
    _of_defects(
        _REPORTED,
        Defect.day,
        by=Defect.reported_by,
        recorded_at=Defect.reported_at,
        ended=Defect.closed_at,
    )(_defects),
    _of_defects(
        _about_defects(DefectSighting)
        .add_columns(Check.items)
        .outerjoin(Check, Check.id == DefectSighting.check_id),
        DefectSighting.day,
        by=DefectSighting.seen_by,
        recorded_at=DefectSighting.recorded_at,
    )(_sightings),
    _of_defects(_DEFECTS, Defect.assessed_at, by=Defect.assessed_by)(
        lambda row, _: entry(RecordKind.ASSESSMENT, row.title, severity_label(row.severity))
    ),
    of_events(
        _DEFECTS.select_from(Defect),
        Defect.id,
        Defect.reg_key,
        Defect.__tablename__,
        EventKind.DEFECT_BOOKED,
        series=Series.DEFECT,
    )(_bookings),
    _of_defects(_about_defects(DefectNote), DefectNote.noted_at, by=DefectNote.noted_by)(
        lambda row, _: entry(RecordKind.NOTE, row.title, detail=row.text)
    ),
    _of_defects(
        _DEFECTS.add_columns(_ORIGINAL.number.label("original")).outerjoin(
            _ORIGINAL, _ORIGINAL.id == Defect.duplicate_of_id
        ),
        Defect.closed_at,
        by=Defect.closed_by,
    )(_closings),
    # In this order: a repair's entry has what was read before it.
    _of_repairs(
        select(
            *_OF_REPAIR, RepairPart.position, RepairPart.name, RepairPart.quantity, RepairPart.pence
        ).join(RepairPart, RepairPart.repair_id == Repair.id)
    )(_parts),
    _of_repairs(
        select(*_OF_REPAIR, Defect.number)
        .join(RepairedDefect, RepairedDefect.repair_id == Repair.id)
        .join(Defect, Defect.id == RepairedDefect.defect_id)
    )(_mended),
    _of_repairs(
        select(
            *Repair.__table__.columns,
            _REVERSAL.number.label("reversed_by"),
            _REVERSAL.recorded_at.label("reversed_at"),
            _REVERSED.number.label("reverses"),
            waiting_doubt(ReadingSource.REPAIR, Repair.id),
        )
        .outerjoin(_REVERSAL, _REVERSAL.reverses_id == Repair.id)
        .outerjoin(_REVERSED, _REVERSED.id == Repair.reverses_id),
        series=Series.REPAIR,
        recorded_at=Repair.recorded_at,
    )(_repairs),
    _of_times_off(_TIMES_OFF)(_time_off),
    RecordSource(select(*OffRoad.__table__.columns), OffRoad.until, by=OffRoad.closed_by)(_returns),
    RecordSource(
        select(*OdometerReading.__table__.columns).where(text(f"({APART})")),
        OdometerReading.day,
        by=OdometerReading.recorded_by,
        recorded_at=OdometerReading.recorded_at,
    )(_readings),
)


def _repair_outcome(row: Any) -> str:
    if row.reverses:
        return f"Takes {repair_number(row.reverses)} back{on_day(row.recorded_at)}"
    if row.reversed_by is None:
        return ""
    return f"Taken back by {repair_number(row.reversed_by)}{on_day(row.reversed_at)}"


def _warranty(row: Any) -> str:
    until = f"until {format_day(row.warranty_until)}" if row.warranty_until else ""
    miles = f"until {format_number(row.warranty_miles)} miles" if row.warranty_miles else ""
    return f"Warranty {' and '.join(filter(None, (until, miles)))}" if until or miles else ""
