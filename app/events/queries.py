"""Reads of the events."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import String, cast, exists, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.db import db, restrict, stream_columns, table_of
from app.divisions import Division
from app.events.models import RecordedEvent
from app.events.rules import EventKind, StoredEvent
from app.lists import rows_with

_EVENTS = table_of(RecordedEvent)
_COLUMNS = [_EVENTS.c[name] for name in StoredEvent.__dataclass_fields__]
_SETTLING_DAYS = 2
"""After this many days from the first event `flask verify` reports missing events.

Until then the previous release, which writes no events, may have served beside this one.
"""


def events_of(
    subject_kind: str, ids: Collection[int | str], *, kinds: Collection[EventKind] | None = None
) -> Sequence[StoredEvent]:
    """Return the events of subjects of a kind, oldest first; without `kinds` all of them."""
    statement = select(*_COLUMNS).where(_EVENTS.c.subject_kind == subject_kind)
    if kinds is not None:
        statement = statement.where(_EVENTS.c.kind.in_(kinds))
    rows = rows_with(statement, _EVENTS.c.subject_id, map(str, ids))
    return sorted((StoredEvent(*row) for row in rows), key=lambda event: event.id)


def latest_events(limit: int, **filters: Any) -> Sequence[StoredEvent]:
    """Return the latest events that match, oldest first; the filters are those of `all_events`."""
    matching = restrict(select(*_COLUMNS), _EVENTS, **filters)
    statement = matching.order_by(_EVENTS.c.id.desc()).limit(limit)
    return [StoredEvent(*row) for row in db.session.execute(statement)][::-1]


def all_events(**filters: Any) -> Iterator[StoredEvent]:
    """Stream the events that match, oldest first: by `division`, `kind` and `since`."""
    statement = restrict(select(*_COLUMNS), _EVENTS, **filters).order_by(_EVENTS.c.id)
    return (StoredEvent(*row) for row in stream_columns(statement))


def complete_since() -> datetime | None:
    """Return the time from which every change has its event, None if there is no such time yet."""
    first: datetime | None = db.session.execute(select(func.min(_EVENTS.c.at))).scalar()
    if first is None:
        return None
    return dates.start_of_day(dates.london_day(first) + timedelta(days=_SETTLING_DAYS))


def without_event(
    subject_kind: str,
    id_: InstrumentedAttribute[int],
    at: InstrumentedAttribute[datetime],
    since: datetime,
) -> Iterator[int]:
    """Stream the ids of rows since a time that no event of a kind of subject is about."""
    about = exists().where(
        _EVENTS.c.subject_kind == subject_kind, _EVENTS.c.subject_id == cast(id_, String)
    )
    statement = select(id_).where(at >= since, ~about).order_by(id_)
    yield from db.session.execute(statement.execution_options(yield_per=1000)).scalars()


def recorded_values(division: Division) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Stream the subject's kind and id, and the values afterwards, of a division's events."""
    statement = (
        select(_EVENTS.c.subject_kind, _EVENTS.c.subject_id, _EVENTS.c.after)
        .where(_EVENTS.c.division == division, _EVENTS.c.after.is_not(None))
        .order_by(_EVENTS.c.id)
    )
    for row in db.session.execute(statement.execution_options(yield_per=1000)):
        yield row.subject_kind, row.subject_id, row.after
