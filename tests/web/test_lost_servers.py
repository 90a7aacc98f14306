"""PostgreSQL servers that freeze, hold commits up, or are lost, and what is served then."""

import signal
import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError, OperationalError

from app import postgresql
from app.db import db, transaction
from app.engines import engine_options
from app.postgresql import WatchedConnection, gives_sign
from tests.postgresql_server import PostgresqlServer
from tests.silent_changes import written_directly

pytestmark = [pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)]


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(postgresql, "WATCH_SECONDS", 0.2)
    monkeypatch.setattr(postgresql, "SIGN_SECONDS", 0.2)
    monkeypatch.setattr(WatchedConnection, "given_up", {})


@contextmanager
def frozen_server(app):
    """Stop all of the server's processes, as when its machine hangs."""
    with app.app_context():
        server = PostgresqlServer(Path(str(db.engine.url.query["host"])))
    server.send(signal.SIGSTOP)
    try:
        yield
    finally:
        server.send(signal.SIGCONT)


@pytest.mark.slow
def test_a_frozen_server_is_a_503_and_nothing_is_done_until_it_answers(app, item, person, stock):
    page = person.open(f"/inventory/main/items/{item}/action")
    with app.app_context():
        db.engine.url = db.engine.url.update_query_dict({"connect_timeout": "2"})
    with frozen_server(app):
        refused = person.submit(page, team="Kitchen")
        assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
    assert "withdrew 1, 9 left" in person.submit(page, team="Kitchen").text
    assert stock() == 9


def test_a_server_that_is_alive_is_waited_for(context):
    assert db.session.execute(text("SELECT 1 FROM pg_sleep(0.7)")).scalar_one() == 1


def test_a_commit_that_hangs_is_a_503_and_takes_effect_once(app, item, person, monkeypatch, stock):
    with app.app_context(), db.engine.begin() as connection:
        for statement in (
            "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$",
            "CREATE CONSTRAINT TRIGGER hang AFTER INSERT ON ledger_entry "
            "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang()",
        ):
            connection.execute(text(statement))
    page = person.open(f"/inventory/main/items/{item}/action")
    monkeypatch.setattr(postgresql, "COMMIT_SECONDS", 0.5)
    with app.app_context(), db.engine.connect() as holder:
        holder.execute(text("SELECT pg_advisory_lock(7)"))
        refused = person.submit(page, team="Kitchen")
        assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
        holder.execute(text("SELECT pg_advisory_unlock(7)"))
    assert "withdrew 1, 9 left" in person.submit(page, team="Kitchen").text
    assert stock() == 9


@pytest.mark.parametrize("others", [[], ["127.0.0.1:1"]])
def test_after_waiting_for_a_lock_another_server_is_tried_if_there_is_one(context, others):
    """The locks of a server that was replaced unnoticed are held for ever."""
    folder = str(db.engine.url.query["host"])
    if others:
        db.engine.url = db.engine.url.update_query_dict({"host": [folder, *others]})
    lock = text("SELECT pg_advisory_lock(7)")
    with db.engine.connect() as holder, db.engine.connect() as waiter:
        holder.execute(lock)
        waiter.execute(text("SET lock_timeout = '50ms'"))
        with pytest.raises(DBAPIError, match="lock timeout") as caught:
            waiter.execute(lock)
    assert caught.value.connection_invalidated is bool(others)
    assert [host for host, _ in WatchedConnection.given_up] == ([folder] if others else [])


def test_the_server_that_answered_last_is_tried_first(database_url):
    folder = make_url(database_url).query["host"]
    parameters = {"user": "postgres", "dbname": make_url(database_url).database}
    with socket.create_server(("127.0.0.1", 0)) as dead:
        tried = threading.Semaphore(0)

        def hang_up():
            while True:
                try:
                    dead.accept()[0].close()
                except OSError:
                    return
                tried.release()

        threading.Thread(target=hang_up, daemon=True).start()
        port = dead.getsockname()[1]
        servers = {"host": f"127.0.0.1,{folder}", "port": f"{port},"}
        postgresql.connect(parameters | servers).close()
        assert tried.acquire(timeout=5)
        postgresql.connect(parameters | servers).close()
        assert not tried.acquire(blocking=False)
        dead.shutdown(socket.SHUT_RDWR)


def test_a_server_gives_a_sign_if_it_answers_and_none_if_it_only_accepts(database_url):
    folder = str(make_url(database_url).query["host"])
    assert gives_sign(folder, 5432)
    assert not gives_sign(f"{folder}/none", 5432)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert not gives_sign("127.0.0.1", mute.getsockname()[1])


def test_what_a_lost_server_confirmed_is_not_shown_from_memory(app, item, person):
    """Without a synchronous standby, the next leader may use a version for something else."""
    assert "Red heart" in person.open("/inventory/main").text
    with app.app_context(), written_directly(), transaction():
        connection = db.session.connection()
        connection.execute(text("UPDATE item SET name = 'Blue heart'"))
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    with app.app_context(), pytest.raises(OperationalError), db.engine.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert "Blue heart" in person.open("/inventory/main").text


def test_an_address_may_set_time_limits_of_its_own(database_url):
    given = f"{database_url}&connect_timeout=9&options=-c%20work_mem%3D8MB"
    arguments = engine_options(given)["connect_args"]
    assert "connect_timeout" not in arguments
    assert arguments["tcp_user_timeout"] == 30_000
    assert arguments["options"].startswith("-c lock_timeout=15s ")
    assert arguments["options"].endswith(" -c work_mem=8MB")
