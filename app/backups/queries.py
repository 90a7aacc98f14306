"""Reads of whole tables, as the database itself describes them at any revision."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    TableClause,
    collate,
    func,
    inspect,
    select,
    text,
)

from app.backups.rules import line_of
from app.db import STREAM_BATCH_SIZE, Base

EXCLUDED: Mapping[str, str] = {
    "login_session": "everybody signs in again after a restore; a stolen backup gives no access",
    "import_draft": "a file waits 24 hours for its import; bring it again",
    "sign_in_failure": "it counts the last 15 minutes' wrong passwords",
}
"""The tables without a place in backups, and why."""

FILLED_BY_MIGRATIONS = frozenset({"stock_site", "data_version", "number_counter", "booking_rule"})
"""The tables with rows in a new database."""

FILLED_BY_TRIGGERS = frozenset({"item_use"})
"""The tables to which the rows of others add some; they are restored last."""


def included_tables() -> Sequence[str]:
    """Return the names of the tables that backups contain."""
    return [name for name in Base.metadata.tables if name not in EXCLUDED]


def reflect_tables(connection: Connection, names: Sequence[str]) -> Sequence[Table]:
    """Return the named tables that exist in the database, referenced tables first."""
    existing = set(inspect(connection).get_table_names())
    metadata = MetaData()
    metadata.reflect(connection, only=[name for name in names if name in existing])
    tables = [table for table in metadata.sorted_tables if table.name in names]
    tables.sort(key=lambda table: table.name in FILLED_BY_TRIGGERS)
    for column in (column for table in tables for column in table.columns):
        if isinstance(column.type, JSON):
            # A line can't tell a null of JSON from one of SQL.
            column.type = JSON(none_as_null=bool(column.nullable))
    return tables


def row_count(connection: Connection, name: str) -> int:
    """Return the number of rows of a table."""
    return connection.execute(select(func.count()).select_from(TableClause(name))).scalar_one()


def lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """Stream a table's rows as lines, in the order of their primary key."""
    columns = sorted(table.columns, key=lambda column: column.name)
    names = [column.name for column in columns]
    statement = select(*columns).order_by(*_key_order(connection, table))
    with connection.execute(statement.execution_options(yield_per=STREAM_BATCH_SIZE)) as rows:
        for row in rows:
            yield line_of(dict(zip(names, row, strict=True)))


def _key_order(connection: Connection, table: Table) -> Iterator[ColumnElement[Any]]:
    for column in sorted(table.primary_key.columns, key=lambda column: column.name):
        is_text = isinstance(column.type, String)
        # SQLite orders texts by code point anyway.
        by_code_point = is_text and connection.dialect.name == "postgresql"
        yield collate(column, "C") if by_code_point else column


def last_id(connection: Connection, table: Table) -> int | None:
    """Return the last id given to a row, even if it was removed; None without integer ids."""
    keys = table.primary_key.columns.values()
    if len(keys) != 1 or not isinstance(keys[0].type, Integer):
        return None
    highest = connection.execute(select(func.max(keys[0]))).scalar_one() or 0
    return max(highest, _last_given_id(connection, table.name, keys[0].name))


def sequence_of(connection: Connection, table: str, column: str) -> str | None:
    """Return the PostgreSQL sequence of a table's ids."""
    statement = text("SELECT pg_get_serial_sequence(:table, :column)")
    found = connection.execute(statement, {"table": table, "column": column})
    sequence: str | None = found.scalar_one()
    return sequence


def never_reuses_ids(connection: Connection, table: str) -> bool:
    """Return whether SQLite never gives an id of this table twice."""
    definition = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :name"), {"name": table}
    ).scalar_one()
    return "AUTOINCREMENT" in definition


def _last_given_id(connection: Connection, table: str, column: str) -> int:
    if connection.dialect.name == "postgresql":
        sequence = sequence_of(connection, table, column)
        if sequence is None:
            return 0
        statement = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608 (the name is the database's own)
        return int(connection.execute(text(statement)).scalar_one())
    if not never_reuses_ids(connection, table):
        return 0
    counted = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    return int(connection.execute(counted, {"name": table}).scalar() or 0)
