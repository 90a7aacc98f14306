"""Concurrent changes of vehicles."""

import threading

from app.db import db, transaction
from app.errors import QuartermasterError
from app.fleet.models import Vehicle, VehicleEvent
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services import lists
from app.fleet.services import vehicles as services


def at_once(app, works):
    """Run each action in a transaction and thread of its own; return their results, sorted."""
    gate, results = threading.Barrier(len(works)), []

    def run(work):
        with app.app_context():
            gate.wait()
            try:
                with transaction():
                    work()
                results.append("done")
            except QuartermasterError as error:
                results.append(error.message)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(results)


def test_four_people_adding_one_registration_at_once_make_one_vehicle(app):
    def add():
        services.add_vehicle(VehicleState("LK19 VTE", status="In use"), by=None)

    refused = "There is a vehicle LK19 VTE already."
    assert at_once(app, [add] * 4) == [refused] * 3 + ["done"]
    with app.app_context():
        assert db.session.query(Vehicle).count() == 1
        assert db.session.query(VehicleEvent).count() == 1


def test_of_four_concurrent_edits_of_one_revision_one_succeeds(app, vehicle):
    one = vehicle()

    def edit_to(status):
        def edit():
            services.edit_vehicle(one, VehicleState("", status=status), revision=0, by=None)

        return edit

    results = at_once(app, [edit_to(f"Status {n}") for n in range(4)])
    assert results.count("done") == 1
    with app.app_context():
        (event,) = db.session.query(VehicleEvent).all()
        assert db.session.get(Vehicle, one).status == event.status


def test_concurrent_replacements_and_an_addition_lose_nothing_unseen(app, vehicle):
    vehicle("OLD 1")
    with app.app_context():
        seen = {queries.list_version(FleetList.VEHICLES)}

    def replace():
        new = [VehicleState("LIST 1")]
        lists.replace_vehicles(FleetList.VEHICLES, new, versions=seen, by=None)

    def add():
        services.add_vehicle(VehicleState("NEW 1"), by=None)

    results = at_once(app, [replace, replace, add])
    changed = "The list has changed since. Load it again."
    assert results.count(changed) in (1, 2)
    with app.app_context():
        regs = {v.reg for v in db.session.query(Vehicle)}
    # Either a list came first and the addition joined it, or the addition made both stale.
    assert regs in ({"LIST 1", "NEW 1"}, {"OLD 1", "NEW 1"})
