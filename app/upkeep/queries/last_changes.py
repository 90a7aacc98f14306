"""Who changed a record last, for whoever comes after them."""

from app import dates
from app.accounts.queries import usernames
from app.events.queries import events_of
from app.events.rules import EventKind

_OF_FILES = (EventKind.ATTACHMENT_ADDED, EventKind.ATTACHMENT_REMOVED)


def last_change(subject_kind: str, subject_id: int) -> str:
    """Return who changed a record last and when, as in 'k.lee changed it at 9:40'."""
    events = events_of(subject_kind, [subject_id])
    last = [event for event in events if event.kind not in _OF_FILES][-1]
    name = usernames([last.actor_id])[last.actor_id] or "The system"
    return f"{name} changed it {dates.moment_in_sentence(last.at, dates.today())}"
