"""The database: the models' base, the rules per engine, and the only commit."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, TypeVarTuple

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    URL,
    DateTime,
    Enum,
    MetaData,
    NullPool,
    Row,
    Select,
    String,
    TypeDecorator,
    create_engine,
    event,
    text,
)
from sqlalchemy.engine import Connection, Dialect, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Session

try:
    import pysqlite3 as _pysqlite
except ImportError:
    _pysqlite = sqlite3

SQLITE_VERSION: str = _pysqlite.sqlite_version

IMMEDIATE = "begin_immediate"
"""Execution option that makes SQLite take its write lock when the transaction begins."""

BUSY_MILLISECONDS = 15_000
ROWS_AT_A_TIME = 1000

Columns = TypeVarTuple("Columns")


class Base(DeclarativeBase):
    """Base of all models; its naming convention gives every constraint a name."""

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
    """An aware moment, stored as UTC without zone on both engines."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


def key_text(length: int) -> String:
    """Return the column type of a name or its key, ordered by code point on both engines."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


def text_enum(kind: type[StrEnum], name: str) -> Enum:
    """Return the column type of an enum: its values as text, checked by the database."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        values_callable=lambda members: [member.value for member in members],
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


@contextmanager
def transaction(*, keep: bool = True) -> Iterator[None]:
    """Run one unit of work in a fresh `db.session`: all of it is kept, or nothing.

    Everything read before belongs to another session; read again what the work depends on.
    Without `keep` the work is only tried, as a dry run does.
    """
    db.session.remove()
    db.session.connection(execution_options={IMMEDIATE: True})
    try:
        yield
        if keep:
            db.session.commit()
    finally:
        db.session.remove()


@contextmanager
def read_session() -> Iterator[Session]:
    """Give a session of its own to a guard, so that `db.session` stays untouched by it."""
    with Session(db.engine, expire_on_commit=False) as session:
        yield session


def stream_rows(statement: Select[*Columns]) -> Iterator[Row[*Columns]]:
    """Read rows some at a time, in a session of their own that lives as long as one reads.

    So a reply can be written while it is sent, when the request's session has ended.
    """
    engine = db.engine

    def rows() -> Iterator[Row[*Columns]]:
        some = statement.execution_options(yield_per=ROWS_AT_A_TIME)
        # Whoever stops reading before the end leaves no cursor open behind.
        with Session(engine) as session, session.execute(some) as found:
            yield from found

    return rows()


@contextmanager
def snapshot(scratch: Path) -> Iterator[Connection]:
    """Give a connection that sees the database as it is at one moment, while others write.

    SQLite is copied into a folder in `scratch` first: however long one reads, nobody waits for
    it, and no journal grows.
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
    """Let nobody else hold the same name until this transaction ends.

    SQLite's transactions have one writer at a time anyway.
    """
    if db.session.get_bind().dialect.name == "postgresql":
        db.session.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": name})


def is_retryable(error: BaseException) -> bool:
    """Tell whether a transaction failed only because another was under way (40001, 40P01)."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in (
        "40001",
        "40P01",
    )


def is_busy(error: DBAPIError) -> bool:
    """Tell whether the database is there but has no time, or can't be reached just now."""
    state = getattr(error.orig, "sqlstate", "") or ""
    said = str(error.orig).lower()
    return (
        state in ("55P03", "57014", "40001", "40P01")
        or state.startswith(("08", "53", "57P"))
        or any(word in said for word in ("locked", "busy", "connection", "timeout"))
    )


def engine_options(url: str) -> dict[str, Any]:
    """Return what Flask-SQLAlchemy passes to create_engine for this database."""
    if url.startswith("sqlite"):
        return {"module": _pysqlite, "connect_args": {"timeout": BUSY_MILLISECONDS / 1000}}
    limits = "-c lock_timeout=15s -c statement_timeout=60s -c timezone=UTC"
    return {
        "pool_pre_ping": True,
        "pool_size": 10,
        "connect_args": {"options": limits, "connect_timeout": 5},
    }


def wal_is_safe(version: tuple[int, ...]) -> bool:
    """Tell whether a SQLite version is free of the WAL-reset corruption bug (design §7)."""
    fixed_branches = {(3, 50): (3, 50, 7), (3, 44): (3, 44, 6)}
    return version >= fixed_branches.get((version[0], version[1]), (3, 51, 3))


def prepare_engine(engine: Engine) -> None:
    """Set the rules of design §7 on every connection of a SQLite engine; leave others alone."""
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
        immediate = connection.get_execution_options().get(IMMEDIATE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
