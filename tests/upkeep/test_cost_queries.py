from datetime import UTC, date, datetime
from functools import partial

import pytest

from app.defects.models import DefectSighting
from app.defects.rules.fields import Closing
from app.due.rules.fields import DueKind
from app.fleet.rules.findings import SightingAnswer
from app.vehicle_file.queries import costs
from app.vehicle_file.queries.cost_sources import CostFilters
from app.vehicle_file.rules import CostKind
from tests import factories
from tests.upkeep import rows
from tests.upkeep.rows import LK19

pytestmark = pytest.mark.differs_by_engine

YEAR = CostFilters(date(2026, 1, 1), date(2026, 12, 31))
OTHER = "YD21 HMO"


@pytest.fixture
def fleet(app):
    """Provide the application with an account and a vehicle."""
    with app.app_context():
        factories.user()
        factories.vehicle(LK19)
        yield


def sums(filters=YEAR):
    return {cost.kind: cost.pence for cost in costs.cost_report(filters).months}


def test_a_repair_costs_labour_parts_other_and_the_parts_from_stock(fleet):
    repair = rows.repair(labour=10_000, parts=2_050, other=99)
    rows.part(repair, 300)
    rows.part(repair, 4)
    assert sums() == {CostKind.REPAIR: 12_453}


def test_a_reversed_repair_and_its_reversal_cost_nothing(fleet):
    reversed_ = rows.repair(labour=10_000)
    rows.repair(labour=-10_000, reverses_id=reversed_, finished_on=date(2026, 5, 1))
    rows.repair(labour=700)
    assert sums() == {CostKind.REPAIR: 700}


def test_a_checks_cost_counts_until_a_defect_of_it_is_repaired(fleet):
    check = factories.check(LK19, day=date(2026, 3, 1), cost=2_500)
    factories.check(LK19, day=date(2026, 3, 2), cost=100)
    defect = rows.defect(check_id=check)
    assert sums() == {CostKind.CHECK: 2_600}
    repair = rows.repair(labour=3_000, defects=(defect,))
    assert sums() == {CostKind.CHECK: 100, CostKind.REPAIR: 3_000}
    rows.repair(labour=-3_000, reverses_id=repair)
    assert sums() == {CostKind.CHECK: 2_600}


def sighting(check_id, defect_id, answer=SightingAnswer.YES):
    seen = {"answer": answer, "day": rows.DAY, "recorded_at": rows.AT}
    rows.store(DefectSighting(check_id=check_id, defect_id=defect_id, **seen))


def test_a_checks_cost_counts_until_a_defect_that_it_saw_is_repaired(fleet):
    defect = rows.defect()
    sighting(factories.check(LK19, day=date(2026, 3, 1), cost=8_000), defect)
    sighting(factories.check(LK19, day=date(2026, 3, 2), cost=1), defect, SightingAnswer.ABSENT)
    assert sums() == {CostKind.CHECK: 8_001}
    rows.repair(labour=8_000, defects=(defect,))
    assert sums() == {CostKind.CHECK: 1, CostKind.REPAIR: 8_000}


def test_the_defect_that_an_undo_opened_stands_for_the_one_that_a_check_found(fleet):
    opened = factories.check(LK19, day=date(2026, 3, 1), cost=2_500)
    seen = factories.check(LK19, day=date(2026, 3, 2), cost=100)
    brakes = partial(rows.defect, part_key="brakes")
    signed_off = brakes(check_id=opened, closing=Closing.REPAIRED)
    sighting(seen, signed_off)
    repair = rows.repair(labour=3_000, defects=(signed_off,))
    rows.repair(labour=-3_000, reverses_id=repair)
    for labour in (2_900, 2_800):
        rows.defect(OTHER, part_key="brakes", closing=Closing.NO_FAULT)
        anew = brakes(closing=Closing.REPAIRED)
        assert sums() == {CostKind.CHECK: 2_600}
        repair = rows.repair(labour=labour, defects=(anew,))
        assert sums() == {CostKind.REPAIR: labour}
        rows.repair(labour=-labour, reverses_id=repair)
    brakes(closing=Closing.NO_FAULT)
    rows.repair(labour=700, defects=(brakes(),))
    assert sums() == {CostKind.CHECK: 2_600, CostKind.REPAIR: 700}


def test_another_part_stands_for_no_defect_whose_repair_was_undone(fleet):
    check = factories.check(LK19, day=date(2026, 3, 1), cost=2_500)
    rows.defect(check_id=check, closing=Closing.REPAIRED)
    rows.repair(labour=700, defects=(rows.defect(),))
    assert sums() == {CostKind.CHECK: 2_500, CostKind.REPAIR: 700}


def test_what_was_done_counts_by_its_kind_unless_it_was_taken_back(fleet):
    item = rows.due_item()
    rows.done(item, cost=5_485)
    rows.done(item, cost=4_000, undone_at=datetime(2026, 3, 5, tzinfo=UTC))
    rows.done(rows.due_item(kind=DueKind.TAX), cost=32_000)
    assert sums() == {CostKind.MOT: 5_485, CostKind.TAX: 32_000}


def test_vehicles_share_the_cost_of_an_item_to_the_penny(fleet):
    item = rows.due_item(kind=DueKind.INSURANCE, shared=(OTHER, LK19, "KN23 AWD"))
    rows.done(item, cost=100_001)
    found = {vehicle.reg: vehicle.pence for vehicle in costs.cost_report(YEAR).vehicles}
    assert found == {"KN23 AWD": 33_334, LK19: 33_334, OTHER: 33_333}
    one = CostFilters(YEAR.start, YEAR.end, "yd21hmo")
    assert sums(one) == {CostKind.INSURANCE: 33_333}


def test_sums_are_those_of_the_rows_whatever_is_filtered(fleet):
    rows.repair(labour=10_000, finished_on=date(2026, 1, 1))
    rows.repair(OTHER, labour=1, finished_on=date(2026, 12, 31))
    rows.repair(labour=999, finished_on=date(2027, 1, 1))
    factories.check(LK19, day=date(2026, 3, 2), cost=33)
    rows.done(rows.due_item(OTHER), cost=5_485)
    rows.done(rows.due_item(shared=(LK19, OTHER)), cost=101)
    january = CostFilters(date(2026, 1, 1), date(2026, 1, 31))
    of_kinds = CostFilters(YEAR.start, YEAR.end, kinds=[CostKind.MOT, CostKind.CHECK])
    of_one = CostFilters(YEAR.start, YEAR.end, "lk19vte")
    for filters, pence in ((YEAR, 15_620), (january, 10_000), (of_kinds, 5_619), (of_one, 10_084)):
        report = costs.cost_report(filters)
        streamed = list(costs.all_costs(filters))
        page, page_pence = costs.cost_page(filters)
        assert report.pence == pence, filters
        assert sum(vehicle.pence for vehicle in report.vehicles) == pence, filters
        assert sum(row.pence for row in streamed) == pence, filters
        assert list(page.rows) == streamed, filters
        assert page_pence == pence, filters
        assert page.total == len(streamed), filters


def test_rows_lead_to_where_their_costs_come_from_newest_first(fleet):
    check = factories.check(LK19, day=date(2026, 3, 2), cost=33)
    done = rows.done(rows.due_item(), cost=5_485, done_on=date(2026, 3, 4))
    repair = rows.repair(labour=1, finished_on=date(2026, 3, 3), garage="Kwik Fit")
    found = [(row.source, row.source_id, row.reference, row.text) for row in costs.all_costs(YEAR)]
    assert found == [
        ("due", done, "", "MOT"),
        ("repair", repair, "R-0001", "Kwik Fit"),
        ("check", check, "", ""),
    ]


def test_miles_are_those_between_the_oldest_and_newest_accepted_reading(fleet):
    rows.repair(labour=50_000)
    rows.repair(OTHER, labour=70_000)
    rows.reading(40_000, day=date(2025, 12, 31))
    rows.reading(41_000, day=date(2026, 1, 1))
    rows.reading(43_000, day=date(2026, 6, 1))
    rows.reading(480_210, day=date(2026, 6, 2), is_accepted=False)
    rows.reading(90_000, day=date(2026, 6, 3), void_at=datetime(2026, 6, 4, tzinfo=UTC))
    rows.reading(7_000, OTHER, day=date(2026, 6, 3))
    rows.reading(10_000, "KN23 AWD", day=date(2026, 1, 1))
    rows.reading(13_000, "KN23 AWD", day=date(2026, 6, 3))
    report = costs.cost_report(YEAR)
    assert {(each.reg, each.miles, each.per_mile) for each in report.vehicles} == {
        (OTHER, None, None),
        (LK19, 2_000, 25.0),
    }
    assert (report.pence, report.measured_pence) == (120_000, 50_000)
    assert (report.miles, report.measured, report.per_mile) == (5_000, 2, 10.0)
    of_one = costs.cost_report(CostFilters(YEAR.start, YEAR.end, "lk19vte"))
    assert (of_one.miles, of_one.per_mile) == (2_000, 25.0)
