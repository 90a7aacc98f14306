"""Report defects, see them again, and sign them off.

Each change locks its vehicle first (`lock_records`), so that a part has one open defect.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum, auto
from typing import Any

from sqlalchemy import select

from app import dates, names
from app.db import db, lock_rows
from app.defects.models import Defect, DefectSighting
from app.defects.queries import defects as queries
from app.defects.rules import defects as rules
from app.defects.rules import fields
from app.defects.rules.fields import Closing, DefectState, OffRoadReason
from app.defects.services.off_road import take_off_road
from app.errors import Conflict
from app.events.rules import EventKind
from app.fields import attribute, camel_case, values_of
from app.fleet.queries.vehicles import RecordedVehicle, lock_records, lock_vehicle
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Severity, SightingAnswer
from app.fleet.rules.vehicles import plate_key
from app.fleet.services import upkeep
from app.reference_numbers import Series

SUBJECT = "defect"
"""The subject kind of defects in events and attachments."""


class Arrival(Enum):
    """The result of a defect's report."""

    OPENED = auto()
    SEEN = auto()
    EARLIER = auto()
    ACCEPTED = auto()


@dataclass(frozen=True)
class DefectReport:
    """A check's or a person's report of a defect; `severity` is None before an assessment.

    `made_at` is when a waiting check was made, `answer` its answer about the part's last defect.
    """

    reg: str
    part: str = attribute(fields.PART)
    title: str = attribute(fields.TITLE)
    severity: Severity | None = attribute(fields.SEVERITY)
    detail: str = attribute(fields.DETAIL)
    day: date = field(default_factory=dates.today)
    odometer: int | None = None
    check_id: int | None = None
    made_at: datetime | None = None
    answer: SightingAnswer = SightingAnswer.YES


@dataclass(frozen=True)
class ReportedDefect:
    """The defect of a report, new or seen again, and the report's own name for it, if any."""

    defect: Defect
    arrival: Arrival
    title: str = ""


def open_defect(report: DefectReport, *, by: int | None) -> Defect:
    """Return the defect of a report, newly opened unless the report is a sighting of another."""
    return report_defect(report, by=by).defect


def report_defect(report: DefectReport, *, by: int | None) -> ReportedDefect:
    """Open a defect, or record a sighting of the open one of the vehicle's part.

    A report from before the last defect was repaired or closed, or of an accepted one, is a
    sighting of that defect. A defect that stops its vehicle takes it off the road.
    """
    vehicle = lock_vehicle(report.reg)
    last, arrival = judge_report(report)
    if last is None or arrival is Arrival.OPENED:
        return ReportedDefect(_insert(report, vehicle, last, by), Arrival.OPENED)
    record_sighting(last, report, arrival, by=by)
    return ReportedDefect(last, arrival, report.title)


def judge_report(report: DefectReport) -> tuple[Defect | None, Arrival]:
    """Return the last defect of a report's part, and the report's result."""
    last = queries.last_defect(plate_key(report.reg), rules.part_key(_part_of(report)))
    return last, judge(report, last)


def judge(report: DefectReport, last: Defect | None) -> Arrival:
    """Return the result of a report whose part had this defect last."""
    if last is None:
        return Arrival.OPENED
    if last.state in rules.UNREPAIRED:
        return Arrival.SEEN
    settled = queries.settled(last)
    if settled and rules.is_before(report.day, report.made_at, settled):
        return Arrival.EARLIER
    if last.closed_at is None:
        return Arrival.SEEN
    is_worse = report.answer is SightingAnswer.WORSE
    is_accepted = not is_worse and rules.is_accepted(last, report.severity, report.day)
    return Arrival.ACCEPTED if is_accepted else Arrival.OPENED


def record_sighting(
    defect: Defect,
    report: DefectReport,
    arrival: Arrival = Arrival.SEEN,
    *,
    recorded_at: datetime | None = None,
    by: int | None,
) -> None:
    """Record a report as a sighting, a check once; an open defect's severity can only rise."""
    before, is_before_repair = defect.severity, arrival is Arrival.EARLIER
    is_news = defect.closed_at is None and not is_before_repair
    if is_news:
        defect.severity = rules.merge_severity(before, report.severity)
    seen = select(DefectSighting.id).filter_by(defect_id=defect.id, check_id=report.check_id)
    is_repeated = report.check_id is not None and (
        report.check_id == defect.check_id or db.session.scalar(seen) is not None
    )
    if is_repeated and defect.severity is before:
        return
    if not is_repeated:
        sighting = DefectSighting(
            defect_id=defect.id,
            check_id=report.check_id,
            day=report.day,
            seen_by=by,
            recorded_at=recorded_at or dates.utc_now(),
            answer=report.answer,
            severity=report.severity,
            detail=rules.sighting_text(report.title, report.detail, title_before=defect.title),
            is_before_repair=is_before_repair,
        )
        db.session.add(sighting)
    after = {
        "answer": report.answer,
        "checkId": report.check_id,
        "severity": defect.severity,
        "beforeRepair": is_before_repair,
    }
    record_change(EventKind.DEFECT_SEEN, defect, before={"severity": before}, after=after, by=by)
    if report.severity is Severity.STOP and is_news:
        stop_vehicle(defect, by=by)


def lock_defects(numbers: Collection[int]) -> Sequence[Defect]:
    """Lock defects with their vehicles, and return them by number; raises NoSuchDefect."""
    is_one = Defect.number.in_(numbers)
    lock_records(db.session.scalars(select(Defect.reg_key).where(is_one).distinct()).all())
    defects = lock_rows(Defect, is_one)
    if missing := set(numbers) - {defect.number for defect in defects}:
        raise queries.NoSuchDefect(min(missing))
    return defects


def close_as(defect: Defect, closing: Closing, *, by: int | None, **details: Any) -> None:
    """Close a locked defect; `details` are further values of the event."""
    defect.closing, defect.closed_by, defect.closed_at = closing, by, dates.utc_now()
    state = {"state": DefectState.CLOSED}
    change(EventKind.DEFECT_CLOSED, defect, state, by=by, closing=closing, **details)


def check_not_closed(defect: Defect) -> None:
    """Raise Conflict for a closed defect, with who closed it and when."""
    if message := queries.closed_message(defect):
        raise Conflict(message)


def stop_vehicle(defect: Defect, *, by: int | None) -> None:
    """Take the vehicle of a defect off the road."""
    detail = rules.name_defect(defect.reference, defect.title)
    take_off_road(defect.reg, OffRoadReason.DEFECT, detail=detail, defect_id=defect.id, by=by)


def change(
    kind: EventKind, defect: Defect, values: Mapping[str, Any], *, by: int | None, **details: Any
) -> None:
    """Set values of a locked defect, with their event; `details` are further values of that."""
    before = {camel_case(name): getattr(defect, name) for name in values}
    after = {camel_case(name): value for name, value in values.items()}
    for name, value in values.items():
        setattr(defect, name, value)
    record_change(kind, defect, before=before, after=after | details, by=by)


def record_change(
    kind: EventKind,
    defect: Defect,
    *,
    after: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
    by: int | None,
) -> None:
    """Write the change of a locked defect, with its event, as a new revision."""
    defect.revision += 1
    upkeep.record_change(kind, SUBJECT, defect.id, before=before, after=after, by=by)


def _part_of(report: DefectReport) -> str:
    return names.truncate(report.part, MAX_TITLE_LENGTH - 1)


def _insert(
    report: DefectReport, vehicle: RecordedVehicle, last: Defect | None, by: int | None
) -> Defect:
    part = _part_of(report)
    defect = Defect(
        **{**values_of(report), "part": part},
        number=upkeep.take_number(Series.DEFECT),
        reg=vehicle.reg,
        reg_key=vehicle.reg_key,
        fleet_list=vehicle.fleet_list,
        check_id=report.check_id,
        part_key=rules.part_key(part),
        reported_by=by,
        reported_at=dates.utc_now(),
        day=report.day,
        odometer=report.odometer,
        repeat_of_id=last.id if last else None,
    )
    db.session.add(defect)
    db.session.flush()
    after = {
        "reg": defect.reg,
        "number": defect.number,
        "severity": defect.severity,
        "checkId": defect.check_id,
        "repeatOf": last.number if last else None,
    }
    upkeep.record_change(EventKind.DEFECT_OPENED, SUBJECT, defect.id, after=after, by=by)
    if defect.severity is Severity.STOP:
        stop_vehicle(defect, by=by)
    return defect
