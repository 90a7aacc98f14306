"""Report a defect by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from app import dates
from app.attachments.services import PreparedFile, add_attachments
from app.errors import Invalid
from app.fields import attribute
from app.fleet.queries.vehicles import lock_vehicle
from app.fleet.rules.findings import Severity
from app.fleet.rules.plates import describe_missing
from app.upkeep.queries import defects as queries
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules import defects as rules
from app.upkeep.rules.defect_fields import DETAIL, PART, SEVERITY, TITLE
from app.upkeep.rules.defect_texts import Named
from app.upkeep.services.defects import (
    SUBJECT,
    Arrival,
    DefectReport,
    ReportedDefect,
    report_defect,
)


@dataclass(frozen=True)
class ReportedByHand:
    """A defect as a person reports it; `severity` is None if it isn't assessed."""

    reg: str
    part: str = attribute(PART)
    title: str = attribute(TITLE)
    severity: Severity | None = attribute(SEVERITY)
    detail: str = attribute(DETAIL)
    day: date = field(default_factory=dates.today)


@dataclass(frozen=True)
class ReportResult:
    """The defect of a report, new or seen again, and the sender's message."""

    number: int
    reference: str
    message: str
    is_new: bool


def report_by_hand(
    report: ReportedByHand, files: Sequence[PreparedFile] = (), *, by: int
) -> ReportResult:
    """Open a defect of a listed vehicle, or record a sighting of its part's open one.

    The prepared files are attached to it. Raises Invalid for a registration that is in no list, and
    a day more than a year ago.
    """
    rules.check_report_day(report.day, dates.today())
    # A vehicle that leaves the lists meanwhile would keep an open defect.
    if not lock_vehicle(report.reg).is_listed:
        raise Invalid(f"{describe_missing(report.reg)} Check the number plate.", "reg")
    reported = report_defect(DefectReport(**vars(report)), by=by)
    defect = reported.defect
    add_attachments(SUBJECT, defect.id, files, by=by)
    is_new = reported.arrival is Arrival.OPENED
    return ReportResult(defect.number, defect.reference, _describe(reported), is_new)


def name_of(reported: ReportedDefect) -> Named:
    """Return a defect with its title, and with another name from its reporter."""
    defect = reported.defect
    seen = rules.sighting_text(reported.title, "", title_before=defect.title)
    return Named(defect.reference, ", ".join(filter(None, (defect.title, seen))))


def must_stop(reported: ReportedDefect) -> bool:
    """Return whether a report's sender must read that the vehicle must not be driven."""
    is_news = reported.arrival in (Arrival.OPENED, Arrival.SEEN)
    return is_news and reported.defect.severity is Severity.STOP


def describe_sighting(reported: ReportedDefect) -> str:
    """Return the sentence about a defect that a report didn't open."""
    defect = reported.defect
    if reported.arrival is Arrival.ACCEPTED and defect.accepted_until:
        return texts.accepted_sentence(defect.reference, defect.accepted_until)
    settled = queries.settled(defect)
    if reported.arrival is Arrival.EARLIER and settled:
        return texts.earlier_sentence(
            defect.reference, defect.closing, settled.day, today=dates.today()
        )
    reports = queries.reports_of(defect)
    return texts.seen_sentence(defect.reference, *reports, today=dates.today())


def _describe(reported: ReportedDefect) -> str:
    sentences: Sequence[str] = []
    if must_stop(reported):
        sentences = [texts.stop_sentence(reported.defect.reg, [name_of(reported)])]
    elif reported.arrival is Arrival.OPENED:
        sentences = [texts.opened_sentence([name_of(reported)])]
    if reported.arrival is not Arrival.OPENED:
        sentences = [*sentences, describe_sighting(reported)]
    return " ".join(sentences)
