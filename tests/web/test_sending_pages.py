"""Pages say when a change that waited was made, and when it was sent."""

from datetime import UTC, datetime

import pytest

from app import dates
from app.divisions import Division
from app.stock.forms import MoveStockForm
from tests import factories
from tests.person import Caller, Page

NOW = datetime(2026, 1, 15, 14, 2, tzinfo=UTC)
EARLIER = str(4 * 3600 + 22 * 60)
TWO_DAYS = str(2 * 86400 + 4 * 3600 + 22 * 60)


@pytest.fixture
def call(signed_in, monkeypatch):
    monkeypatch.setattr(dates, "utc_now", lambda: NOW)
    divisions = Division.GFM, Division.FLEET
    return Caller(signed_in("keeper", *divisions, division=Division.GFM))


def open_page(call, path):
    return Page(call.client.get(path))


def withdraw(call, item, age, key):
    form = {"action": "withdrawal", "quantity": "1", "team": "Kitchen", "key": key}
    form["date"] = "2026-01-15"
    headers = {"X-CSRFToken": call.token, "Accept": "application/json", "Outbox-Age": age}
    reply = call.client.post(f"/inventory/main/items/{item}/action", data=form, headers=headers)
    assert reply.status_code == 200, reply.json


def test_a_withdrawal_that_waited_shows_both_times_wherever_it_is_listed(in_app, call):
    item = in_app(factories.item, "Red heart", 10)
    for number, age in enumerate(("0", EARLIER, TWO_DAYS)):
        withdraw(call, item, age, f"k-{number}")
    texts = ["Sent 15 Jan 14:02, made 13 Jan 9:40", "Sent 14:02, made 9:40"]
    for path in (f"/inventory/main/items/{item}", f"/inventory/main/items/{item}/history"):
        page = open_page(call, path)
        assert page.all("tr .note")[:2] == texts, path
    page = open_page(call, "/history")
    assert [note for note in page.all("tr .note") if note.startswith("Sent")] == texts


def test_a_form_that_was_applied_gets_its_reply_where_it_would_be_refused_today(
    in_app, call, monkeypatch, stock
):
    item = in_app(factories.item, "Red heart", 10)
    withdraw(call, item, "0", "k-1")

    def refuse_all(form, extra_validators=None):
        form.quantity.errors = ["At most 0"]
        return False

    monkeypatch.setattr(MoveStockForm, "validate", refuse_all)
    withdraw(call, item, EARLIER, "k-1")
    assert stock() == 9


def test_an_edited_form_is_refused_as_another_body_though_it_is_invalid(in_app, call):
    item = in_app(factories.item, "Red heart", 10)
    withdraw(call, item, "0", "k-1")
    form = {"action": "withdrawal", "quantity": "0", "team": "Kitchen", "key": "k-1"}
    headers = {"X-CSRFToken": call.token, "Accept": "application/json"}
    reply = call.client.post(f"/inventory/main/items/{item}/action", data=form, headers=headers)
    assert (reply.status_code, reply.json["code"]) == (422, "key_reused")
    assert {"quantity", "date"} <= set(reply.json["fields"])


def test_a_check_that_waited_shows_both_times_in_the_list_and_in_the_queue(call):
    body = {"reg": "LK19 VTE", "odometer": 100, "date": "2026-01-15", "items": {"Damage": "Dent"}}
    sent = {"Outbox_Age": EARLIER, "Idempotency_Key": "c-1"}
    assert call("POST", "/api/fleet/checks", body, **sent).status_code == 201
    for path in ("/fleetChecksList?tab=all", "/fleetChecksList"):
        assert "Sent 14:02, made 9:40" in open_page(call, path).text, path


def test_the_files_of_a_history_stay_as_they_are(in_app, call):
    item = in_app(factories.item, "Red heart", 10)
    withdraw(call, item, EARLIER, "k-1")
    assert "made" not in call.client.get("/history/export").text
    assert "made" not in call("GET", "/api/gfm/history").text
