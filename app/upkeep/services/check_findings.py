"""Turn the findings of a submitted check into defects, sightings and a reading."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from app.db import db
from app.errors import Invalid
from app.fleet.models import Check
from app.fleet.queries.vehicles import lock_vehicle
from app.fleet.rules.findings import AnsweredDefects, Failure, Findings, Severity, SightingAnswer
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.models.defects import Defect
from app.upkeep.queries import defects as queries
from app.upkeep.queries.reading_lists import question_about
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules import defects as rules
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.rules.readings import NOT_USED
from app.upkeep.services.defect_reports import ReporterReply
from app.upkeep.services.defects import (
    Arrival,
    DefectReport,
    ReportedDefect,
    Sighting,
    judge_report,
    record_sighting,
    report_defect,
)
from app.upkeep.services.readings import record_reading


def check_answers(reg_key: str, answers: Mapping[int, SightingAnswer]) -> AnsweredDefects:
    """Return the defects that a check of a vehicle answers about.

    A number that no defect has isn't refused: a check that waited for a connection must not be
    lost. Raises Invalid for a defect of another vehicle.
    """
    if not answers:
        return AnsweredDefects({})
    statement = select(Defect.number, Defect.reg_key, Defect.reg, Defect.part).where(
        Defect.number.in_(answers)
    )
    found = {row.number: row for row in db.session.execute(statement)}
    for row in found.values():
        if row.reg_key != reg_key:
            reference = ReferenceNumber(Series.DEFECT, row.number)
            raise Invalid(f"{reference} is a defect of {row.reg}.", "defects")
    ignored = [
        f"There is no {ReferenceNumber(Series.DEFECT, number)}: the answer about it was left out."
        for number in answers
        if number not in found
    ]
    return AnsweredDefects({number: row.part for number, row in found.items()}, ignored)


def check_submitted(check: Check, findings: Findings, *, by: int) -> Sequence[str]:
    """Open or see a check's defects, and record its reading, in its transaction.

    A vehicle outside the lists gets no defect, since nobody would ever close it. Returns sentences
    for the sender, first the reason to stop the vehicle.
    """
    lock_vehicle(check.reg)
    failures = _merge_failures(findings.failures)
    reply = ReporterReply()
    for defect, answer in _answered(check, findings.answers):
        _record_answer(check, defect, answer, failures.pop(defect.part_key, None), reply, by)
    for failure in failures.values():
        _report(_report_of(check, failure), reply, by)
    reading = record_reading(
        check.reg,
        check.odometer,
        day=check.day,
        source=ReadingSource.CHECK,
        source_id=check.id,
        by=by,
    )
    if reading.doubt is not None:
        reply.others.append(f"{question_about(reading.id)} {NOT_USED}")
    return reply.sentences(check.reg)


def _merge_failures(failures: Sequence[Failure]) -> dict[str, Failure]:
    """Return the failures by the keys of their parts, with several of one part combined."""
    merged: dict[str, Failure] = {}
    for failure in failures:
        key = rules.part_key(failure.defect_part)
        first = merged.setdefault(key, failure)
        if first is not failure:
            values = ", ".join(dict.fromkeys([first.value, failure.value]))
            severity = rules.merge_severity(first.severity, failure.severity)
            merged[key] = Failure(first.part, values, severity)
    return merged


def _answered(
    check: Check, answers: Mapping[int, SightingAnswer]
) -> list[tuple[Defect, SightingAnswer]]:
    statement = (
        select(Defect)
        .where(Defect.number.in_(answers), Defect.reg_key == check.reg_key)
        .order_by(Defect.id)
    )
    defects = db.session.execute(statement).scalars() if answers else ()
    return [(defect, answers[defect.number]) for defect in defects]


def _record_answer(
    check: Check,
    defect: Defect,
    answer: SightingAnswer,
    failure: Failure | None,
    reply: ReporterReply,
    by: int,
) -> None:
    """Record an answer about a defect, together with the failure of its part.

    The failure outweighs 'gone'. An answer that a closed defect is still there opens a new one.
    """
    if failure and answer is SightingAnswer.ABSENT:
        answer = SightingAnswer.YES
    title = failure.title if failure else defect.title
    settled = queries.settled(defect)
    is_before = settled is not None and rules.is_before(check.day, check.made_at, settled)
    if defect.closed_at is not None and not is_before and answer is not SightingAnswer.ABSENT:
        report = DefectReport(
            reg=check.reg,
            title=title,
            part=defect.part,
            severity=failure.severity if failure else defect.severity,
            answer=answer,
            **_origin(check),
        )
        _report(report, reply, by)
        return
    sighting = Sighting(
        day=check.day,
        answer=answer,
        severity=failure.severity if failure else None,
        detail=rules.sighting_text(title, "", title_before=defect.title),
        check_id=check.id,
        is_before_repair=is_before,
    )
    record_sighting(defect, sighting, by=by)
    if answer is SightingAnswer.ABSENT:
        reply.others.append(texts.absent_sentence(defect.reference))
    else:
        arrival = Arrival.EARLIER if is_before else Arrival.SEEN
        reply.add(ReportedDefect(defect, arrival))


def _report(report: DefectReport, reply: ReporterReply, by: int) -> None:
    """Report a defect, unless it would open one of a vehicle outside the lists."""
    is_listed = lock_vehicle(report.reg).is_listed
    if is_listed or judge_report(report)[1] is not Arrival.OPENED:
        reply.add(report_defect(report, by=by))
        return
    reply.unopened.append(report.title)
    if report.severity is Severity.STOP:
        reply.stopping.append(report.title)


def _report_of(check: Check, failure: Failure) -> DefectReport:
    return DefectReport(
        reg=check.reg,
        title=failure.title,
        part=failure.defect_part,
        severity=failure.severity,
        **_origin(check),
    )


def _origin(check: Check) -> dict[str, Any]:
    return {
        "day": check.day,
        "odometer": check.odometer,
        "check_id": check.id,
        "made_at": check.made_at,
    }
