"""Insert many rows at once."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.exc import DBAPIError

from app.db import Base, db, table_of


def insert_rows(model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert many rows that have values for the same columns, as fast as the driver can.

    Defaults of the models don't apply, only those of the database.
    """
    table = table_of(model)
    connection = db.session.connection()
    columns = [table.c[name] for name in rows[0]]
    values = zip(*(_driver_values(c, rows, connection.dialect) for c in columns), strict=True)
    quote = connection.dialect.identifier_preparer.format_column
    place = f"{table.name} ({', '.join(map(quote, columns))})"
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {place} FROM STDIN", values)
    else:
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {place} VALUES ({marks})"  # noqa: S608 (names of our models)
        connection.exec_driver_sql(statement, list(values))


def _driver_values(
    column: ColumnElement[Any], rows: Sequence[Mapping[str, Any]], dialect: Dialect
) -> Iterable[Any]:
    """Return the values of a column as the driver takes them."""
    name = column.key or ""
    values = [row[name] for row in rows]
    convert = column.type.dialect_impl(dialect).bind_processor(dialect)
    if convert is None:
        return values
    # Most values recur.
    return map(lru_cache(len(rows))(convert) if column.type.hashable else convert, values)


def _copy(connection: Connection, statement: str, rows: Iterable[Sequence[Any]]) -> None:
    driver: Any = connection.dialect.dbapi
    cursor: Any = connection.connection.cursor()
    try:
        with cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except driver.Error as error:
        # The error that SQLAlchemy raises for statements of its own.
        raise DBAPIError.instance(statement, None, error, driver.Error) from error
