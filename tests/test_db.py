"""The rules per engine, and what makes a transaction whole."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.db import db, is_busy, transaction, wal_is_safe
from tests import factories


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
def test_sqlite_is_set_to_lose_nothing(app):
    with app.app_context(), db.engine.connect() as connection:
        read = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert read == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 15_000,
    }


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


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("table", ["ledger_entry", "stock_operation"])
def test_sqlite_refuses_to_replace_a_ledger_row(context, table):
    factories.item()
    statement = text(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    with pytest.raises(DBAPIError, match="the ledger is never changed"), transaction():
        db.session.execute(statement)


@pytest.mark.parametrize(
    ("message", "state", "busy"),
    [
        ("database is locked", None, True),
        ("no such table: item", None, False),
        ("canceling statement due to lock timeout", "55P03", True),
        ("server closed the connection unexpectedly", None, True),
        ("relation does not exist", "42P01", False),
    ],
)
def test_only_a_database_without_time_counts_as_busy(message, state, busy):
    original = Exception(message)
    original.sqlstate = state
    assert is_busy(DBAPIError("SELECT", {}, original)) is busy
