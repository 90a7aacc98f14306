"""Find transactions of the product that change something without an event or a new version.

Every test is watched, so a feature can't forget its events, or the version of a list, after which
pages and ETags are made anew: the first test that commits one of its changes fails.
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
        (
            "ledger_summary",
            "item_use",
            "ledger_reason",
            "item_past_name",
            "day_count",
            "stock_site",
        ),
        "they are derived from rows that have events; what else a site has is tested by itself",
    ),
    **dict.fromkeys(
        ("data_version", "number_counter", "idempotency_key"), "they serve other changes"
    ),
    "view_choice": "it is how one person's own screens look",
    **dict.fromkeys(("login_session", "sign_in_failure"), "signing in is in the audit trail"),
    **dict.fromkeys(
        ("import_draft", "import_mapping", "list_import", "list_import_row"),
        "they are on the way into lists, or what takes them back; the lists have events",
    ),
    **dict.fromkeys(
        ("photo", "photo_upload", "document", "document_upload"),
        "they are content; what it is attached to has events",
    ),
}
"""Tables whose changes need no event, and why; those of every other table do."""

TABLES = {
    "teams": {"team"},
    "suppliers": {"supplier"},
    "services": {"service"},
    "keys": {"place_key"},
    "keys-history": {"key_change"},
    "deliveries": {"delivery"},
    "gfm-deliveries": {"delivery"},
    **{name: {"vehicle", "vehicle_event"} for name in ("vehicles", "vans")},
    "van-history": {"vehicle_event"},
    "checks": {"vehicle_check", "check_photo"},
    "check-templates": {"check_template"},
    "assets": {"asset"},
    "assets-history": {"asset_move"},
    "upkeep": {
        *("defect", "defect_sighting", "defect_note", "repair", "repaired_defect", "repair_part"),
        *("off_road", "due_plan", "due_plan_vehicle", "due_item", "due_item_vehicle", "due_done"),
        *("odometer_reading", "vehicle_check"),
    },
    "bookings": {"booking", "bookable", "booking_rule"},
}
"""The tables of each list; a change of one gives the list, or one of its lists, a new version."""

_is_direct = ContextVar("is_direct", default=False)
_WRITTEN = re.compile(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)')
_PREFERENCES = re.compile(r"UPDATE user_account SET preference(s|_revision)=")
"""What a person prefers is nobody else's, so its changes need no event."""

_NAMES = "written tables"


def _texts(values: Any) -> Iterator[str]:
    if isinstance(values, str):
        yield values
    elif isinstance(values, dict | list | tuple):
        for value in values.values() if isinstance(values, dict) else values:
            yield from _texts(value)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield a list of the tables that committed transactions changed without saying so."""
    silent: list[str] = []

    def execute(
        connection: Connection, _cursor: object, sql: str, values: Any, _: object, __: object
    ) -> None:
        is_watched = not (_is_direct.get() or _PREFERENCES.match(sql))
        is_watched &= bool(connection.get_execution_options().get(IMMEDIATE))
        if is_watched and (found := _WRITTEN.match(sql)):
            written = connection.info.setdefault(_NAMES, set())
            written.add(found[1])
            if found[1] == "data_version":
                written.update(_texts(values))

    def commit(connection: Connection) -> None:
        written: set[str] = connection.info.pop(_NAMES, set())
        changed = written & (Base.metadata.tables.keys() - WITHOUT_EVENTS.keys())
        if changed and "event" not in written:
            silent.append(" and ".join(sorted(changed)))
        renewed = set().union(*(TABLES[name] for name in written & TABLES.keys()))
        stale = written & set().union(*TABLES.values()) - renewed
        silent.extend(f"{table}, without a new version" for table in sorted(stale))

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
