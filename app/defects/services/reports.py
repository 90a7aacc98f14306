"""Reports of defects by hand and by checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import select

from app import dates
from app.attachments.services import PreparedFile, add_attachments
from app.db import db
from app.defects.models import Defect
from app.defects.queries import defects as queries
from app.defects.queries.off_road import current_times, objections_to
from app.defects.rules import defects as rules
from app.defects.rules.fields import Closing
from app.defects.services import defects
from app.defects.services.defects import SUBJECT, Arrival, DefectReport, ReportedDefect
from app.errors import Invalid
from app.fleet.models import Check
from app.fleet.queries.vehicles import lock_vehicle
from app.fleet.rules.findings import AnsweredDefects, Failure, Findings, Severity, SightingAnswer
from app.fleet.rules.vehicles import describe_missing
from app.fleet.services.upkeep import Consequences, Rank
from app.mileage.queries import question_about
from app.mileage.rules import NOT_USED
from app.mileage.services import record_check_reading
from app.reference_numbers import ReferenceNumber, Series


@dataclass(frozen=True)
class ReportResult:
    """The defect of a report, new or seen again, and the sender's message."""

    number: int
    reference: str
    message: str
    is_new: bool


def report_by_hand(
    values: DefectReport, files: Sequence[PreparedFile] = (), *, by: int
) -> ReportResult:
    """Open or see a defect of a listed vehicle, with files; raises Invalid for another one."""
    rules.check_report_day(values.day, dates.today())
    # A vehicle that leaves the lists meanwhile would keep an open defect.
    if not lock_vehicle(values.reg).is_listed:
        raise Invalid(f"{describe_missing(values.reg)} Check the number plate.", "reg")
    reported = defects.report_defect(values, by=by)
    defect, is_new = reported.defect, reported.arrival is Arrival.OPENED
    add_attachments(SUBJECT, defect.id, files, by=by)
    reply = ReporterReply()
    reply.add(reported)
    message = " ".join(reply.sentences(defect.reg))
    return ReportResult(defect.number, defect.reference, message, is_new)


@dataclass
class ReporterReply:
    """The reply to a reporter: first the reason to stop the vehicle, then the news.

    `unopened` are the titles of reports that open nothing, since the vehicle is in no list.
    """

    stopping: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    unopened: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def add(self, reported: ReportedDefect) -> None:
        """Add a defect that a report opened or saw again, with another name from its reporter."""
        defect, is_opened = reported.defect, reported.arrival is Arrival.OPENED
        seen = rules.sighting_text(reported.title, "", title_before=defect.title)
        title = ", ".join(filter(None, (defect.title, seen)))
        named = rules.name_defect(defect.reference, title)
        is_news = is_opened or reported.arrival is Arrival.SEEN
        if is_news and defect.severity is Severity.STOP:
            self.stopping.append(named)
        elif is_opened:
            self.opened.append(named)
        if not is_opened:
            self.others.append(_describe_sighting(reported))

    def sentences(self, reg: str) -> Sequence[str]:
        """Return the sentences in their order."""
        sentences: list[str] = []
        if self.stopping:
            sentences.append(rules.stop_sentence(reg, self.stopping))
        if self.opened:
            sentences.append(f"Reported: {', '.join(self.opened)}.")
        if self.unopened:
            missing = f"{describe_missing(reg)} Check the number plate."
            sentences.append(f"{missing} Not reported: {', '.join(self.unopened)}.")
        return [*sentences, *self.others]


def _describe_sighting(reported: ReportedDefect) -> str:
    defect, today = reported.defect, dates.today()
    if reported.arrival is Arrival.ACCEPTED and defect.accepted_until:
        until = dates.format_day(defect.accepted_until)
        return f"{defect.reference} is accepted until {until}. Kept with it."
    settled = queries.settled(defect)
    if reported.arrival is Arrival.EARLIER and settled:
        done = "repaired" if defect.closing in (None, Closing.REPAIRED) else "closed"
        what = f"{defect.reference} was {done} on {dates.near_day(settled.day, today)}"
        return f"{what}, after this was seen. Kept with it."
    return rules.seen_sentence(defect.reference, *queries.reports_of(defect), today=today)


def check_answers(reg_key: str, answers: Mapping[int, SightingAnswer]) -> AnsweredDefects:
    """Return the defects that a check of a vehicle answers about.

    Unknown numbers aren't refused, since a waiting check must not be lost. Raises Invalid for a
    defect of another vehicle.
    """
    if not answers:
        return AnsweredDefects({})
    columns = (Defect.number, Defect.reg_key, Defect.reg, Defect.part)
    statement = select(*columns).where(Defect.number.in_(answers))
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


def check_submitted(check: Check, findings: Findings, *, by: int) -> Consequences:
    """Open or see a check's defects, and record its reading, in its transaction.

    A vehicle outside the lists gets no defect, since nobody would ever close it. The first sentence
    is the reason to stop the vehicle: a failure, or why it is off the road.
    """
    lock_vehicle(check.reg)
    failures = _merge_failures(findings.failures)
    reply = ReporterReply()
    is_answered = (Defect.number.in_(findings.answers), Defect.reg_key == check.reg_key)
    answered = select(Defect).where(*is_answered).order_by(Defect.id)
    for defect in db.session.scalars(answered).all() if findings.answers else ():
        answer, failure = findings.answers[defect.number], failures.pop(defect.part_key, None)
        _record_answer(check, defect, answer, failure, reply, by)
    for failure in failures.values():
        _report(_report_of(check, failure.defect_part, failure), reply, by)
    reading = record_check_reading(check, by=by)
    if reading.doubt is not None:
        reply.others.append(f"{question_about(reading)} {NOT_USED}")
    time = current_times([check.reg_key]).get(check.reg_key)
    if time and not reply.stopping:
        objections = objections_to([time.reg_key])[time.reg_key]
        reasons = ", ".join(each.text for each in objections) or time.reason.label
        since = dates.near_day(dates.london_day(time.since), dates.today())
        reply.stopping.append(f"Off the road since {since}: {reasons}")
    return Rank.UPKEEP, reply.sentences(check.reg)


def _merge_failures(failures: Sequence[Failure]) -> dict[str, Failure]:
    merged: dict[str, Failure] = {}
    for failure in failures:
        key = rules.part_key(failure.defect_part)
        first = merged.setdefault(key, failure)
        if first is not failure:
            values = ", ".join(dict.fromkeys([first.value, failure.value]))
            severity = rules.merge_severity(first.severity, failure.severity)
            merged[key] = Failure(first.part, values, severity)
    return merged


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
    report = replace(_report_of(check, defect.part, failure, defect.title), answer=answer)
    arrival = defects.judge(report, defect)
    if answer is SightingAnswer.ABSENT:
        defects.record_sighting(defect, report, arrival, by=by)
        text = f"Reported gone: {defect.reference}. It stays open until a manager closes it."
        reply.others.append(text)
    elif arrival in (Arrival.SEEN, Arrival.EARLIER):
        defects.record_sighting(defect, report, arrival, by=by)
        reply.add(ReportedDefect(defect, arrival))
    else:
        _report(report if failure else replace(report, severity=defect.severity), reply, by)


def _report(report: DefectReport, reply: ReporterReply, by: int) -> None:
    """Report a defect, unless it would open one of a vehicle outside the lists."""
    if lock_vehicle(report.reg).is_listed or defects.judge_report(report)[1] is not Arrival.OPENED:
        reply.add(defects.report_defect(report, by=by))
        return
    reply.unopened.append(report.title)
    if report.severity is Severity.STOP:
        reply.stopping.append(report.title)


def _report_of(check: Check, part: str, failure: Failure | None, title: str = "") -> DefectReport:
    """Return a check's report about a part; `title` is for one that didn't fail."""
    return DefectReport(
        reg=check.reg,
        part=part,
        title=failure.title if failure else title,
        severity=failure.severity if failure else None,
        day=check.day,
        odometer=check.odometer,
        check_id=check.id,
        made_at=check.made_at,
    )
