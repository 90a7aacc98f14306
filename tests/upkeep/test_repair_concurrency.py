"""Repairs and returns by several people at once: each once and without deadlocks."""

import pytest

from app import dates
from app.db import db
from app.defects.models import OffRoad
from app.divisions import Division
from app.stock.queries import books
from tests import factories
from tests.fleet.threads import run_at_once
from tests.person import Caller
from tests.upkeep.defect_steps import brakes_fail

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def managers(in_app, signed_in):
    """Return the clients of four managers of Fleet and GFM, with a van and parts in stock."""
    in_app(factories.vehicle, "LK19 VTE")
    in_app(factories.items, [("Bulb", 10), ("Mirror glass", 10)])
    names = (f"manager{number}" for number in range(4))
    return [Caller(signed_in(name, Division.FLEET, Division.GFM)) for name in names]


def statuses(callers, path, *bodies):
    """Return the statuses of a call by several people at once, each with a body of their own."""
    sent = zip(callers, bodies * (len(callers) // len(bodies)), strict=True)
    actions = [lambda call=call, body=body: call("POST", path, body) for call, body in sent]
    return sorted(reply.status_code for reply in run_at_once(actions))


def repair(*parts, **values):
    stock = {"division": "gfm", "site": "main"}
    return {
        "reg": "LK19 VTE",
        "finishedOn": dates.today().isoformat(),
        "note": "Service",
        "stockParts": [{**stock, "item": name, "quantity": number} for name, number in parts],
        **values,
    }


def test_one_of_several_managers_puts_a_vehicle_back(app, managers):
    managers[0]("POST", "/api/fleet/vehicles/LK19VTE/off-road", {"reason": "service"})
    found = statuses(managers, "/api/fleet/vehicles/LK19VTE/return", {})
    assert found == [200, 409, 409, 409]
    with app.app_context():
        assert [time.until is None for time in db.session.query(OffRoad)] == [False]


def test_a_defect_is_repaired_once_and_its_parts_leave_once(app, managers):
    with app.app_context():
        number = brakes_fail().reference
    found = statuses(managers, "/api/fleet/repairs", repair(("Bulb", 1), defects=[number]))
    assert found == [201, 409, 409, 409]
    with app.app_context():
        assert factories.amount("Bulb") == 9


def test_repairs_that_take_the_same_parts_in_any_order_never_take_too_many(app, managers):
    one, other = ("Bulb", 4), ("Mirror glass", 4)
    found = statuses(managers, "/api/fleet/repairs", repair(one, other), repair(other, one))
    assert found == [201, 201, 409, 409]
    with app.app_context():
        assert (factories.amount("Bulb"), factories.amount("Mirror glass")) == (2, 2)
        assert list(books.ledger_problems()) == []


def test_a_repair_is_reversed_by_one_of_several_managers(app, managers):
    managers[0]("POST", "/api/fleet/repairs", repair(("Bulb", 4)))
    assert statuses(managers, "/api/fleet/repairs/R-0001/reverse", None) == [201, 409, 409, 409]
    with app.app_context():
        assert factories.amount("Bulb") == 10
