"""The database: base of the models, streams, locks, and the only commit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any, TypeVar, TypeVarTuple, cast

import sqlalchemy as sa
from flask import has_app_context, has_request_context, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Session

from app.engines import BUSY_MILLISECONDS, BUSY_TIMEOUT, IMMEDIATE, SINGLE_READ
from app.logs import WAITED, current_entry
from app.write_queue import WriteTurn, wait_for_turn

STREAM_BATCH_SIZE = 1000
_MAX_VARIABLES = 32_766
"""SQLite's limit of variables in a statement."""

_LAST_STEPS = "last_steps"
"""The key of a transaction's last steps in its session's `info`."""

_LOCKED = "locked names"
"""The key of the names that `advisory_lock` has locked, likewise."""

Columns = TypeVarTuple("Columns")
Model = TypeVar("Model", bound="Base")


class Base(DeclarativeBase):
    """Base of all models, with a naming convention for constraints."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UtcDateTime(sa.TypeDecorator[datetime]):
    """An aware datetime, stored as UTC without a zone on both engines."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert an aware datetime to naive UTC."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert naive UTC to an aware datetime."""
        return None if value is None else value.replace(tzinfo=UTC)


def key_text(length: int) -> sa.String:
    """Return the column type of a name or its key, sorted by code point on both engines."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def partial_index(name: str, *columns: Any, where: Any, unique: bool = False) -> sa.Index:
    """Return an index of the rows that meet a condition, alike on both engines."""
    return sa.Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def text_enum(kind: type[StrEnum], name: str, *, has_check: bool = True) -> sa.Enum:
    """Return the column type of an enum: its values as text with a CHECK constraint.

    A column that a migration adds to a table in use has none: checking all rows holds up writers.
    """
    return sa.Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=has_check,
        values_callable=lambda members: [member.value for member in members],
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


@contextmanager
def transaction(*, commit: bool = True, waits: bool = True) -> Iterator[None]:
    """Run one unit of work in a fresh `db.session`, and commit all of it or nothing.

    Objects from before belong to another session: read the data of the work again. Without `commit`
    the work is rolled back at its end, as a dry run needs. Without `waits` it fails with a
    TimeoutError of SQLAlchemy when another writer of SQLite is at work. What a request has waited
    for a thread counts as waiting for the database, so that all of it is at most BUSY_MILLISECONDS.
    """
    db.session.remove()
    waited = request.environ.get(WAITED, 0.0) if has_request_context() else 0.0
    turn = _wait_for_turn(max(0.001, BUSY_MILLISECONDS / 1000 - waited) if waits else 0)
    try:
        timeout = int(turn.seconds_left * 1000)
        db.session.connection(execution_options={IMMEDIATE: True, BUSY_TIMEOUT: timeout})
        if not has_request_context():
            # A command may take longer than a request can wait: the next one in the queue then
            # waits for the database, which has a time limit.
            turn.end()
        last_steps = db.session.info.setdefault(_LAST_STEPS, [])
        yield
        if commit:
            if last_steps:
                db.session.flush()
            for step in last_steps:
                step()
            db.session.commit()
            current_entry().commits += 1
    finally:
        db.session.remove()
        turn.end()


def run_last(step: Callable[[], None], *, once: bool = False) -> None:
    """Run a step at the end of the transaction, after everything else was written and locked.

    So a lock that all transactions want is taken last, and lasts for the commit alone. A step to
    run `once`, however often it is added, comes before all others.
    """
    last_steps = db.session.info.get(_LAST_STEPS)
    if last_steps is None:
        raise RuntimeError("There is no transaction() around this.")
    if not once:
        last_steps.append(step)
    elif step not in last_steps:
        last_steps.insert(0, step)


def _wait_for_turn(seconds: float) -> WriteTurn:
    url = db.engine.url
    is_sqlite = url.get_backend_name() == "sqlite"
    is_file = is_sqlite and not (url.database or ":memory:").startswith((":memory:", "file:"))
    return wait_for_turn(url.database if is_file else None, seconds)


def table_of(model: type[Base]) -> sa.Table:
    """Return a model's table, for statements that `execute` runs."""
    return cast(sa.Table, model.__table__)


def references_to(model: type[Base], *, but: type[Base]) -> list[sa.ColumnElement[str]]:
    """Return the columns of all tables that are foreign keys to a model, without one table's."""
    target, excluded = table_of(model), table_of(but)
    return [
        key.parent
        for table in Base.metadata.sorted_tables
        if table is not excluded
        for key in table.foreign_keys
        if key.column.table is target
    ]


def execute(
    statement: sa.Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]] = ()
) -> sa.CursorResult[*tuple[Any, ...]]:
    """Execute a statement on tables or columns in the transaction's connection, without the ORM.

    It costs less than `db.session.execute`, and neither writes nor refreshes the session's objects.
    Make the statement once, with bind parameters, and pass it their values.
    """
    return db.session.connection().execute(statement, values or None)


@contextmanager
def read_session() -> Iterator[Session]:
    """Provide a session for guards and loaders.

    `db.session` remains unused, so that `transaction` can begin it with a write lock.
    """
    with Session(db.engine, expire_on_commit=False) as session:
        yield session


@contextmanager
def single_read() -> Iterator[Connection]:
    """Provide a connection for one statement that reads: a transaction around it takes longer."""
    with db.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            yield connection.execution_options(**{SINGLE_READ: True})
        else:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")


def stream_rows(statement: sa.Select[*Columns]) -> Iterator[sa.Row[*Columns]]:
    """Yield rows in constant memory, in a session of their own: the request's ends before."""
    return _stream(partial(Session, db.engine), statement)


def stream_columns(statement: sa.Select[*Columns]) -> Iterator[sa.Row[*Columns]]:
    """Yield rows of columns as `stream_rows` does, without the ORM's work for entities."""
    return _stream(db.engine.connect, statement)


def _stream(
    connect: Callable[[], Session | Connection], statement: sa.Select[*Columns]
) -> Iterator[sa.Row[*Columns]]:
    batched = statement.execution_options(yield_per=STREAM_BATCH_SIZE)
    # Within `transaction()` its own session has its changes.
    is_within = has_app_context() and _LAST_STEPS in db.session.info
    source: AbstractContextManager[Any] = nullcontext(db.session()) if is_within else connect()
    # The `with` closes the cursor of a client that stops reading early.
    with source as reading, reading.execute(batched) as result:
        # Rows of a batch are faster than rows one by one.
        yield from chain.from_iterable(result.partitions())


def insert_rows(table: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows with the same columns as fast as the driver can, without models' defaults."""
    connection = db.session.connection()
    columns = [table.c[name] for name in rows[0]]
    values = zip(*(_driver_values(c, rows, connection.dialect) for c in columns), strict=True)
    quote = connection.dialect.identifier_preparer.format_column
    place = f"{table.name} ({', '.join(map(quote, columns))})"
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {place} FROM STDIN", values)
    else:
        _execute_for_rows(connection, f"INSERT INTO {place} {{values}}", values)


def update_rows(table: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Update the same columns of rows, which are named by `row_id`, as `insert_rows` inserts."""
    connection = db.session.connection()
    columns = [table.c[name] for name in rows[0] if name != "row_id"]
    if connection.dialect.name == "postgresql":
        of_row = sa.update(table).where(table.c.id == sa.bindparam("row_id"))
        connection.execute(of_row.values({each: sa.bindparam(each.key) for each in columns}), rows)
        return
    ids = [row["row_id"] for row in rows]
    values = zip(ids, *(_driver_values(c, rows, connection.dialect) for c in columns), strict=True)
    names = [connection.dialect.identifier_preparer.format_column(each) for each in columns]
    changes = ", ".join(f"{name} = new.{name}" for name in names)
    new = f"WITH new (row_id, {', '.join(names)}) AS ({{values}})"
    # The names are our models'.
    changed = f"UPDATE {table.name} SET {changes} FROM new WHERE id = row_id"  # noqa: S608
    _execute_for_rows(connection, f"{new} {changed}", values)


def _execute_for_rows(
    connection: Connection, statement: str, rows: Iterable[Sequence[Any]]
) -> None:
    # SQLite's full-text indexes are written at the end of each statement: many rows share one.
    remaining = iter(rows)
    for first in remaining:
        some = [first, *islice(remaining, _MAX_VARIABLES // len(first) - 1)]
        row = f"({', '.join('?' * len(first))})"
        values = f"VALUES {', '.join([row] * len(some))}"
        connection.exec_driver_sql(statement.format(values=values), tuple(chain(*some)))


def _driver_values(
    column: sa.ColumnElement[Any], rows: Sequence[Mapping[str, Any]], dialect: Dialect
) -> Iterable[Any]:
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


def lock_rows(model: type[Model], *where: sa.ColumnElement[bool]) -> Sequence[Model]:
    """Lock rows until the transaction ends, in the order of their ids, and return them."""
    statement = sa.select(model).where(*where).order_by(table_of(model).c.id)
    locking = statement.with_for_update().execution_options(populate_existing=True)
    return db.session.execute(locking).scalars().all()


def advisory_lock(*names: str) -> None:
    """Lock names in turn until the transaction ends; SQLite has one writer at a time anyway."""
    locked: set[str] = db.session.info.setdefault(_LOCKED, set())
    new = [name for name in names if name not in locked]
    if new and db.session.get_bind().dialect.name == "postgresql":
        lock = (
            "SELECT pg_advisory_xact_lock(hashtext(name)) "
            "FROM unnest(CAST(:names AS text[])) AS name"
        )
        db.session.execute(sa.text(lock), {"names": new})
        locked.update(new)


def restrict(
    statement: sa.Select[*Columns], table: sa.Table, since: datetime | None = None, **values: Any
) -> sa.Select[*Columns]:
    """Restrict a statement to rows with these values, and from a time on; None is any."""
    equal = [table.c[name] == value for name, value in values.items() if value is not None]
    return statement.where(*equal, *([] if since is None else [table.c.at >= since]))


def missing_guards(model: type[Base]) -> Sequence[str]:
    """Return the names of the triggers that should refuse changes of a table's rows and don't."""
    statement, refused = {
        "sqlite": (
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :name",
            ("delete", "replace", "update"),
        ),
        "postgresql": (
            "SELECT tgname FROM pg_trigger "
            "WHERE tgrelid = to_regclass(:name) AND tgenabled IN ('O', 'A')",
            ("change",),
        ),
    }[db.engine.dialect.name]
    table = table_of(model).name
    found = set(db.session.execute(sa.text(statement), {"name": table}).scalars())
    return [name for what in refused if (name := f"{table}_no_{what}") not in found]


def insert_function(dialect: str) -> Callable[[sa.Table], Any]:
    """Return the engine's own `insert`, which has the clause ON CONFLICT."""
    return postgresql.insert if dialect == "postgresql" else sqlite.insert
