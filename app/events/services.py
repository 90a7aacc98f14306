"""Append events, in the transaction of the recorded change."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import insert

from app import dates
from app.db import execute, table_of
from app.divisions import Division
from app.events.models import RecordedEvent
from app.events.rules import EventKind, Values
from app.logs import current_entry
from app.origin import request_origin

# PostgreSQL would have to return the id, and nobody needs it.
_INSERT = insert(table_of(RecordedEvent)).inline()


class ChangedSubject(NamedTuple):
    """The change of one of many subjects, as `record_event` takes it."""

    subject_id: int | str
    before: Values | None = None
    after: Values | None = None


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
    subject = ChangedSubject(subject_id, before, after)
    record_events(kind, subject_kind, [subject], division=division, by=by)


def record_events(
    kind: EventKind,
    subject_kind: str,
    subjects: Iterable[ChangedSubject],
    *,
    division: Division | None,
    by: int | None = None,
) -> None:
    """Append an event for each of several subjects, as an import changes them, in one statement."""
    channel, user_id = request_origin()
    shared = {
        "at": dates.utc_now(),
        "kind": kind,
        "division": division,
        "subject_kind": subject_kind,
        "actor_id": user_id if by is None else by,
        "channel": channel,
        "request_id": current_entry().id or None,
    }
    rows = [
        {
            **shared,
            "subject_id": str(subject.subject_id),
            "before": subject.before or None,
            "after": subject.after or None,
        }
        for subject in subjects
    ]
    if rows:
        execute(_INSERT, rows if len(rows) > 1 else rows[0])
