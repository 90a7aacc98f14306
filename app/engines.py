"""The two engines: their setup, and the meaning of their errors."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from sqlalchemy import event, make_url
from sqlalchemy.engine import Connection, Dialect, Engine, ExceptionContext
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

try:
    import pysqlite3 as _pysqlite
except ImportError:
    _pysqlite = sqlite3

sqlite_library: ModuleType = _pysqlite

SQLITE_VERSION: str = sqlite_library.sqlite_version

IMMEDIATE = "begin_immediate"
"""Execution option: SQLite takes its write lock when the transaction begins."""

BUSY_TIMEOUT = "busy_timeout"
"""Execution option: how many milliseconds a lock may be waited for; else BUSY_MILLISECONDS."""

SINGLE_READ = "single_read"
"""Execution option: SQLite begins no transaction."""

BUSY_MILLISECONDS = 15_000


_SESSION_SETTINGS = {
    "lock_timeout": "15s",
    "statement_timeout": "60s",
    "idle_in_transaction_session_timeout": "60s",
    "timezone": "UTC",
    # Compiling the statements of the fleet's costs takes far longer than running them.
    "jit": "off",
}
_DEAD_SERVER = {
    "connect_timeout": 3,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How soon PostgreSQL's client notices a server that is gone, in seconds; the last in ms.

An address may set its own; see docs/settings.md.
"""

_losses: Counter[str] = Counter()
"""How often this process has lost its connections to a database."""

_READ_ONLY = "25006"
"""SQLSTATE of a change that a standby, or a server that became one, refuses."""

_LOCK_TIMEOUT = "55P03"
"""SQLSTATE of a statement that has waited for a lock as long as it may."""


def is_retryable(error: BaseException) -> bool:
    """Return whether a transaction failed by a serialization failure or deadlock."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in (
        "40001",
        "40P01",
    )


def is_full(error: DBAPIError) -> bool:
    """Return whether the disk of the database has no room left."""
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    return sqlite_code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == "53100"


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
    transient = ("55P03", "57014", "40001", "40P01", _READ_ONLY)
    return state in transient or state.startswith(("08", "53", "57P"))


def violates(error: IntegrityError, constraint: str, columns: str = "") -> bool:
    """Return whether an error is the violation of a unique or exclusion constraint, or an index.

    PostgreSQL names the constraint. SQLite names only its columns, such as 'item.name_key', or
    the index if it has expressions or a condition; a trigger says the constraint that it stands
    for.
    """
    diagnostics = getattr(error.orig, "diag", None)
    if diagnostics is not None:
        return bool(diagnostics.constraint_name == constraint)
    return str(error.orig) in (
        constraint,
        f"UNIQUE constraint failed: {columns}",
        f"UNIQUE constraint failed: index '{constraint}'",
    )


def engine_options(url: str) -> dict[str, Any]:
    """Return the arguments of create_engine for this database.

    Errors hide the statements' parameters: they are logged, and hold ids of login sessions.
    """
    if url.startswith("sqlite"):
        return {
            "hide_parameters": True,
            "module": sqlite_library,
            "connect_args": {"timeout": BUSY_MILLISECONDS / 1000},
        }
    given = make_url(url).query
    settings = " ".join(f"-c {name}={value}" for name, value in _SESSION_SETTINGS.items())
    return {
        "hide_parameters": True,
        "pool_pre_ping": True,
        "pool_size": 10,
        "connect_args": {
            **{name: value for name, value in _DEAD_SERVER.items() if name not in given},
            "options": f"{settings} {given.get('options', '')}".rstrip(),
        },
    }


def wal_is_safe(version: tuple[int, ...]) -> bool:
    """Return whether a SQLite version has the fix for the WAL-reset corruption bug.

    See docs/domain.md, Engines.
    """
    fixed_branches = {(3, 50): (3, 50, 7), (3, 44): (3, 44, 6)}
    return version >= fixed_branches.get((version[0], version[1]), (3, 51, 3))


def prepare_engine(engine: Engine) -> None:
    """Set up each connection of SQLite; watch those to PostgreSQL's servers."""
    if engine.dialect.name != "sqlite":
        _watch_connections(engine)
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
        if options.get(SINGLE_READ):
            return
        if not options.get(IMMEDIATE):
            connection.exec_driver_sql("BEGIN")
            return
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA busy_timeout={options.get(BUSY_TIMEOUT, BUSY_MILLISECONDS)}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            driver.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")


def _watch_connections(engine: Engine) -> None:
    # Only installations with PostgreSQL import its client.
    from app.postgresql import connect

    @event.listens_for(engine, "do_connect")
    def do_connect(
        _dialect: Dialect, _record: object, _arguments: Sequence[object], named: dict[str, Any]
    ) -> Any:
        return connect(named)

    @event.listens_for(engine, "begin")
    def limit_waiting(connection: Connection) -> None:
        timeout = connection.get_execution_options().get(BUSY_TIMEOUT, BUSY_MILLISECONDS)
        # A statement more only for a request that has waited long already; 0 would be no limit.
        if 0 < timeout < BUSY_MILLISECONDS - 1000:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {timeout}")

    @event.listens_for(engine, "handle_error")
    def leave_server(context: ExceptionContext) -> None:
        state = getattr(context.original_exception, "sqlstate", None)
        # After another server was promoted, the old one's commits wait for ever, with their locks.
        is_suspicious = state == _LOCK_TIMEOUT and isinstance(engine.url.query.get("host"), tuple)
        if state == _READ_ONLY or is_suspicious:
            if context.connection is not None:
                context.connection.connection.driver_connection.try_last()  # type: ignore[union-attr]
            # All connections of the pool are made anew.
            context.is_disconnect = True
        if context.is_disconnect:
            _losses[str(engine.url)] += 1


def losses(engine: Engine) -> int:
    """Return how often this process has lost its connections to the database.

    The next connections may lead to another server that lacks the last confirmed changes: then it
    gives a list's version a second time, to other data. So values kept by version are kept by this
    number, too.
    """
    return _losses[str(engine.url)]
