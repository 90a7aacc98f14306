from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, OffRoad
from app.defects.rules.fields import Closing
from app.defects.services.defects import DefectReport
from app.defects.services.reports import report_by_hand
from app.due.models import DueItem
from app.due.queries.due import get_item, get_row
from app.due.rules.fields import DueClosing, DueKind
from app.due.services import due as services
from app.due.services.due import DueValues
from app.errors import Invalid
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList
from app.fleet.services import lists
from tests import factories
from tests.fleet.threads import wait_for_lock
from tests.upkeep import rows
from tests.upkeep.due_steps import add, done, undo
from tests.upkeep.rows import LK19

pytestmark = pytest.mark.differs_by_engine

OTHER = "YD21 HMO"


@pytest.fixture
def by(app):
    """Provide two vehicles with an open defect, item and time off the road each."""
    with app.app_context():
        user = factories.user("k.lee")
        for reg in (LK19, OTHER):
            factories.vehicle(reg)
            rows.defect(reg)
            rows.due_item(reg)
            rows.off_road(reg)
        yield user


def add_item(by):
    with transaction():
        services.add_item(DueValues([LK19], DueKind.SERVICE, due_on=dates.today()), by=by)


def report_defect(by):
    report = DefectReport(LK19, "Horn", "Horn: silent", None, "", dates.today())
    with transaction():
        report_by_hand(report, by=by)


def keep_alone(reg, by):
    with transaction():
        leave(reg, by)


def leave(reg, by):
    """Replace the list by one vehicle in the transaction."""
    states = [
        queries.vehicle_state(each)
        for each in queries.all_vehicles(FleetList.VEHICLES)
        if each.reg == reg
    ]
    version = queries.list_version(FleetList.VEHICLES)
    lists.replace_vehicles(FleetList.VEHICLES, states, versions=[version], by=by)


def closings():
    defects = select(Defect.reg, Defect.closing)
    items = select(DueItem.reg, DueItem.closing)
    times = select(OffRoad.reg, OffRoad.until)
    return [dict(map(tuple, db.session.execute(each))) for each in (defects, items, times)]


def test_what_is_open_of_a_vehicle_that_leaves_the_list_closes(by):
    keep_alone(OTHER, by)
    defects, items, times = closings()
    assert defects == {LK19: Closing.VEHICLE_LEFT, OTHER: None}
    assert items == {LK19: DueClosing.VEHICLE_LEFT, OTHER: None}
    assert times[LK19] is not None
    assert times[OTHER] is None


def test_a_vehicle_that_another_list_has_stays_as_it_is(by):
    factories.vehicle(LK19, vans=True)
    keep_alone(OTHER, by)
    assert [each[LK19] for each in closings()] == [None, None, None]


def test_undo_leaves_closed_what_was_done_of_a_vehicle_that_left_since(by):
    item = add(by, dates.today(), kind=DueKind.SERVICE, regs=(LK19,))
    change = done(by, item, done_on=dates.today())
    keep_alone(OTHER, by)
    assert undo(by, change).stays_closed == "its vehicle is in no list any more"
    assert get_item(item).closing is DueClosing.VEHICLE_LEFT


def test_undo_opens_a_shared_item_for_those_of_its_vehicles_that_stayed(by):
    item = add(by, dates.today(), kind=DueKind.INSURANCE, regs=(LK19, OTHER))
    change = done(by, item, done_on=dates.today())
    keep_alone(OTHER, by)
    undo(by, change)
    assert list(get_row(item).vehicles.values()) == [OTHER]


@pytest.mark.parametrize("add_to", [add_item, report_defect], ids=["item", "defect"])
def test_nothing_is_added_to_a_vehicle_that_leaves_meanwhile(app, by, add_to):
    def refused():
        with app.app_context(), pytest.raises(Invalid, match=f"There is no vehicle {LK19}"):
            add_to(by)
        return True

    with ThreadPoolExecutor(1) as pool:
        with transaction():
            leave(OTHER, by)
            adding = pool.submit(refused)
            wait_for_lock(adding)
        assert adding.result()
