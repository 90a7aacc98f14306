"""Find transactions of the product that change something without an event.

Every test is watched, so a feature can't forget its events: the first test that commits one of its
changes fails.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Connection, Engine, event

from app.db import Base
from app.engines import IMMEDIATE

WITHOUT_EVENTS = {
    **dict.fromkeys(
        ("audit_entry", "audit_failure", "event"), "they are records of what happened themselves"
    ),
    **dict.fromkeys(
        ("ledger_summary", "ledger_reason", "item_past_name", "day_count", "stock_site"),
        "they are derived from rows that have events; what else a site has is tested by itself",
    ),
    **dict.fromkeys(
        ("data_version", "number_counter", "idempotency_key"), "they serve other changes"
    ),
    **dict.fromkeys(("login_session", "sign_in_failure"), "signing in is in the audit trail"),
    **dict.fromkeys(
        ("photo", "photo_upload", "document", "document_upload"),
        "they are content; what it is attached to has events",
    ),
}
"""Tables whose changes need no event, and why; those of every other table do."""

_is_direct = ContextVar("is_direct", default=False)
_WRITTEN = re.compile(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)')
_NAMES = "written tables"


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield a list of the tables that were changed without an event, by committed transaction."""
    silent: list[str] = []

    def execute(
        connection: Connection, _cursor: object, sql: str, _values: object, _: object, __: object
    ) -> None:
        is_watched = not _is_direct.get() and connection.get_execution_options().get(IMMEDIATE)
        if is_watched and (found := _WRITTEN.match(sql)):
            connection.info.setdefault(_NAMES, set()).add(found[1])

    def commit(connection: Connection) -> None:
        written: set[str] = connection.info.pop(_NAMES, set())
        changed = written & (Base.metadata.tables.keys() - WITHOUT_EVENTS.keys())
        if changed and "event" not in written:
            silent.append(" and ".join(sorted(changed)))

    def roll_back(connection: Connection) -> None:
        # One that was lost has nothing left, and would have to connect again.
        if not connection.invalidated:
            connection.info.pop(_NAMES, None)

    listeners: tuple[tuple[str, Any], ...] = (
        ("after_cursor_execute", execute),
        ("commit", commit),
        ("rollback", roll_back),
    )
    for name, listener in listeners:
        event.listen(Engine, name, listener)
    try:
        yield silent
    finally:
        for name, listener in listeners:
            event.remove(Engine, name, listener)


@contextmanager
def written_directly() -> Iterator[None]:
    """Let a test store rows itself, without events."""
    token = _is_direct.set(True)
    try:
        yield
    finally:
        _is_direct.reset(token)
