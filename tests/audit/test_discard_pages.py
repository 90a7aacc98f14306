"""Why a change was discarded that waited in a browser is in the audit trail, once."""

import json
from datetime import timedelta

import pytest

from app import dates
from app.audit import queries, services
from tests import factories
from tests.person import Caller

ADDRESS = "/outbox/discarded"
DISCARD = {
    "entry": "0b7c",
    "title": "Withdraw 5 × HAND WARMER",
    "detail": "GFM Main · Kitchen",
    "reason": "Broken,\n thrown away",
}


@pytest.fixture
def call(signed_in):
    return Caller(signed_in("keeper"))


def discards(app):
    with app.app_context():
        assert list(services.problems()) == []
        return [entry for entry in queries.all_entries() if entry.event == "discard"]


def test_a_reason_is_recorded_once_with_what_was_discarded_and_when_it_was_made(
    app, call, monkeypatch
):
    now = dates.utc_now()
    monkeypatch.setattr(dates, "utc_now", lambda: now)
    for _ in range(2):
        reply = call("POST", ADDRESS, DISCARD, Outbox_Age="3600")
        assert (reply.status_code, reply.json) == (
            200,
            {"message": "Discarded: Withdraw 5 × HAND WARMER."},
        )
    [entry] = discards(app)
    assert (entry.subject, entry.detail["detail"]) == (DISCARD["title"], DISCARD["detail"])
    assert entry.detail["reason"] == "Broken, thrown away"
    assert entry.detail["made"] == (now - timedelta(hours=1)).isoformat(timespec="seconds")


def test_a_form_is_taken_too_and_what_was_made_long_ago(app, call):
    headers = {"X-CSRFToken": call.token}
    assert call.client.post(ADDRESS, data=DISCARD, headers=headers).status_code == 200
    old = call("POST", ADDRESS, DISCARD | {"entry": "2"}, Outbox_Age=str(90 * 86400))
    assert old.status_code == 200
    assert len(discards(app)) == 2


def test_an_entry_is_discarded_once_though_another_reason_is_sent(app, call):
    first = call("POST", ADDRESS, DISCARD)
    again = call("POST", ADDRESS, DISCARD | {"reason": "Sold"})
    assert (again.status_code, again.json) == (200, first.json)
    [entry] = discards(app)
    assert entry.detail["reason"] == "Broken, thrown away"


def test_a_discard_needs_a_reason_of_at_most_400_characters_and_a_token(app, call):
    for changes in ({"reason": ""}, {"reason": "x" * 401}, {"title": ""}, {"entry": " "}):
        reply = call("POST", ADDRESS, DISCARD | changes)
        assert (reply.status_code, set(reply.json["fields"])) == (422, set(changes)), changes
    for body in ([], "text", {"reason": 5}, DISCARD | {"title": ["x"]}):
        assert call("POST", ADDRESS, body).status_code == 400, body
    assert call("POST", ADDRESS, DISCARD | {"reason": "a\0b"}).status_code == 422
    for body in (b"{", b"\xff", b"[" * 10_000 + b"]" * 10_000):
        assert call("POST", ADDRESS, body, Content_Type="application/json").status_code == 400
    half = json.dumps(DISCARD | {"reason": "\ud800"}).encode()
    assert call("POST", ADDRESS, half, Content_Type="application/json").status_code == 422
    stale = call("POST", ADDRESS, DISCARD, X_CSRFToken="stale")
    assert (stale.status_code, stale.json["code"]) == (400, "csrf_token_invalid")
    assert discards(app) == []


def test_somebody_else_discards_nothing(app, in_app, call):
    other = in_app(factories.user, "other")
    reply = call("POST", ADDRESS, DISCARD, Outbox_User=str(other))
    assert (reply.status_code, reply.json["code"]) == (403, "other_user")
    assert discards(app) == []
