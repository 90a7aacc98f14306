"""Reads for the checks of the data and of the installation."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from sqlalchemy import Connection, func, select, text

from app import dates, day_counts
from app.assets.queries import moves
from app.audit.models import AuditEntry
from app.db import db, missing_guards
from app.deliveries import queries as deliveries
from app.deliveries.models import Delivery
from app.diagnostics.rules import TIME_LIMITS
from app.events import queries as events
from app.events.models import RecordedEvent
from app.fleet.models import Check
from app.fleet.queries import checks
from app.stock.models import LedgerEntry, StockOperation

COUNTED = (*checks.COUNTED, *deliveries.COUNTED, moves.COUNTED)


def begin_snapshot() -> None:
    """Let all that `db.session` reads from now on be of one moment, however long it takes."""
    db.session.rollback()
    if db.engine.dialect.name == "postgresql":
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        db.session.connection(execution_options=options)
        db.session.execute(text("SET LOCAL statement_timeout = 0"))


def count_problems() -> Iterator[str]:
    """Yield each number by day that differs from the number of rows."""
    for counted in COUNTED:
        yield from day_counts.problems(counted)


def settings_of(connection: Connection) -> Mapping[str, str]:
    """Return the settings of the database, as this connection has them, that doctor judges."""
    if connection.dialect.name == "postgresql":
        names = ("server_version", "fsync", "synchronous_commit", *TIME_LIMITS)
        statements = {name: f"SHOW {name}" for name in names}
        statements["standby"] = "SELECT CASE WHEN pg_is_in_recovery() THEN 'yes' ELSE 'no' END"
    else:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        statements = {name: f"PRAGMA {name}" for name in pragmas}
    return {
        name: str(connection.execute(text(statement)).scalar_one())
        for name, statement in statements.items()
    }


def seconds_ahead(connection: Connection) -> float:
    """Return by how many seconds this machine's clock is ahead of PostgreSQL's."""
    before = dates.utc_now()
    theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    after = dates.utc_now()
    return ((before + (after - before) / 2) - theirs).total_seconds()


def last_recorded_at(connection: Connection) -> datetime | None:
    """Return when the last operation or audit entry was recorded, None without any."""
    statements = (
        select(StockOperation.recorded_at).order_by(StockOperation.id.desc()).limit(1),
        select(AuditEntry.at).order_by(AuditEntry.id.desc()).limit(1),
    )
    times = [connection.execute(statement).scalar() for statement in statements]
    return max((time for time in times if time is not None), default=None)


def event_problems() -> Iterator[str]:
    """Yield guards of the events that are missing, and each change without an event."""
    for guard in missing_guards(RecordedEvent):
        yield f"The trigger {guard}, which refuses changes of events, is missing"
    since = events.complete_since()
    if since is None:
        return
    operations = (StockOperation.id, StockOperation.recorded_at)
    for operation in events.without_event("operation", *operations, since):
        yield f"Operation {operation} has no event"
    for check in events.without_event("check", Check.id, Check.submitted_at, since):
        yield f"Check {check} has no event"
    for move in moves.moves_without_event(since):
        yield f"Asset move {move} has no event"


def posting_problems() -> Iterator[str]:
    """Yield once each delivered delivery whose operation didn't add its amount to stock."""
    added = (
        select(
            LedgerEntry.operation_id,
            func.sum(LedgerEntry.delta).label("units"),
            func.count().label("lines"),
        )
        .group_by(LedgerEntry.operation_id)
        .subquery()
    )
    statement = (
        select(Delivery.id, Delivery.amount, func.coalesce(added.c.units, 0).label("units"))
        .outerjoin(added, added.c.operation_id == Delivery.operation_id)
        .where(
            Delivery.delivered_at.is_not(None),
            (func.coalesce(added.c.units, 0) != Delivery.amount) | (added.c.lines != 1),
        )
        .order_by(Delivery.id)
    )
    for row in db.session.execute(statement):
        yield f"Delivery {row.id} is of {row.amount}, and {row.units} were added to stock"
    shared = (
        select(Delivery.operation_id)
        .where(Delivery.operation_id.is_not(None))
        .group_by(Delivery.operation_id)
        .having(func.count() > 1)
    )
    for operation in db.session.execute(shared).scalars():
        yield f"Operation {operation} is that of several deliveries"
