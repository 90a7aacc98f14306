"""Health checks, and what happens while the database is busy, full or away."""

import shutil
from datetime import timedelta

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError, OperationalError

from app.db import db
from app.revisions import all_revisions
from app.web import access
from app.write_queue import wait_for_turn
from tests.person import Caller

pytestmark = pytest.mark.differs_by_engine


def test_a_working_product_is_alive_and_ready(person):
    assert person.client.get("/livez").json == {"status": "ok"}
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json) == (
        200,
        {"database": "ok", "schema": "ok", "disk": "ok"},
    )


@pytest.mark.parametrize(
    ("revision", "status", "schema"),
    [
        (all_revisions()[-2], 503, "run: flask db upgrade"),
        (all_revisions()[0], 503, "run: flask db upgrade"),
        ("of_a_newer_release", 200, "ok"),
    ],
)
def test_a_database_is_ready_if_it_is_as_new_as_the_release_or_newer(
    app, person, revision, status, schema
):
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :new"), {"new": revision})
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json["schema"]) == (status, schema)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_server_that_became_a_standby_is_left_for_the_next_leader(app, item, person, stock):
    page = person.open(f"/inventory/main/items/{item}/action")

    def demote(connection, _record):
        connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.commit()

    with app.app_context():
        engine = db.engine
    engine.dispose()
    event.listen(engine, "connect", demote)
    try:
        assert person.client.get("/readyz").json["database"].endswith("it is a standby")
        refused = person.submit(page, team="Kitchen")
    finally:
        event.remove(engine, "connect", demote)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
    assert "withdrew 1, 9 left" in person.submit(page, team="Kitchen").text
    assert stock() == 9


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        (".", "the instance folder can't be written to"),
        ("photos", "the photo store can't be written to"),
    ],
)
def test_a_missing_or_full_disk_is_not_ready(person, tmp_path, missing, reason):
    shutil.rmtree(tmp_path / missing)
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json["disk"]) == (503, reason)


@pytest.fixture
def full_disk(app):
    """A SQLite database that can't grow any more; yields a function that gives it room again."""
    limit = ["page_count"]

    def set_limit(connection, *_):
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        most = pages if limit else 1_000_000_000
        connection.execute(f"PRAGMA max_page_count = {most}")

    with app.app_context():
        engine = db.engine
        engine.dispose()
        event.listen(engine, "checkout", set_limit)
    yield limit.clear
    event.remove(engine, "checkout", set_limit)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_full_database_disk_refuses_changes_serves_pages_and_heals(app, item, person, full_disk):
    note = {"lines": [{"name": f"{n:05d} {'x' * 90}", "qty": 1} for n in range(200)]}
    add = {"action": "delivery", "date": "2026-01-02", **note}
    call = Caller(person)
    reply = call("POST", "/api/gfm/inventory/main/bulk", add)
    assert (reply.status_code, reply.json["code"]) == (507, "disk_full")
    assert reply.json["error"].startswith("The server's disk is full. Nothing was changed.")
    assert reply.headers["Retry-After"] == "60"
    assert "1 item" in person.open("/inventory/main").text
    full_disk()
    assert call("POST", "/api/gfm/inventory/main/bulk", add).status_code == 200
    assert "201 items" in person.open("/inventory/main").text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_page_is_served_though_its_session_can_not_be_renewed(app, item, person, monkeypatch):
    monkeypatch.setattr(access, "RENEW_AFTER", timedelta(0))
    with app.app_context():
        turn = wait_for_turn(db.engine.url.database, 1)
    try:
        assert person.open("/inventory/main").status == 200
    finally:
        turn.end()


def test_errors_of_the_database_hide_what_was_sent_to_it(context):
    with pytest.raises(DBAPIError) as caught:
        db.session.execute(text("SELECT nothing FROM nowhere WHERE id = :id"), {"id": "s3cr3t"})
    assert "nowhere" in str(caught.value)
    assert "s3cr3t" not in str(caught.value)


def test_a_busy_database_is_a_503_with_retry_after(app, person, monkeypatch):
    def locked(*_, **__):
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr("app.accounts.services.sessions.authenticate", locked)
    page = person.sign_in("keeper")
    assert page.status == 503
    assert page.alerts == ["The database is busy. Try again in a moment."]
    assert page.headers["Retry-After"] == "5"
