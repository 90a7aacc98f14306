"""Append events, in the transaction of what they tell."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert

from app import dates
from app.db import execute, table_of
from app.divisions import Division
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.logs import current_request
from app.origin import request_origin

_INSERT = insert(table_of(RecordedEvent))


def record_event(
    kind: EventKind,
    subject_kind: str,
    subject_id: int | str,
    *,
    division: Division | None,
    by: int | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Append an event; who did it is `by`, else the user of the request.

    `before` and `after` hold the values that changed, as JSON has them, and no personal data but
    ids of users.
    """
    channel, user_id = request_origin()
    entry = current_request.get()
    values = {
        "at": dates.utc_now(),
        "kind": kind,
        "division": division,
        "subject_kind": subject_kind,
        "subject_id": str(subject_id),
        "actor_id": user_id if by is None else by,
        "channel": channel,
        "request_id": entry.id if entry else None,
        "before": before,
        "after": after,
    }
    execute(_INSERT, values)
