"""Write to the audit trail, in the transaction of the recorded change."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.sql.dml import ReturningInsert

from app import dates
from app.audit import queries
from app.audit.models import AuditEntry, UnrecordedFailure
from app.audit.rules import FAILURE_INTERVAL, ChainMark, Event, chain, chain_problems
from app.db import advisory_lock, db, execute, insert_function, missing_guards, run_last, table_of
from app.lists import ListChange
from app.origin import request_origin

_LOCK = "audit trail"
_INSERT = insert(table_of(AuditEntry))
_FAILURES = table_of(UnrecordedFailure)
_SET_FAILURES = (
    update(_FAILURES)
    .where(_FAILURES.c.account == bindparam("name"))
    .values(since=bindparam("time"), failures=0)
)


def record(event: Event, subject: str, *, by: int | None = None, **detail: Any) -> None:
    """Record an event; `by` is the user, else the user of the request.

    The entry is written last in the transaction: the lock that orders all writers is then held for
    the commit alone, and never while waiting for another lock.
    """
    channel, user_id = request_origin()
    user = user_id if by is None else by
    run_last(partial(_append, event, channel, user, subject, detail))


def record_import(list_name: str, change: ListChange, *, by: int | None = None) -> None:
    """Record the import or replacement of a whole list, unless it changed nothing."""
    if change:
        counts = {name: number for name, number in vars(change).items() if number}
        record(Event.IMPORT, list_name, by=by, **counts)


@dataclass(frozen=True)
class DiscardResult:
    """The title of a discarded change."""

    title: str


def record_discard(
    title: str, *, detail: str, reason: str, made_at: datetime | None, by: int
) -> DiscardResult:
    """Record that a waiting change is discarded: the books don't have it.

    `title` and `detail` are texts for its person, 'Withdraw 5 × HAND WARMER' and 'Kitchen'.
    """
    made = {} if made_at is None else {"made": made_at.isoformat(timespec="seconds")}
    record(Event.DISCARD, title, by=by, reason=reason, detail=detail, **made)
    return DiscardResult(title)


def record_failure(account: str) -> None:
    """Count a failed sign-in of an account, or of none; record it if the last entry is old enough.

    A stranger adds at most one entry a minute per account, and one for all other names.
    """
    now = dates.utc_now()
    values = {"account": account, "since": now, "failures": 1}
    since, failures = execute(_count_failure(db.engine.dialect.name), values).one()
    if since == now or now - since >= FAILURE_INTERVAL:
        _record_failures(account, failures)


def record_earlier_failures(account: str) -> None:
    """Record the failed sign-ins of an account that have no entry yet, before it signs in."""
    statement = select(_FAILURES.c.failures).where(_FAILURES.c.account == account)
    if failures := execute(statement).scalar():
        _record_failures(account, failures)


def problems(mark: ChainMark | None = None) -> Iterator[str]:
    """Yield the problems of the trail: its guards, its chain, and a missing mark."""
    for guard in missing_guards(AuditEntry):
        yield f"The trigger {guard}, which refuses changes of the trail, is missing"
    yield from chain_problems(queries.all_entries(), mark)


def _record_failures(account: str, failures: int) -> None:
    record(Event.SIGN_IN_FAILURE, account, failures=failures)
    execute(_SET_FAILURES, {"name": account, "time": dates.utc_now()})


def _append(*change: Any) -> None:
    advisory_lock(_LOCK)
    # A separate statement sees the rows that were committed before the lock was free.
    execute(_INSERT, vars(chain(queries.last_mark(), dates.utc_now(), *change)))


@cache
def _count_failure(dialect: str) -> ReturningInsert[Any]:
    """Return the statement that counts a failure and returns the start and number of the count."""
    new = insert_function(dialect)(_FAILURES).on_conflict_do_update(
        index_elements=["account"], set_={"failures": _FAILURES.c.failures + 1}
    )
    statement: ReturningInsert[Any] = new.returning(_FAILURES.c.since, _FAILURES.c.failures)
    return statement
