"""Every call that changes something adds an event, and so does whatever a test commits."""

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.divisions import Division
from app.events import queries
from tests import factories
from tests.api.filled import Filled, bearer
from tests.api.test_every_call import NAMES, ROUTES, send_call

CHANGES_NOTHING = {
    **dict.fromkeys(("/auth/login", "/auth/refresh", "/auth/logout"), "it is about a session"),
    **dict.fromkeys(("/photos/{sha256}", "/documents/{sha256}"), "it belongs to nothing yet"),
    "/count-sheet": "it reads a file",
    "/levels/northern/import": "its file is empty, as the site is",
}
"""Calls that are no GET and need no event, and why."""

CHANGING = [
    pytest.param(call, prefix, id=name)
    for (call, prefix), name in zip(ROUTES, NAMES, strict=True)
    if not call.reads and not any(call.path.endswith(path) for path in CHANGES_NOTHING)
]


@pytest.mark.parametrize(("call", "prefix"), CHANGING)
def test_a_call_adds_an_event(filled: Filled, call, prefix):
    user = filled.people[call.served[prefix][0]]
    with filled.open(copied=True) as app:
        with app.app_context():
            before = len(list(queries.all_events()))
        reply = send_call(call, prefix, bearer(app, user), user)
        assert reply.status_code == call.status
        with app.app_context():
            added = list(queries.all_events())[before:]
    assert added
    assert {event.channel for event in added} == {"api"}
    assert {event.division for event in added} <= {*call.served[prefix], None}
    assert all(event.actor_id and event.request_id for event in added)


@pytest.mark.writes_directly
def test_a_change_without_an_event_or_a_new_version_is_noticed(app, silent_changes):
    with app.app_context():
        factories.team("Kitchen")
        assert silent_changes == []
        with transaction():
            db.session.execute(text("UPDATE team SET name = 'Canteen'"))
        with transaction(commit=False):
            db.session.execute(text("DELETE FROM team"))
        factories.user("keeper", Division.GPM)
    assert silent_changes == ["team", "team, without a new version"]
