"""What happens to the defects of a vehicle, in steps that tests take."""

from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, DefectSighting
from app.defects.queries import defects as queries
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing, RepairValues
from app.defects.services import decisions
from app.defects.services import reports as defect_reports
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.repairs import record_repair
from app.events.models import RecordedEvent
from app.fleet.models import Check
from app.fleet.rules.findings import Failure, Findings, Severity
from tests import factories

REG, KEY = "LK19 VTE", "lk19vte"
TODAY = dates.today()
DRIVER, MANAGER = 1, 2
BRAKES = Failure("Brakes", "Fail", Severity.STOP)
MIRRORS = Failure("Mirrors", "Cracked", Severity.REPAIR)


def sent(*failures, day=TODAY, answers=(), reg=REG):
    """Submit a check of a day, with what it found; return the sentences for its sender."""
    check_id = factories.check(reg, by=DRIVER, day=day)
    return found(check_id, *failures, answers=answers)


def found(check_id, *failures, answers=(), made_at=None):
    with transaction():
        check = db.session.get_one(Check, check_id)
        check.made_at = made_at
        findings = Findings(failures, dict(answers))
        return defect_reports.check_submitted(check, findings, by=DRIVER)[1]


def reported(part="Wipers", severity=None, day=TODAY, title="", reg=REG):
    report = DefectReport(reg, part, title or f"{part} torn", severity, "", day)
    return decide(defect_reports.report_by_hand, report, by=DRIVER)


def brakes_fail(by=None):
    """Report that the brakes of the vehicle fail, and return the defect."""
    report = DefectReport(REG, "Brakes", "Brakes: fail", Severity.STOP, day=TODAY)
    return decide(open_defect, report, by=by)


def decide(function, *args, by=MANAGER, **values):
    with transaction():
        return function(*args, by=by, **values)


def close(number, closing=Closing.NO_FAULT, **values):
    choice = ClosingChoice(closing, "looked at", **values)
    return decide(decisions.close_defect, number, choice)


def repaired(number, day=TODAY, by=DRIVER):
    values = RepairValues(reg=REG, defects=[number], finished_on=day, garage="Kwik-Fix")
    return decide(record_repair, values, by=by).number


def row(number):
    return queries.get_defect(number)


def numbers():
    return list(db.session.scalars(select(Defect.number).order_by(Defect.number)))


def sightings(number):
    statement = select(DefectSighting).filter_by(defect_id=row(number).id)
    return db.session.scalars(statement.order_by(DefectSighting.id)).all()


def kinds():
    statement = select(RecordedEvent.kind).filter_by(subject_kind="defect")
    return list(db.session.scalars(statement.order_by(RecordedEvent.id)))
