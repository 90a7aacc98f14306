"""What `flask verify` finds where somebody changed the database itself."""

import pytest
from sqlalchemy import update

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, OffRoad, Repair
from app.defects.queries import off_road, repairs
from app.defects.rules.fields import RepairValues, StockPart
from app.defects.services.off_road import return_to_road
from app.defects.services.repairs import record_repair, reverse_repair
from app.divisions import Division
from app.due.queries.due import left_problems
from tests import factories
from tests.upkeep import rows
from tests.upkeep.defect_steps import brakes_fail

pytestmark = [
    pytest.mark.differs_by_engine,
    pytest.mark.usefixtures("context"),
    pytest.mark.writes_directly,
]

REG = "LK19 VTE"


@pytest.fixture(autouse=True)
def van(context):
    factories.user("k.lee", Division.FLEET, Division.GFM)
    factories.vehicle(REG)
    factories.item("Bulb", 5)


@pytest.fixture
def stopped(van):
    return brakes_fail(by=1).reference


def change(model, **values):
    with transaction():
        db.session.execute(update(model).values(**values))


def found():
    return [
        *off_road.off_road_problems(),
        *off_road.stop_problems(),
        *repairs.repair_problems(),
    ]


def test_a_stop_defect_of_a_vehicle_on_the_road_is_found(stopped):
    assert found() == []
    change(OffRoad, until=dates.utc_now())
    assert found() == [f"{stopped} stops {REG}, which isn't off the road"]


def test_an_override_is_no_problem(stopped):
    with transaction():
        return_to_road(REG, note="", override_reason="Driven to the garage", by=1)
    assert found() == []


def test_a_time_that_ends_before_it_begins_is_found(stopped):
    change(OffRoad, until=dates.noon_in_london(factories.DAY), override_reason="None")
    assert any("ends before it begins" in problem for problem in found())


def test_an_open_item_of_a_vehicle_in_no_list_is_found():
    rows.due_item(REG)
    rows.due_item(shared=(REG, "OLD 1"))
    assert list(left_problems()) == ["OLD 1: item 2 is open, and the vehicle is in no list"]


def test_an_open_defect_of_a_vehicle_in_no_list_is_found(stopped):
    assert list(left_problems()) == []
    change(Defect, reg="OLD 1", reg_key="OLD1")
    assert list(left_problems()) == [f"OLD 1: {stopped} is open, and the vehicle is in no list"]


def test_a_reversal_that_does_not_cancel_a_repair_out_is_found():
    bulb = StockPart(factories.MAIN, "Bulb", 1)
    values = RepairValues(
        reg=REG, note="Lights", labour=100, finished_on=dates.today(), stock_parts=[bulb]
    )
    with transaction():
        record_repair(values, by=1)
    with transaction():
        reverse_repair(1, by=1)
    assert found() == []
    with transaction():
        db.session.execute(update(Repair).filter_by(number=1).values(labour=200))
    assert found() == ["R-0002 doesn't take back what R-0001 cost"]
