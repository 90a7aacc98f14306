import pytest
from sqlalchemy import select

from app.db import db, transaction
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList
from app.fleet.services import lists
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueItem
from app.upkeep.models.off_road import OffRoad
from app.upkeep.rules.kinds import Closing, DueClosing
from tests import factories
from tests.upkeep import rows
from tests.upkeep.rows import LK19

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


def keep_alone(reg, by):
    states = [
        queries.vehicle_state(each)
        for each in queries.all_vehicles(FleetList.VEHICLES)
        if each.reg == reg
    ]
    version = queries.list_version(FleetList.VEHICLES)
    with transaction():
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
