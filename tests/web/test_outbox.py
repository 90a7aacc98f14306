"""Changes that waited in a browser: whose they are, in which format, how old; and their replies."""

from datetime import datetime, timedelta

import pytest

from app import dates
from app.divisions import Division
from app.web import outbox
from tests import factories
from tests.person import Caller, Person

JSON = {"Accept": "application/json"}


@pytest.fixture
def path(item):
    return f"/inventory/main/items/{item}/action"


@pytest.fixture
def send(person, path):
    """Return a function that sends a withdrawal as the outbox does."""
    token = Caller(person).token

    def send_form(headers=None, address=path, **changes):
        sent = {"X-CSRFToken": token} | JSON | (headers or {})
        return person.client.post(address, data=withdrawal() | changes, headers=sent)

    return send_form


def withdrawal():
    form = {"action": "withdrawal", "quantity": "3", "team": "Kitchen", "key": "k-1"}
    return form | {"date": dates.today().isoformat()}


def session_of(person):
    return person.client.get("/session", headers=JSON)


def test_a_script_sees_who_is_signed_in_and_gets_a_token(person, item, path, stock):
    reply = session_of(person)
    session = reply.json
    user = {"username": "keeper", "divisions": ["gfm"], "chosen": "gfm", "expired": False}
    assert {name: session[name] for name in session if name not in ("user", "csrf", "now")} == user
    assert session["now"] <= dates.utc_now().isoformat()
    assert reply.headers["Cache-Control"] == "no-store"
    assert "default-src" in reply.headers["Content-Security-Policy"]
    headers = JSON | {"X-CSRFToken": session["csrf"], "Outbox-User": str(session["user"])}
    assert person.client.post(path, data=withdrawal(), headers=headers).status_code == 200
    assert stock() == 7


@pytest.mark.usefixtures("item")
def test_a_ping_answers_with_the_time_in_utc(person):
    reply = person.client.get("/api/ping")
    assert (reply.status_code, reply.json["ok"]) == (200, True)
    time = datetime.fromisoformat(reply.json["time"])
    assert time.utcoffset() == timedelta(0)
    assert dates.utc_now() - time < timedelta(minutes=1)
    assert reply.headers["Cache-Control"] == "no-store"


def test_nobody_signed_in_is_an_error_for_a_script(app):
    reply = session_of(Person(app))
    assert reply.status_code == 401
    assert reply.json["code"] == "sign_in_required"
    assert "Content-Security-Policy" in reply.headers


@pytest.mark.usefixtures("item")
def test_a_session_that_has_expired_is_named_and_not_renewed(person, monkeypatch):
    start = dates.utc_now()
    monkeypatch.setattr(dates, "utc_now", lambda: start + timedelta(minutes=31))
    for _ in range(2):
        assert session_of(person).json["expired"] is True


def test_a_form_answers_a_script_by_json(send, stock):
    reply = send()
    done = {"message": "Red heart: withdrew 3, 7 left.", "warnings": []}
    done["undo"] = "/inventory/main/operations/2/undo"
    assert (reply.status_code, reply.json) == (200, done)
    assert send().json == reply.json
    assert stock() == 7


def test_a_form_tells_a_script_what_is_wrong_by_its_fields(send, stock):
    reply = send(quantity="0", date="2999-01-01")
    assert reply.status_code == 422
    assert reply.json["code"] == "invalid"
    assert reply.json["error"] == reply.json["fields"]["quantity"]
    assert set(reply.json["fields"]) == {"quantity", "date"}
    assert send(team="").json["fields"] == {"team": "Team is required"}
    missing = send(address="/inventory/main/items/99/action")
    assert (missing.status_code, missing.json["code"]) == (404, "not_found")
    assert stock() == 10


def test_a_stale_token_has_a_code_of_its_own(person, send, stock):
    page = send({"X-CSRFToken": "stale"})
    call = person.client.patch(
        "/api/gfm/inventory/main", json={"ops": []}, headers=JSON | {"X-CSRFToken": "stale"}
    )
    for reply in (page, call):
        assert (reply.status_code, reply.json["code"]) == (400, "csrf_token_invalid")
    assert stock() == 10


def test_an_undo_answers_a_script_by_json(send, stock):
    undo = send().json["undo"]
    done = send(address=undo, key="u-1")
    assert done.json["message"] == "Withdrawal of 3 × Red heart undone: 10 in stock."
    assert done.json["undo"].endswith("/undo")
    again = send(address=undo, key="u-2")
    assert (again.status_code, again.json["code"]) == (409, "conflict")
    assert stock() == 10


def test_a_change_of_another_user_is_refused_before_anything_is_done(app, person, send, stock):
    with app.app_context():
        other = str(factories.user("other"))
    own = str(session_of(person).json["user"])
    reply = send({"Outbox-User": other})
    assert (reply.status_code, reply.json["code"]) == (403, "other_user")
    photo = person.client.put(
        f"/api/photos/{'0' * 64}", data=b"x", headers=JSON | {"Outbox-User": other}
    )
    assert photo.json["code"] == "other_user"
    assert stock() == 10
    assert send({"Outbox-User": own}).status_code == 200


def test_a_format_is_read_for_one_release_longer(send, stock):
    for schema in (outbox.SCHEMA - 2, outbox.SCHEMA + 1):
        reply = send({"Outbox-Schema": str(schema)})
        assert (reply.status_code, reply.json["code"]) == (422, "outbox_schema"), schema
    assert stock() == 10
    for schema in (outbox.SCHEMA - 1, outbox.SCHEMA):
        assert send({"Outbox-Schema": str(schema)}).status_code == 200, schema
    assert stock() == 7


def test_a_change_that_was_made_long_ago_is_confirmed_first(send, stock):
    old = {"Outbox-Age": str(31 * 24 * 3600)}
    reply = send(old)
    assert (reply.status_code, reply.json["code"]) == (422, "made_long_ago")
    day = dates.format_day(dates.london_day(dates.utc_now() - timedelta(days=31)))
    assert day in reply.json["error"]
    assert stock() == 10
    assert send(old | {"Outbox-Confirmed": "1"}).status_code == 200
    assert stock() == 7


@pytest.mark.parametrize("name", ["Outbox-User", "Outbox-Schema", "Outbox-Age"])
def test_headers_that_are_no_numbers_are_refused(send, name, stock):
    for value in ("", "x", "1.5", "9" * 11, "٣"):
        reply = send({name: value.encode().decode("latin-1")})
        assert (reply.status_code, reply.json["code"]) == (400, "malformed"), value
        assert name in reply.json["error"]
    assert stock() == 10


def test_an_age_before_now_or_over_two_years_is_refused(send, stock):
    longest = int(outbox.LONGEST_WAIT.total_seconds())
    for age in (-5, longest + 1, 9_999_999_999):
        reply = send({"Outbox-Age": str(age)})
        assert (reply.status_code, reply.json["code"]) == (400, "malformed"), age
        assert f"from 0 to {longest}" in reply.json["error"]
    assert stock() == 10


def test_the_moment_is_counted_back_from_our_clock(app):
    now = dates.utc_now()
    for age in (0, 3600, int(outbox.LONGEST_WAIT.total_seconds())):
        with app.test_request_context(headers={"Outbox-Age": str(age)}):
            made_at = outbox.made_at()
            assert abs(made_at - now + timedelta(seconds=age)) < timedelta(minutes=1), age
    with app.test_request_context():
        assert outbox.made_at() is None


def test_a_change_that_waited_needs_no_division_to_be_chosen_again(app, path, item, stock):
    with app.app_context():
        number = str(factories.user("both", Division.GFM, Division.GPM))
    both = Person(app)
    both.sign_in("both", follow=False)
    headers = JSON | {"X-CSRFToken": session_of(both).json["csrf"]}
    assert both.client.post(path, data=withdrawal(), headers=headers).status_code == 409
    sent = both.client.post(path, data=withdrawal(), headers=headers | {"Outbox-User": number})
    assert sent.status_code == 200
    assert session_of(both).json["chosen"] is None
    assert stock() == 7


def test_what_waited_is_taken_literally_where_a_screen_would_confirm_a_name(send, person, path):
    assert send(key="k-0").status_code == 200
    assert person.submit(person.open(path), team="Kitch").question[1:-1] == ["Kitchen"]
    assert send(team="Kitch").status_code == 200
