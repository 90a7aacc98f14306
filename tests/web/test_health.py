"""The health checks of a load balancer."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.db import db

pytestmark = pytest.mark.both_engines


def test_a_working_product_is_alive_and_ready(person):
    assert person.client.get("/livez").json == {"status": "ok"}
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json) == (
        200,
        {"database": "ok", "schema": "ok", "disk": "ok"},
    )


def test_a_database_that_was_not_upgraded_is_not_ready(app, person):
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'older'"))
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json["schema"]) == (503, "run: flask db upgrade")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_full_or_missing_disk_is_not_ready(app, person, tmp_path):
    tmp_path.rmdir()
    reply = person.client.get("/readyz")
    assert (reply.status_code, reply.json["disk"]) == (503, "can't be written to")
    tmp_path.mkdir()


def test_a_busy_database_is_a_503_with_retry_after(app, person, monkeypatch):
    def locked(*_):
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr("app.accounts.services.sessions.authenticate", locked)
    page = person.sign_in("keeper")
    assert page.status == 503
    assert page.alerts == ["The database is busy. Try again in a moment."]
    assert page.headers["Retry-After"] == "5"
