"""Engine settings, transactions and database errors."""

import sqlite3
import time
from functools import partial

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from app import names
from app.db import db, run_last, transaction
from app.directory.models import Team
from app.engines import BUSY_MILLISECONDS, is_busy, violates, wal_is_safe
from app.logs import WAITED
from app.write_queue import WaitedTooLong
from tests import factories
from tests.fleet.threads import run_at_once

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 6), True),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 4), True),
    ],
)
def test_wal_is_used_only_where_its_reset_bug_is_fixed(version, safe):
    assert wal_is_safe(version) is safe


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_sqlite_is_configured_for_durability(app):
    durable = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 15_000}
    with app.app_context(), db.engine.connect() as connection:
        read = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in durable}
    assert read == durable


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_limits_waits_and_compiles_no_statement(app):
    limits = {"lock_timeout": "15s", "statement_timeout": "1min", "jit": "off"}
    with app.app_context(), db.engine.connect() as connection:
        read = {name: connection.execute(text(f"SHOW {name}")).scalar() for name in limits}
    assert read == limits


@pytest.mark.parametrize("table", ["ledger_entry", "stock_operation"])
@pytest.mark.parametrize("change", ["UPDATE {} SET id = id + 1", "DELETE FROM {}"])
def test_the_database_refuses_to_change_the_ledger(context, table, change):
    factories.item()
    with pytest.raises(DBAPIError, match="the ledger is never changed"), transaction():
        db.session.execute(text(change.format(table)))


def test_the_database_refuses_an_amount_below_0(context):
    factories.item()
    with pytest.raises(DBAPIError, match="ck_item_amount_in_range"), transaction():
        db.session.execute(text("UPDATE item SET amount = -1"))


def test_an_error_inside_a_transaction_leaves_nothing_behind(context):
    with pytest.raises(RuntimeError), transaction():
        db.session.execute(text("UPDATE stock_site SET version = 7"))
        raise RuntimeError
    versions = db.session.execute(text("SELECT DISTINCT version FROM stock_site")).scalars()
    assert list(versions) == [0]


def test_a_step_to_run_once_is_the_first_of_the_last_steps(context):
    ran = []
    first, last = partial(ran.append, "first"), partial(ran.append, "last")
    with transaction():
        run_last(last)
        for _ in range(2):
            run_last(first, once=True)
        assert ran == []
    assert ran == ["first", "last"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("table", ["ledger_entry", "stock_operation"])
def test_sqlite_refuses_to_replace_a_ledger_row(context, table):
    factories.item()
    statement = text(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    with pytest.raises(DBAPIError, match="the ledger is never changed"), transaction():
        db.session.execute(statement)


def test_the_wait_for_a_thread_shortens_the_wait_for_a_lock(app):
    def write_late():
        with (
            app.test_request_context(environ_base={WAITED: 15.0}),
            pytest.raises((DBAPIError, WaitedTooLong)),
            transaction(),
        ):
            increment()

    def increment():
        db.session.execute(text("UPDATE stock_site SET version = version + 1"))

    with app.app_context(), transaction():
        increment()
        begun = time.monotonic()
        run_at_once([write_late])
        waited = time.monotonic() - begun
    assert waited < BUSY_MILLISECONDS / 1000 / 2


def sqlite_error(code: int) -> Exception:
    error = sqlite3.OperationalError("an error")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("original", "busy"),
    [
        (sqlite_error(sqlite3.SQLITE_BUSY), True),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), True),
        (sqlite_error(sqlite3.SQLITE_LOCKED), True),
        (sqlite_error(sqlite3.SQLITE_ERROR), False),
        (psycopg.errors.LockNotAvailable(), True),
        (psycopg.errors.TooManyConnections(), True),
        (psycopg.errors.AdminShutdown(), True),
        (psycopg.OperationalError("the connection is lost"), True),
        (psycopg.errors.UndefinedTable(), False),
    ],
)
def test_only_a_locked_overloaded_or_unreachable_database_is_busy(original, busy):
    assert is_busy(OperationalError("SELECT", {}, original)) is busy


@pytest.mark.parametrize(
    ("constraint", "columns", "violated"),
    [
        ("uq_team_name_key", "team.name_key", True),
        ("uq_supplier_name_key", "supplier.name_key", False),
    ],
)
def test_violates_recognises_its_constraint(context, constraint, columns, violated):
    factories.team("Kitchen")
    with pytest.raises(IntegrityError) as caught, transaction():
        db.session.add(Team(name="KITCHEN", name_key=names.key("Kitchen")))
        db.session.flush()
    assert violates(caught.value, constraint, columns) is violated
