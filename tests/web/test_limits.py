"""Costly requests have a limit for each user and each address."""

from dataclasses import replace

import pytest

from app.divisions import Division
from app.web import limits
from tests import factories
from tests.person import Person
from tests.web.test_bodies import Unread

pytestmark = pytest.mark.own_app

EXPORTS = ("/assets/export", "/assets/history/export", "/history/export", "/gpm/history/export")
CHECKS = ("/fleetChecksList/vehicle-checks.csv", "/fleetChecksList/vehicle-checks.json")


@pytest.fixture
def limited(app, in_app):
    """The application with a limit of two exports and of two photos in a minute."""
    limit(app, exports_per_minute=2, photos_per_minute=2)
    for number in range(3):
        in_app(factories.user, f"user{number}", *Division)
    return app


def limit(app, **changes):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], **changes)


def signed_in(app, number):
    person = Person(app)
    person.sign_in(f"user{number}", follow=False)
    person.submit(person.open("/choose"), division="gpm")
    return person


def check_refusal(reply, what):
    assert reply.status_code == 429
    seconds = int(reply.headers["Retry-After"])
    assert 1 <= seconds <= 60
    assert f"Too many {what} within a minute. Try again in {seconds} second" in reply.text


def test_exports_of_one_user_are_limited_whatever_is_exported(limited):
    client = signed_in(limited, 0).client
    for path in EXPORTS[:2]:
        assert client.get(path).status_code == 200
    for path in (*EXPORTS, *CHECKS):
        check_refusal(client.get(path), "exports")
    assert client.get("/assets").status_code == 200
    assert signed_in(limited, 1).client.get(EXPORTS[0]).status_code == 200


def test_an_address_has_a_limit_for_all_of_its_users(limited, monkeypatch):
    monkeypatch.setattr(limits, "USERS_PER_ADDRESS", 1)
    for number in range(2):
        assert signed_in(limited, number).client.get(EXPORTS[0]).status_code == 200
    third = signed_in(limited, 2).client
    check_refusal(third.get(EXPORTS[0]), "exports")
    elsewhere = {"REMOTE_ADDR": "192.0.2.9"}
    assert third.get(EXPORTS[0], environ_overrides=elsewhere).status_code == 200


def test_after_a_minute_the_limit_begins_anew(monkeypatch):
    now = 1000.0
    counts = limits.RequestCounts()
    monkeypatch.setattr(limits.time, "monotonic", lambda: now)
    assert [counts.add({"a": 2, "b": 3}) for _ in range(3)] == [0, 0, 60]
    now += 45
    assert counts.add({"a": 2}) == 15
    assert counts.add({"b": 3}) == 0, "what was refused isn't counted"
    counts.clear()
    assert counts.add({"a": 2}) == 0


def test_photos_beyond_the_limit_are_refused_before_they_are_read(limited):
    person = signed_in(limited, 0)
    token = {"X-CSRFToken": person.open("/choose").fields("form[method=post]")["csrf_token"]}
    for _ in range(2):
        reply = person.client.put(f"/api/photos/{'0' * 64}", data=b"no photo", headers=token)
        assert reply.status_code == 415
    body = {"input_stream": Unread(), "content_length": 9}
    reply = person.client.put(f"/api/photos/{'0' * 64}", headers=token, **body)
    check_refusal(reply, "photos or checks")
    assert reply.json["code"] == "throttled"
    for path, options in (("/api/checks", {"json": {}}), ("/fleetChecks", {"data": {}})):
        check_refusal(person.client.post(path, headers=token, **options), "photos or checks")


def test_without_a_limit_nothing_is_counted(limited):
    limit(limited, exports_per_minute=0)
    client = signed_in(limited, 0).client
    assert {client.get(EXPORTS[0]).status_code for _ in range(5)} == {200}
