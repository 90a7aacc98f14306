"""A change that is sent again long after its key was deleted has one effect, and gets its reply."""

import hashlib
import threading
from datetime import timedelta

import pytest
from marshmallow import ValidationError
from sqlalchemy import delete, func, select, text

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.fleet.schemas.checks import CheckBody
from app.idempotency import IdempotencyKey, delete_expired_keys
from app.photos.models import PhotoUpload
from app.stock.models import StockOperation
from app.stock.schemas.items import ItemBody
from app.stock.schemas.movements import PatchBody
from tests import factories
from tests.person import Caller, Person
from tests.photos import photo_files

pytestmark = pytest.mark.differs_by_engine

DAY = "2026-01-15"


@pytest.fixture
def later(monkeypatch):
    """Return a function that moves the clock by days, and deletes the keys that have expired."""

    def move(app, days):
        now = dates.utc_now() + timedelta(days=days)
        monkeypatch.setattr(dates, "utc_now", lambda: now)
        with app.app_context():
            with transaction():
                delete_expired_keys()
            assert count(IdempotencyKey) == 0

    return move


@pytest.fixture
def sign_in(app, in_app):
    """Return a function that signs the same user in, and returns a caller."""
    in_app(factories.user, "keeper", *Division)

    def caller(division="gfm"):
        person = Person(app)
        person.submit(person.sign_in("keeper", follow=True), division=division)
        return Caller(person)

    return caller


def count(model):
    return db.session.execute(select(func.count()).select_from(model)).scalar_one()


def number_of(app, table):
    with app.app_context():
        return db.session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


def amount(app, name="Red heart"):
    with app.app_context():
        return factories.amount(name)


def post(call, path, form, **headers):
    sent = {"X-CSRFToken": call.token, "Accept": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return call.client.post(path, data=form, headers=sent)


def send_form(call, path, quantity="3", **headers):
    form = {"action": "withdrawal", "team": "Kitchen", "date": DAY, "key": "k-1"}
    return post(call, path, form | {"quantity": quantity}, **headers)


@pytest.fixture
def withdrawal(in_app):
    item = in_app(factories.item, "Red heart", 10)
    return f"/inventory/main/items/{item}/action"


def test_a_withdrawal_gets_its_reply_after_90_days_though_nothing_is_left(
    app, in_app, sign_in, later, withdrawal
):
    first = send_form(sign_in(), withdrawal)
    in_app(factories.items, [("Red heart", 0)])
    later(app, 90)
    again = send_form(sign_in(), withdrawal, Outbox_Age=str(90 * 86400))
    assert (again.status_code, again.json) == (200, first.json)
    assert first.json["message"] == "Red heart: withdrew 3, 7 left."
    assert (amount(app), number_of(app, "stock_operation")) == (0, 3)


def test_a_withdrawal_that_could_be_made_once_more_is_not(app, sign_in, later, withdrawal):
    first = send_form(sign_in(), withdrawal)
    later(app, 90)
    assert send_form(sign_in(), withdrawal).json == first.json
    assert (amount(app), number_of(app, "stock_operation")) == (7, 2)


def test_a_transfer_gets_the_reply_of_the_site_that_it_left(app, in_app, sign_in, later):
    in_app(factories.item, "Red heart", 10)
    body = {"source": "main", "destination": "guildford", "date": DAY}
    body["lines"] = [{"name": "Red heart", "qty": 4}]
    first = sign_in()("POST", "/api/gfm/transfers", body, Idempotency_Key="t-1").json
    later(app, 90)
    again = sign_in()("POST", "/api/gfm/transfers", body, Idempotency_Key="t-1").json
    assert first == again
    assert first["lines"] == [{"name": "Red heart", "before": 10, "after": 6}]


@pytest.mark.usefixtures("withdrawal")
def test_a_count_gets_its_reply_after_90_days_though_its_lines_have_moved(
    app, in_app, sign_in, later
):
    ops = [{"type": "set", "id": "Red heart", "expected": 10, "data": {"amount": 8}}]
    body = {"ops": ops, "reason": "Stock Check 22 Nov 2026"}

    def send():
        return sign_in()("PATCH", "/api/gfm/inventory/main", body, Idempotency_Key="c-1")

    first = send()
    assert first.status_code == 200, first.json
    in_app(factories.items, [("Red heart", 25)])
    later(app, 90)
    again = send()
    assert (again.status_code, again.json) == (200, first.json)
    assert amount(app) == 25


def test_a_check_gets_its_reply_after_90_days_with_its_warning(app, in_app, sign_in, later):
    in_app(factories.check, reg="LK19 VTE", odometer=20_000, by=1)
    body = {"reg": "LK19 VTE", "odometer": 100, "date": DAY, "items": {}}
    body |= {"notes": "Scratch"}

    def send(call):
        return call("POST", "/api/fleet/checks", body, Idempotency_Key="v-1")

    first = send(sign_in("fleet"))
    assert first.json["warnings"] == ["Lower than the last reading, 20,000."]
    later(app, 90)
    again = send(sign_in("fleet"))
    # The sentences about the vehicle's upkeep aren't kept with the check.
    assert (again.status_code, again.json) == (201, first.json | {"messages": []})
    assert number_of(app, "vehicle_check") == 2


def test_a_check_gets_its_reply_though_its_photos_could_not_be_sent_again(app, sign_in, later):
    photo = photo_files.jpeg()
    photo_id = hashlib.sha256(photo).hexdigest()
    body = {"reg": "LK19 VTE", "odometer": 100, "date": DAY, "items": {}}
    body |= {"photos": [{"id": photo_id, "name": "front.jpg"}]}

    def send(call):
        return call("POST", "/api/fleet/checks", body, Idempotency_Key="v-1")

    driver = sign_in("fleet")
    driver("PUT", f"/api/photos/{photo_id}", photo, Content_Type="image/jpeg")
    first = send(driver)
    assert first.status_code == 201, first.json
    later(app, 90)
    with app.app_context(), transaction():
        db.session.execute(delete(PhotoUpload))
    again = send(sign_in("fleet"))
    assert (again.status_code, again.json) == (201, first.json)
    assert number_of(app, "vehicle_check") == 1


def test_a_move_of_an_asset_gets_its_reply_after_90_days(app, in_app, sign_in, later):
    number = in_app(factories.asset, id="A/1", location="Room 1")
    form = {"destination": "Room 2", "key": "m-1", "asset": str(number)}

    def send(call):
        page = post(call, "/assets/move", form)
        move = {"destination": "Room 3"}
        return page, call("POST", "/api/assets/A%2F1/move", move, Idempotency_Key="m-2")

    first = send(sign_in("assets"))
    assert [reply.status_code for reply in first] == [200, 200]
    later(app, 90)
    again = send(sign_in("assets"))
    assert [reply.json for reply in again] == [reply.json for reply in first]
    assert number_of(app, "asset_move") == 2


def test_another_body_under_a_key_is_refused_after_90_days(app, sign_in, later, withdrawal):
    with app.app_context():
        number = str(factories.asset(id="A/1", location="Room 1"))

    def send(call, call_of_assets, changes):
        ops = [{"type": "set", "id": "Red heart", "expected": 7, "data": {"amount": 20}}]
        ops[0]["data"]["amount"] += changes
        count = {"ops": ops, "reason": "Stock Check 22 Nov 2026"}
        check = {"reg": "LK19 VTE", "odometer": 100 + changes, "date": DAY, "items": {}}
        form = {"destination": f"Room {2 + changes}", "key": "m-1", "asset": number}
        move = {"destination": f"Room {20 + changes}"}
        return [
            send_form(call, withdrawal, str(3 + changes)),
            call("PATCH", "/api/gfm/inventory/main", count, Idempotency_Key="c-1"),
            call("POST", "/api/fleet/checks", check, Idempotency_Key="v-1"),
            post(call_of_assets, "/assets/move", form),
            call("POST", "/api/assets/A%2F1/move", move, Idempotency_Key="m-2"),
        ]

    first = send(sign_in(), sign_in("assets"), 0)
    assert [reply.status_code for reply in first] == [200, 200, 201, 200, 200]
    tables = ("stock_operation", "vehicle_check", "asset_move")
    made = [number_of(app, table) for table in tables]
    later(app, 90)
    edited = send(sign_in(), sign_in("assets"), 5)
    refused = [(reply.status_code, reply.json["code"]) for reply in edited]
    assert refused == [(422, "key_reused")] * 5
    again = send(sign_in(), sign_in("assets"), 0)
    assert [reply.json for reply in again] == [reply.json for reply in first]
    assert amount(app) == 20
    assert [number_of(app, table) for table in tables] == made


@pytest.mark.parametrize("days", [1, 90])
@pytest.mark.usefixtures("withdrawal")
def test_a_body_that_is_not_taken_any_more_gets_the_reply_it_had(
    app, sign_in, monkeypatch, later, days
):
    ops = [{"type": "set", "id": "Red heart", "expected": 10, "data": {"amount": 8}}]
    count = {"ops": ops, "reason": "Stock Check 22 Nov 2026"}
    check = {"reg": "LK19 VTE", "odometer": 100, "date": DAY, "items": {}}

    def send(call, key):
        sent = {"Idempotency_Key": key}
        return [
            call("PATCH", "/api/gfm/inventory/main", count, **sent),
            call("POST", "/api/fleet/checks", check, **sent),
        ]

    first = send(sign_in(), "k-1")
    assert [reply.status_code for reply in first] == [200, 201]
    if days > 7:
        later(app, days)

    def refuse_all(*_, **__):
        raise ValidationError({"odometer": ["Too low for a release of later."]})

    for body in (PatchBody, CheckBody):
        monkeypatch.setattr(body, "load", refuse_all)
    again = send(sign_in(), "k-1")
    assert [(reply.status_code, reply.json) for reply in again] == [
        (reply.status_code, reply.json) for reply in first
    ]
    count["reason"], check["odometer"] = "Another", 101
    edited = send(sign_in(), "k-1")
    assert [reply.json["code"] for reply in edited] == ["key_reused"] * 2
    new = send(sign_in(), "k-2")
    assert [(reply.status_code, reply.json["code"]) for reply in new] == [(422, "invalid")] * 2
    assert [number_of(app, table) for table in ("stock_operation", "vehicle_check")] == [2, 1]


@pytest.mark.usefixtures("withdrawal")
def test_a_list_that_is_not_taken_any_more_gets_the_reply_it_had(app, sign_in, monkeypatch):
    version = sign_in()("GET", "/api/gfm/inventory/main").headers["ETag"]
    sent = {"Idempotency_Key": "l-1", "If_Match": version}
    items = [{"name": "Red heart", "amount": 4}]
    first = sign_in()("POST", "/api/gfm/inventory/main", items, **sent)
    assert first.status_code == 200, first.json

    def refuse_all(*_, **__):
        raise ValidationError({0: {"amount": ["Too low for a release of later."]}})

    monkeypatch.setattr(ItemBody, "load", refuse_all)
    again = sign_in()("POST", "/api/gfm/inventory/main", items, **sent)
    assert (again.status_code, again.json) == (200, first.json)
    assert amount(app) == 4


def test_what_has_no_reply_any_more_is_refused_with_the_day_it_was_saved(app, sign_in, later):
    form = {"name": "Red heart", "amount": "3", "key": "a-1"}
    assert post(sign_in(), "/inventory/main/add", form).status_code == 200
    saved = dates.short_day(dates.today())
    later(app, 90)
    again = post(sign_in(), "/inventory/main/add", form)
    assert (again.status_code, again.json["code"]) == (409, "already_made")
    assert again.json["error"] == f"This was already saved on {saved}. Nothing was booked again."
    assert (amount(app), number_of(app, "stock_operation")) == (3, 1)


def test_a_key_is_its_users_and_its_calls_for_good(app, in_app, sign_in, later, withdrawal):
    send_form(sign_in(), withdrawal)
    in_app(factories.user, "other")
    other_item = in_app(factories.item, "Blue heart", 10)
    later(app, 90)
    other = Person(app)
    other.sign_in("other", follow=False)
    assert send_form(Caller(other), withdrawal).status_code == 200
    elsewhere = f"/inventory/main/items/{other_item}/action"
    assert send_form(sign_in(), elsewhere).status_code == 200
    assert (amount(app), amount(app, "Blue heart")) == (4, 7)


def test_two_that_arrive_at_once_after_90_days_both_get_the_reply(app, sign_in, later, withdrawal):
    first = send_form(sign_in(), withdrawal)
    later(app, 90)
    calls = [sign_in(), sign_in()]
    gate, replies = threading.Barrier(2), []

    def send(call):
        gate.wait()
        replies.append(send_form(call, withdrawal))

    threads = [threading.Thread(target=send, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(reply.status_code, reply.json) for reply in replies] == [(200, first.json)] * 2
    assert (amount(app), number_of(app, "stock_operation")) == (7, 2)


def test_an_entry_that_waited_keeps_when_it_was_made(app, sign_in, withdrawal):
    assert send_form(sign_in(), withdrawal, Outbox_Age="15720").status_code == 200
    with app.app_context():
        made, recorded = db.session.execute(
            select(StockOperation.made_at, StockOperation.recorded_at).where(
                StockOperation.client_key.is_not(None)
            )
        ).one()
    assert abs(recorded - made - timedelta(seconds=15720)) < timedelta(minutes=1)
