"""Reads of whole tables, as the database describes them at whatever revision it is."""

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
    collate,
    func,
    inspect,
    select,
    text,
)

from app.backups.rules.rows import line_of
from app.db import STREAM_BATCH_SIZE, Base

LEFT_OUT: Mapping[str, str] = {
    "login_session": "everybody signs in again after a restore, and a copy opens no door",
    "sign_in_failure": "it counts the last 15 minutes' wrong passwords",
}
"""Tables that no backup holds, and why."""

SEEDED = frozenset({"stock_site", "data_version"})
"""Tables into which migrations put rows."""


def kept_tables() -> Sequence[str]:
    """Return the tables that belong into a backup."""
    return [name for name in Base.metadata.tables if name not in LEFT_OUT]


def described(connection: Connection, names: Sequence[str]) -> Sequence[Table]:
    """Return those of the tables that the database has; one stands behind what it refers to."""
    there = set(inspect(connection).get_table_names())
    metadata = MetaData()
    metadata.reflect(connection, only=[name for name in names if name in there])
    found = [table for table in metadata.sorted_tables if table.name in names]
    for column in (column for table in found for column in table.columns):
        if isinstance(column.type, JSON):
            # A null of JSON and one of SQL are both null in a line.
            column.type = JSON(none_as_null=bool(column.nullable))
    return found


def row_count(connection: Connection, table: Table) -> int:
    """Return how many rows a table has."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """Read a table's rows by their primary key, some at a time."""
    columns = sorted(table.columns, key=lambda column: column.name)
    names = [column.name for column in columns]
    statement = select(*columns).order_by(*_by_key(connection, table))
    with connection.execute(statement.execution_options(yield_per=STREAM_BATCH_SIZE)) as found:
        for row in found:
            yield line_of(dict(zip(names, row, strict=True)))


def _by_key(connection: Connection, table: Table) -> Iterator[ColumnElement[Any]]:
    for column in sorted(table.primary_key.columns, key=lambda column: column.name):
        is_text = isinstance(column.type, String)
        # SQLite orders texts by code point anyway.
        by_code_point = is_text and connection.dialect.name == "postgresql"
        yield collate(column, "C") if by_code_point else column


def last_id(connection: Connection, table: Table) -> int | None:
    """Return the last number that a row was given, also when it is gone; None without numbers."""
    keys = table.primary_key.columns.values()
    if len(keys) != 1 or not isinstance(keys[0].type, Integer):
        return None
    highest = connection.execute(select(func.max(keys[0]))).scalar_one() or 0
    return max(highest, _counted(connection, table.name, keys[0].name))


def sequence_of(connection: Connection, table: str, column: str) -> str | None:
    """Return the PostgreSQL sequence that numbers a table's rows."""
    statement = text("SELECT pg_get_serial_sequence(:table, :column)")
    found: str | None = connection.execute(
        statement, {"table": table, "column": column}
    ).scalar_one()
    return found


def counts_for_good(connection: Connection, table: str) -> bool:
    """Tell whether SQLite gives no number of a table twice."""
    made_by = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :name"),
        {"name": table},
    ).scalar_one()
    return "AUTOINCREMENT" in made_by


def _counted(connection: Connection, table: str, column: str) -> int:
    if connection.dialect.name == "postgresql":
        sequence = sequence_of(connection, table, column)
        if sequence is None:
            return 0
        statement = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608 (the name is the database's own)
        return int(connection.execute(text(statement)).scalar_one())
    if not counts_for_good(connection, table):
        return 0
    counted = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    return int(connection.execute(counted, {"name": table}).scalar() or 0)
