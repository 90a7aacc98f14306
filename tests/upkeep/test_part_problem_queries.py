import pytest

from app.db import db, transaction
from app.defects.models import RepairPart
from app.defects.queries.repairs import part_problems
from app.defects.rules.fields import RepairValues, StockPart
from app.defects.services.repairs import record_repair, reverse_repair
from app.divisions import Division, Site, Store
from app.stock.models import Item
from tests import factories
from tests.silent_changes import written_directly
from tests.upkeep.rows import DAY, LK19

pytestmark = pytest.mark.differs_by_engine


def test_parts_of_repairs_are_those_of_the_ledger_also_when_they_came_back(app):
    with app.app_context():
        by = factories.user("k.lee", Division.FLEET, Division.GPM)
        factories.vehicle(LK19)
        factories.item("Bulb", 10, store=factories.GPM)
        part = StockPart(Store(Division.GPM, Site.MAIN), "Bulb", 3)
        values = RepairValues(reg=LK19, finished_on=DAY, note="Bulbs", stock_parts=[part])
        with transaction():
            first = record_repair(values, by=by).number
        with transaction():
            reverse_repair(first, by=by)
        assert db.session.query(Item.amount).scalar() == 10
        assert list(part_problems()) == []
        with written_directly(), transaction():
            db.session.query(RepairPart).filter_by(quantity=3).update({"quantity": 4})
        assert list(part_problems()) == ["R-0001 has 4 parts from stock, the ledger 3"]
