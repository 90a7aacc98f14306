"""The database: base of the models, set-up of the engines, and the only commit."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, TypeVarTuple, cast

from flask import has_request_context
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    URL,
    CursorResult,
    DateTime,
    Enum,
    Executable,
    MetaData,
    NullPool,
    Row,
    Select,
    String,
    Table,
    TypeDecorator,
    create_engine,
    event,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Dialect, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Session

from app.write_queue import WriteTurn, wait_for_turn

try:
    import pysqlite3 as _pysqlite
except ImportError:
    _pysqlite = sqlite3

SQLITE_VERSION: str = _pysqlite.sqlite_version

IMMEDIATE = "begin_immediate"
"""Execution option: SQLite takes its write lock when the transaction begins."""

BUSY_TIMEOUT = "busy_timeout"
"""Execution option: how many milliseconds BEGIN IMMEDIATE may wait; else BUSY_MILLISECONDS."""

BUSY_MILLISECONDS = 15_000
STREAM_BATCH_SIZE = 1000

Columns = TypeVarTuple("Columns")


class Base(DeclarativeBase):
    """Base of all models, with a naming convention for constraints."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored as UTC without a zone on both engines."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert an aware datetime to naive UTC."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert naive UTC to an aware datetime."""
        return None if value is None else value.replace(tzinfo=UTC)


def key_text(length: int) -> String:
    """Return the column type of a name or its key, sorted by code point on both engines."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


def text_enum(kind: type[StrEnum], name: str) -> Enum:
    """Return the column type of an enum: its values as text with a CHECK constraint."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        values_callable=lambda members: [member.value for member in members],
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


@contextmanager
def transaction(*, commit: bool = True) -> Iterator[None]:
    """Run one unit of work in a fresh `db.session`, and commit all of it or nothing.

    Objects read before belong to another session; read again what the work depends on. Without
    `commit` the work is rolled back at its end, as a dry run needs.
    """
    db.session.remove()
    turn = _wait_for_turn()
    try:
        timeout = int(turn.seconds_left * 1000)
        db.session.connection(execution_options={IMMEDIATE: True, BUSY_TIMEOUT: timeout})
        if not has_request_context():
            # A command may take longer than a request can wait: the next one in the queue then
            # waits for the database, which has a time limit.
            turn.end()
        yield
        if commit:
            db.session.commit()
    finally:
        db.session.remove()
        turn.end()


def _wait_for_turn() -> WriteTurn:
    """Wait in the queue of SQLite's writers; other engines have none."""
    url = db.engine.url
    is_file = url.get_backend_name() == "sqlite" and not _is_in_memory(url.database)
    return wait_for_turn(url.database if is_file else None, BUSY_MILLISECONDS / 1000)


def _is_in_memory(database: str | None) -> bool:
    return not database or database.startswith((":memory:", "file:"))


def table_of(model: type[Base]) -> Table:
    """Return a model's table, for statements that `execute` runs."""
    return cast(Table, model.__table__)


def execute(
    statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]] = ()
) -> CursorResult[*tuple[Any, ...]]:
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


def stream_rows(statement: Select[*Columns]) -> Iterator[Row[*Columns]]:
    """Yield rows in constant memory, in a session that lasts as long as the iteration.

    A streamed response is read after the session of its request has ended.
    """
    engine = db.engine

    def rows() -> Iterator[Row[*Columns]]:
        batched = statement.execution_options(yield_per=STREAM_BATCH_SIZE)
        # The `with` closes the cursor of a client that stops reading early.
        with Session(engine) as session, session.execute(batched) as result:
            yield from result

    return rows()


def stream_columns(statement: Select[*Columns]) -> Iterator[Row[*Columns]]:
    """Yield rows of columns as `stream_rows` does, without what the ORM adds for entities."""
    engine = db.engine

    def rows() -> Iterator[Row[*Columns]]:
        batched = statement.execution_options(yield_per=STREAM_BATCH_SIZE)
        with engine.connect() as connection, connection.execute(batched) as result:
            # Rows of a batch are faster than rows one by one.
            yield from chain.from_iterable(result.partitions())

    return rows()


@contextmanager
def snapshot(scratch: Path) -> Iterator[Connection]:
    """Provide a connection to a consistent snapshot of the database, while others write.

    SQLite is first copied into a folder in `scratch`: a long read transaction would keep its
    write-ahead log growing.
    """
    if db.engine.dialect.name == "sqlite":
        with TemporaryDirectory(dir=scratch) as folder:
            copy = Path(folder) / "snapshot.db"
            with closing(db.engine.raw_connection()) as pooled:
                _copy_sqlite(pooled.driver_connection, copy)
            engine = create_engine(
                URL.create("sqlite", database=str(copy)), module=_pysqlite, poolclass=NullPool
            )
            with engine.connect() as connection:
                yield connection
    else:
        with db.engine.connect().execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        ) as connection:
            yield connection


def _copy_sqlite(source: Any, path: Path) -> None:
    with closing(_pysqlite.connect(path)) as copy:
        copy.execute("PRAGMA synchronous=OFF")
        source.backup(copy)


def advisory_lock(name: str) -> None:
    """Lock a name until the transaction ends.

    SQLite needs no lock here: it has one writer at a time.
    """
    if db.session.get_bind().dialect.name == "postgresql":
        db.session.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": name})


def insert_function(dialect: str) -> Callable[[Table], Any]:
    """Return the engine's own `insert`, which has the clause ON CONFLICT."""
    return postgresql.insert if dialect == "postgresql" else sqlite.insert


def is_retryable(error: BaseException) -> bool:
    """Return whether a transaction failed by a serialization failure or deadlock."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in (
        "40001",
        "40P01",
    )


def is_busy(error: DBAPIError) -> bool:
    """Return whether the database is overloaded, locked or unreachable at the moment."""
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    if sqlite_code is not None:
        # The low byte of an extended code is the primary one.
        return sqlite_code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        # psycopg raises OperationalError without a state when a connection fails or is lost.
        return isinstance(error, OperationalError)
    return state in ("55P03", "57014", "40001", "40P01") or state.startswith(("08", "53", "57P"))


def violates(error: IntegrityError, constraint: str, columns: str) -> bool:
    """Return whether an error is the violation of a unique constraint or index.

    PostgreSQL names the constraint. SQLite names only its columns, such as 'item.name_key', or
    the index if it has expressions or a condition.
    """
    diagnostics = getattr(error.orig, "diag", None)
    if diagnostics is not None:
        return bool(diagnostics.constraint_name == constraint)
    return str(error.orig) in (
        f"UNIQUE constraint failed: {columns}",
        f"UNIQUE constraint failed: index '{constraint}'",
    )


def engine_options(url: str) -> dict[str, Any]:
    """Return the arguments of create_engine for this database."""
    if url.startswith("sqlite"):
        return {"module": _pysqlite, "connect_args": {"timeout": BUSY_MILLISECONDS / 1000}}
    limits = "-c lock_timeout=15s -c statement_timeout=60s -c timezone=UTC"
    return {
        "pool_pre_ping": True,
        "pool_size": 10,
        "connect_args": {"options": limits, "connect_timeout": 5},
    }


def wal_is_safe(version: tuple[int, ...]) -> bool:
    """Return whether a SQLite version has the fix for the WAL-reset corruption bug.

    See docs/domain.md, Engines.
    """
    fixed_branches = {(3, 50): (3, 50, 7), (3, 44): (3, 44, 6)}
    return version >= fixed_branches.get((version[0], version[1]), (3, 51, 3))


def prepare_engine(engine: Engine) -> None:
    """Set up each connection of a SQLite engine; do nothing for other engines."""
    if engine.dialect.name != "sqlite":
        return
    library: ModuleType = engine.dialect.dbapi  # type: ignore[assignment]
    journal = "WAL" if wal_is_safe(library.sqlite_version_info) else "DELETE"

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_MILLISECONDS}",
            f"journal_mode={journal}",
            "synchronous=FULL",
            "foreign_keys=ON",
            "trusted_schema=OFF",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def emit_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get(IMMEDIATE):
            connection.exec_driver_sql("BEGIN")
            return
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA busy_timeout={options.get(BUSY_TIMEOUT, BUSY_MILLISECONDS)}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            driver.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
