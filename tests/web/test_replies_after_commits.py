"""Changes whose transaction collides, or whose reply finds no connection any more."""

from contextlib import contextmanager

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from app.db import db
from app.divisions import Division
from app.stock.services import movements as services
from tests import factories
from tests.person import Caller

DAY = "2026-01-15"


@pytest.fixture
def call(signed_in):
    divisions = Division.GFM, Division.FLEET
    return Caller(signed_in("keeper", *divisions, division=Division.GFM))


@contextmanager
def no_connection_after_a_commit(app, failure=PoolExhausted):
    """Refuse every connection that is requested after a commit, as an exhausted pool does."""
    commits = []

    def note(connection):
        commits.append(connection)

    def refuse(*_):
        if commits:
            raise failure("No connection")

    with app.app_context():
        engine = db.engine
    event.listen(engine, "commit", note)
    event.listen(engine, "checkout", refuse)
    try:
        yield
        assert commits
    finally:
        event.remove(engine, "commit", note)
        event.remove(engine, "checkout", refuse)


def test_what_waited_in_a_browser_is_answered_without_another_connection(app, in_app, call):
    item = in_app(factories.item, "Red heart", 10)
    form = {"action": "withdrawal", "quantity": "3", "team": "Kitchen", "date": DAY, "key": "k-1"}
    path = f"/inventory/main/items/{item}/action"
    headers = {"X-CSRFToken": call.token, "Accept": "application/json", "Outbox-Age": "60"}
    with no_connection_after_a_commit(app):
        reply = call.client.post(path, data=form, headers=headers)
    assert (reply.status_code, reply.json["message"]) == (200, "Red heart: withdrew 3, 7 left.")
    count = {"ops": [{"type": "set", "id": "Red heart", "expected": 7, "data": {"amount": 5}}]}
    check = {"reg": "LK19 VTE", "odometer": 100, "date": DAY, "items": {}}
    for status, method, address, body in (
        (200, "PATCH", "/api/gfm/inventory/main", count | {"reason": "Stock Check 22 Nov 2026"}),
        (201, "POST", "/api/fleet/checks", check),
    ):
        with no_connection_after_a_commit(app):
            reply = call(method, address, body, Idempotency_Key="c-1", Outbox_Age="60")
        assert reply.status_code == status, reply.json


@pytest.mark.own_app
def test_a_reply_that_fails_after_a_commit_does_not_say_that_nothing_was_changed(
    app, in_app, call, stock
):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    in_app(factories.item, "Red heart", 10)
    headers = {"X-CSRFToken": call.token, "Accept": "application/json"}
    form = {"action": "withdrawal", "team": "Kitchen", "date": DAY}
    form |= {"lines-0-name": "Red heart", "lines-0-quantity": "3"}
    for status, failure in ((503, PoolExhausted), (500, ValueError)):
        with no_connection_after_a_commit(app, failure):
            sent = form | {"key": f"k-{status}"}
            reply = call.client.post("/inventory/main/bulk", data=sent, headers=headers)
        assert reply.status_code == status
        assert reply.json["error"].endswith("This may be saved: check before you send it again.")
    assert stock() == 4


class Collision(Exception):
    sqlstate = "40P01"


@pytest.mark.parametrize(("collisions", "status"), [(1, 303), (3, 303), (4, 503)])
@pytest.mark.own_app
def test_a_deadlock_is_tried_again_three_times(
    app, person, item, monkeypatch, collisions, status, stock
):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    dialog = person.open(f"/inventory/main/items/{item}/action")
    move, left = services.move, iter(range(collisions))

    def colliding(*args, **kwargs):
        if next(left, None) is not None:
            raise DBAPIError("UPDATE", {}, Collision())
        return move(*args, **kwargs)

    monkeypatch.setattr(services, "move", colliding)
    assert person.submit(dialog, team="K", quantity="3", follow=False).status == status
    assert stock() == (7 if status == 303 else 10)
