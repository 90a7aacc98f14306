"""Defects that several people change at once: each thing happens once, the others read why."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sqlalchemy import func, select

from app.db import db, transaction
from app.defects.models import Defect, DefectSighting, OffRoad
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.reports import check_submitted
from app.divisions import Division
from app.fleet.models import Check
from app.fleet.rules.findings import Findings
from app.fleet.rules.vehicles import UPKEEP
from app.versions import increment_version
from tests import factories
from tests.fleet.threads import run_at_once, wait_for_lock
from tests.person import Caller
from tests.upkeep.defect_steps import BRAKES, REG, brakes_fail, repaired

pytestmark = pytest.mark.differs_by_engine

PEOPLE = ("k.lee", "r.amos")


@pytest.fixture
def managers(signed_in, vehicle):
    """Return the callers of two managers."""
    vehicle(REG)
    return [Caller(signed_in(name, Division.FLEET)) for name in PEOPLE]


@pytest.fixture
def count(app):
    def count(model):
        with app.app_context():
            return db.session.execute(select(func.count()).select_from(model)).scalar_one()

    return count


def find(app, check_id):
    """Return an action that keeps what a check found."""

    def action():
        with app.app_context(), transaction():
            check = db.session.get_one(Check, check_id)
            return list(check_submitted(check, Findings([BRAKES]), by=1)[1])

    return action


def test_of_two_managers_who_sign_off_at_once_one_reads_that_the_other_did(app, managers):
    with app.app_context():
        defect = brakes_fail(by=1)
        number = defect.reference
        repaired(defect.number)
    tag = managers[0]("GET", f"/api/fleet/defects/{number}").headers["ETag"]
    url, body = f"/api/fleet/defects/{number}/close", {"closing": "repaired"}
    replies = run_at_once([partial(call, "POST", url, body, If_Match=tag) for call in managers])
    assert sorted(reply.status_code for reply in replies) == [200, 409]
    refusal = next(reply.json["error"] for reply in replies if reply.status_code == 409)
    winner = next(reply.json["closedBy"] for reply in replies if reply.status_code == 200)
    assert refusal.startswith(f"{winner} signed D-0001 off at ")
    assert refusal.endswith("Nothing was changed.")


def test_one_check_at_once_by_4_threads_opens_one_defect(app, in_app, managers, count):
    check_id = in_app(factories.check, REG, by=1)
    sentences = run_at_once([find(app, check_id)] * 4)
    assert {each[0] for each in sentences} == {
        "Stop: do not drive LK19 VTE. Brakes: fail (D-0001)."
    }
    assert [count(model) for model in (Defect, DefectSighting, OffRoad)] == [1, 0, 1]


def test_checks_of_one_vehicle_at_once_are_one_defect_and_its_sightings(app, managers, count):
    with app.app_context():
        check_ids = [factories.check(REG, by=1) for _ in range(4)]
    run_at_once([find(app, check_id) for check_id in check_ids])
    assert [count(model) for model in (Defect, DefectSighting, OffRoad)] == [1, 3, 1]


def test_defects_of_several_vehicles_at_once_have_numbers_without_gaps(app, managers):
    def report(reg):
        with app.app_context(), transaction():
            wrong = DefectReport(reg, "Horn", "Horn: silent")
            return open_defect(wrong, by=1).number

    regs = [f"AB{n} CDE" for n in range(10, 16)]
    assert sorted(run_at_once([partial(report, reg) for reg in regs])) == list(range(1, 7))


def test_a_new_defect_waits_for_the_last_release_which_raises_the_version_first(app, managers):
    def report(reg, part):
        return open_defect(DefectReport(reg, part, f"{part}: fail"), by=1)

    def report_horn():
        with app.app_context(), transaction():
            return report("AB10 CDE", "Horn").number

    with app.app_context(), ThreadPoolExecutor(1) as pool:
        with transaction():
            increment_version(UPKEEP)
            reporting = pool.submit(report_horn)
            wait_for_lock(reporting)
            assert report(REG, "Lights").number == 1
        assert reporting.result() == 2
