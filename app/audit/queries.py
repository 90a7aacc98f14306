"""Reads of the audit trail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import column, select, table

from app.audit.models import AuditEntry, UnrecordedFailure
from app.audit.rules import START, ChainedEntry, ChainMark
from app.db import db, execute, restrict, stream_columns, table_of

_ENTRIES = table_of(AuditEntry)
_LAST = select(_ENTRIES.c.id, _ENTRIES.c.hash).order_by(_ENTRIES.c.id.desc()).limit(1)
_COLUMNS = [_ENTRIES.c[field.name] for field in fields(ChainedEntry)]


def last_mark() -> ChainMark:
    """Return the mark of the last entry."""
    row = execute(_LAST).first()
    return START if row is None else ChainMark(row.id, row.hash)


def all_entries() -> Iterator[ChainedEntry]:
    """Stream the trail from its first entry."""
    statement = select(*_COLUMNS).order_by(_ENTRIES.c.id)
    return (ChainedEntry(*row) for row in stream_columns(statement))


def latest_entries(limit: int, **filters: Any) -> Sequence[ChainedEntry]:
    """Return the latest entries that match, oldest first: by `user_id`, `event` and `since`."""
    matching = restrict(select(*_COLUMNS), _ENTRIES, **filters)
    statement = matching.order_by(_ENTRIES.c.id.desc()).limit(limit)
    return [ChainedEntry(*row) for row in db.session.execute(statement)][::-1]


def unrecorded_failures() -> Sequence[UnrecordedFailure]:
    """Return the failed sign-ins that have no entry yet, by account."""
    statement = (
        select(UnrecordedFailure)
        .where(UnrecordedFailure.failures > 0)
        .order_by(UnrecordedFailure.account)
    )
    return db.session.execute(statement).scalars().all()


# Accounts stand above the trail, which they write to.
_ACCOUNTS = table("user_account", column("id"), column("username"))


def usernames() -> Mapping[int, str]:
    """Return the names of all accounts by their ids."""
    return dict(db.session.execute(select(_ACCOUNTS.c.id, _ACCOUNTS.c.username)).all())
