"""Concurrent changes of vehicles."""

from functools import partial

import pytest

from app.db import db, transaction
from app.errors import QuartermasterError
from app.fleet.models import Vehicle, VehicleEvent
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from tests.fleet.threads import run_at_once

pytestmark = pytest.mark.differs_by_engine


def run_services(app, services):
    """Run services concurrently, each in a transaction; return 'done' or their error, sorted."""

    def run(service):
        with app.app_context():
            try:
                with transaction():
                    service()
            except QuartermasterError as error:
                return error.message
            return "done"

    return sorted(run_at_once([partial(run, service) for service in services]))


def test_four_people_adding_one_registration_at_once_make_one_vehicle(app):
    def add():
        services.add_vehicle(VehicleState("LK19 VTE", status="In use"), by=None)

    refused = "Vehicle LK19 VTE already exists."
    assert run_services(app, [add] * 4) == [refused] * 3 + ["done"]
    with app.app_context():
        assert db.session.query(Vehicle).count() == 1
        assert db.session.query(VehicleEvent).count() == 1


def test_of_four_concurrent_edits_of_one_revision_one_succeeds(app, vehicle):
    one = vehicle()

    def edit_to(status):
        def edit():
            services.edit_vehicle(one, VehicleState("", status=status), revision=0, by=None)

        return edit

    results = run_services(app, [edit_to(f"Status {n}") for n in range(4)])
    assert results.count("done") == 1
    with app.app_context():
        (event,) = db.session.query(VehicleEvent).all()
        assert db.session.get(Vehicle, one).status == event.status


def test_concurrent_replacements_never_remove_an_added_vehicle(app, vehicle):
    vehicle("OLD 1")
    with app.app_context():
        seen = {queries.list_version(FleetList.VEHICLES)}

    def replace():
        new = [VehicleState("LIST 1")]
        lists.replace_vehicles(FleetList.VEHICLES, new, versions=seen, by=None)

    def add():
        services.add_vehicle(VehicleState("NEW 1"), by=None)

    results = run_services(app, [replace, replace, add])
    changed = "The list has changed since. Load it again."
    assert results.count(changed) in (1, 2)
    with app.app_context():
        regs = {v.reg for v in db.session.query(Vehicle)}
    # Either a list came first and the addition joined it, or the addition made both stale.
    assert regs in ({"LIST 1", "NEW 1"}, {"OLD 1", "NEW 1"})
