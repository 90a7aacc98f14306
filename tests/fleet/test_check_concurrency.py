"""Checks submitted and reviewed concurrently: each once and without deadlocks."""

import base64
from collections import Counter

import pytest

from app import dates
from app.db import db
from app.divisions import Division
from app.fleet.models import Check, CheckPhoto, Vehicle, VehicleEvent
from app.photos.models import Photo
from tests import factories
from tests.fleet.threads import run_at_once
from tests.person import Caller, Person
from tests.photos.photo_files import encoded, marked

pytestmark = pytest.mark.differs_by_engine

BODY = {"reg": "LK19 VTE", "odometer": 48_210, "items": {"Damage": "None"}}


@pytest.fixture
def tabs(app):
    """Return callers of a signed-in driver, each with a session of their own."""
    with app.app_context():
        factories.user("driver", Division.FLEET)
        factories.vehicle("LK19 VTE", odometer=40_000)

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


def data_uri(size):
    data = base64.b64encode(encoded(marked(size))).decode()
    return {"name": "photo", "dataUri": f"data:image/jpeg;base64,{data}"}


def test_one_check_sent_by_4_tabs_under_one_key_is_one_check(app, tabs):
    body = BODY | {"photos": [data_uri((40, 30))]}
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
    inside = [data_uri(size) for size in sizes]
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
