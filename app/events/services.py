"""Append events, in the transaction of what they tell."""

from sqlalchemy import insert

from app import dates
from app.db import execute, table_of
from app.divisions import Division
from app.events.models import RecordedEvent
from app.events.rules import EventKind, Values
from app.logs import current_request
from app.origin import request_origin

# Nobody needs its id, which PostgreSQL would have to return.
_INSERT = insert(table_of(RecordedEvent)).inline()


def record_event(
    kind: EventKind,
    subject_kind: str,
    subject_id: int | str,
    *,
    division: Division | None,
    by: int | None = None,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Append an event to the transaction; who did it is `by`, else the user of the request.

    Call it once for each operation, however many rows that changes. `before` and `after` hold the
    values that changed, as JSON has them, and no personal data but ids of users.
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
        "before": before or None,
        "after": after or None,
    }
    execute(_INSERT, values)
