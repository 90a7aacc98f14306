"""Reads of events."""

from collections.abc import Collection, Sequence

from sqlalchemy import select

from app.db import db
from app.events.models import RecordedEvent
from app.events.rules import EventKind


def events_of(
    subject_kind: str, subject_id: int | str, kinds: Collection[EventKind]
) -> Sequence[RecordedEvent]:
    """Return the events of these kinds that happened to a record, oldest first."""
    statement = (
        select(RecordedEvent)
        .filter_by(subject_kind=subject_kind, subject_id=str(subject_id))
        .where(RecordedEvent.kind.in_(kinds))
        .order_by(RecordedEvent.id)
    )
    return db.session.execute(statement).scalars().all()
