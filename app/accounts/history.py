"""Who changed a record, for whoever comes after them."""

from datetime import datetime

from app import dates
from app.accounts.queries import usernames
from app.events.queries import events_of
from app.events.rules import EventKind

SYSTEM = "The system"

_OF_FILES = (EventKind.ATTACHMENT_ADDED, EventKind.ATTACHMENT_REMOVED)


def lost_race(by: int | str | None, done: str, at: datetime, *, unnamed: str = "Somebody") -> str:
    """Return the message for the second of two people, whose change came too late.

    Such as 'k.lee undid R-0088 at 9:40. Nothing was changed.'. `by` is who was first, as the id
    of an account or a name; `unnamed` stands for an account without a name.
    """
    return f"{describe_change(by, done, at, unnamed=unnamed)}. Nothing was changed."


def last_change(subject_kind: str, subject_id: int) -> str:
    """Return who changed a record last and when, as in 'k.lee changed it at 9:40'."""
    events = events_of(subject_kind, [subject_id])
    last = [event for event in events if event.kind not in _OF_FILES][-1]
    return describe_change(last.actor_id, "changed it", last.at, unnamed=SYSTEM)


def describe_change(by: int | str | None, done: str, at: datetime, *, unnamed: str) -> str:
    """Describe a change by its user and time; the parameters are as in `lost_race`."""
    name = by if isinstance(by, str) else usernames([by])[by]
    return f"{name or unnamed} {done} {dates.moment_in_sentence(at, dates.today())}"
