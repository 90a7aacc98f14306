"""Report a defect by hand, and reply to reporters."""

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
    values: ReportedByHand, files: Sequence[PreparedFile] = (), *, by: int
) -> ReportResult:
    """Open a defect of a listed vehicle, or record a sighting of its part's open one.

    The prepared files are attached to it. Raises Invalid for a registration that is in no list, and
    a day more than a year ago.
    """
    rules.check_report_day(values.day, dates.today())
    # A vehicle that leaves the lists meanwhile would keep an open defect.
    if not lock_vehicle(values.reg).is_listed:
        raise Invalid(f"{describe_missing(values.reg)} Check the number plate.", "reg")
    reported = report_defect(DefectReport(**vars(values)), by=by)
    defect = reported.defect
    add_attachments(SUBJECT, defect.id, files, by=by)
    reply = ReporterReply()
    reply.add(reported)
    message = " ".join(reply.sentences(defect.reg))
    is_new = reported.arrival is Arrival.OPENED
    return ReportResult(defect.number, defect.reference, message, is_new)


@dataclass
class ReporterReply:
    """The reply to a reporter: first the reason to stop the vehicle, then the news.

    `unopened` are the titles of reports that open nothing, since the vehicle is in no list.
    """

    stopping: list[Named | str] = field(default_factory=list)
    opened: list[Named] = field(default_factory=list)
    unopened: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def add(self, reported: ReportedDefect) -> None:
        """Add a defect that a report opened or saw again, with another name from its reporter."""
        defect, is_opened = reported.defect, reported.arrival is Arrival.OPENED
        seen = rules.sighting_text(reported.title, "", title_before=defect.title)
        named = Named(defect.reference, ", ".join(filter(None, (defect.title, seen))))
        is_news = is_opened or reported.arrival is Arrival.SEEN
        if is_news and defect.severity is Severity.STOP:
            self.stopping.append(named)
        elif is_opened:
            self.opened.append(named)
        if not is_opened:
            self.others.append(_describe_sighting(reported))

    def sentences(self, reg: str) -> Sequence[str]:
        """Return the sentences in their order."""
        stop = [texts.stop_sentence(reg, self.stopping)] if self.stopping else []
        opened = [texts.opened_sentence(self.opened)] if self.opened else []
        unopened = [texts.unopened_sentence(reg, self.unopened)] if self.unopened else []
        return [*stop, *opened, *unopened, *self.others]


def _describe_sighting(reported: ReportedDefect) -> str:
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
