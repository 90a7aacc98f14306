"""Vehicles, checks and reviews changed concurrently: each once and without deadlocks."""

from collections import Counter
from functools import partial

import pytest

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.errors import QuartermasterError
from app.fleet.models import Check, CheckPhoto, Vehicle, VehicleEvent
from app.fleet.queries import vehicles as queries
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from app.photos.models import Photo
from tests import factories
from tests.fleet.test_check_data_uris import data_uri
from tests.fleet.threads import run_at_once
from tests.person import Caller, Person
from tests.photos.photo_files import jpeg

pytestmark = pytest.mark.differs_by_engine

BODY = {"reg": "LK19 VTE", "odometer": 48_210, "items": {"Damage": "None"}}


@pytest.fixture
def tabs(app, in_app):
    """Return callers of a signed-in driver, each with a session of their own."""
    in_app(factories.user, "driver", Division.FLEET)
    in_app(factories.vehicle, "LK19 VTE", odometer=40_000)

    def tab():
        person = Person(app)
        person.sign_in("driver", follow=False)
        return Caller(person)

    return [tab() for _ in range(4)]


def submit(call, body, **headers):
    return lambda: call("POST", "/api/fleet/checks", body, **headers)


def count(app, model):
    with app.app_context():
        return db.session.query(model).count()


def test_one_check_sent_by_4_tabs_under_one_key_is_one_check(app, tabs):
    body = BODY | {"photos": [data_uri("photo", jpeg((40, 30)), "image/jpeg")]}
    replies = run_at_once([submit(call, body, Idempotency_Key="one") for call in tabs])
    assert [reply.status_code for reply in replies] == [201] * 4
    assert len({reply.get_data() for reply in replies}) == 1
    assert [count(app, model) for model in (Check, VehicleEvent, CheckPhoto)] == [1, 1, 1]


def test_checks_of_one_vehicle_at_once_all_count_and_agree_with_its_odometer(app, tabs):
    bodies = [BODY | {"odometer": 48_000 + n} for n in range(4)]
    actions = [submit(call, body) for call, body in zip(tabs, bodies, strict=True)]
    replies = run_at_once(actions)
    assert [reply.status_code for reply in replies] == [201] * 4
    listed = tabs[0]("GET", "/api/fleet/entries/LK19VTE").json
    with app.app_context():
        assert db.session.query(Vehicle).one().odometer == listed[0]["odometer"]
    assert count(app, VehicleEvent) == 4
    warnings = {reply.json["id"]: reply.json["warnings"] for reply in replies}
    before = 40_000
    for check in reversed(listed):
        fell = [f"Lower than the last reading, {before:,}."] if check["odometer"] < before else []
        assert warnings[check["id"]] == fell
        # A reading that fell isn't used.
        before = max(before, check["odometer"])


def test_checks_with_the_same_photos_in_other_orders_do_not_deadlock(app, tabs):
    sizes = [(40, 30), (50, 30), (60, 30), (70, 30)]
    inside = [data_uri("photo", jpeg(size), "image/jpeg") for size in sizes]
    with app.app_context():
        ids = [{"name": "p", "id": factories.photo(1, "red", size)} for size in sizes]
    orders = [
        [inside[0], ids[1], ids[2], inside[3]],
        [ids[3], inside[2], inside[1], ids[0]],
        [*reversed(inside)],
        [*ids],
    ]
    actions = [submit(c, BODY | {"photos": some}) for c, some in zip(tabs, orders, strict=True)]
    assert [reply.status_code for reply in run_at_once(actions)] == [201] * 4
    assert (count(app, CheckPhoto), count(app, Photo)) == (16, 8)


def test_4_people_who_review_a_check_at_once_make_one_review(tabs, check, signed_in):
    check()
    people = [signed_in(f"reviewer{n}", Division.FLEET) for n in range(4)]
    pages = [person.open("/fleetChecksList/1/review") for person in people]
    actions = [
        lambda person=person, page=page: person.submit(page, remark="Seen").status
        for person, page in zip(people, pages, strict=True)
    ]
    assert Counter(run_at_once(actions)) == {200: 1, 409: 3}
    [reviewed] = tabs[0]("GET", "/api/fleet/checks").json
    assert reviewed["reviewed"]["at"].startswith(dates.utc_now().strftime("%Y-"))


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
