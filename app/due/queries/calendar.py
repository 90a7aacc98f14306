"""Calendars of what is due: their secret addresses, and their days."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import func, select

from app.accounts.models import User
from app.accounts.queries import user
from app.db import db
from app.divisions import Division
from app.due.models import CalendarFeed, DueItem
from app.due.queries.due import open_items
from app.due.rules.icalendar import CalendarEvent
from app.errors import NotFound
from app.events.models import RecordedEvent
from app.lists import rows_with

READERS = {Division.FLEET, Division.GPM}
"""The divisions whose people can have a calendar."""


def token_hash(token: str) -> str:
    """Return the stored hash of a secret address."""
    return sha256(token.encode()).hexdigest()


def current_feed(user_id: int) -> CalendarFeed | None:
    """Return the address of a user that works, None without one."""
    statement = select(CalendarFeed).filter_by(user_id=user_id)
    newest = statement.where(CalendarFeed.revoked_at.is_(None)).order_by(CalendarFeed.id.desc())
    return db.session.execute(newest.limit(1)).scalar_one_or_none()


def owner_of(token: str) -> User:
    """Return the active owner of an address who may read it; raises NotFound."""
    statement = select(CalendarFeed).filter_by(token_hash=token_hash(token))
    feed = db.session.execute(statement).scalar_one_or_none()
    owner = user(feed.user_id) if feed is not None and feed.revoked_at is None else None
    if owner is None or owner.disabled_at is not None or not owner.roles().keys() & READERS:
        raise NotFound("There is no such calendar.")
    return owner


def calendar_days(_: User) -> Sequence[CalendarEvent]:
    """Return due items as events of whole days, mileages on the days they are expected."""
    found = [(row, *at) for row in open_items() if (at := row.standing.calendar_day)]
    changed = _last_changes([row.id for row, _, _ in found])
    return [
        CalendarEvent(
            uid=f"due-{row.id}@quartermaster",
            start=day,
            end=day + timedelta(days=1),
            summary=f"{row.regs}: {row.terms.label}" + (f" ({mark})" if mark else ""),
            description=row.standing.reason,
            sequence=row.revision,
            changed_at=changed[row.id],
        )
        for row, day, mark in found
    ]


CALENDARS: dict[str, tuple[str, Callable[[User], Sequence[CalendarEvent]]]] = {
    "": ("What is due", calendar_days)
}
"""The names and events of the calendars, also of features above, by the ends of their addresses."""


def _last_changes(item_ids: Sequence[int]) -> Mapping[int, datetime]:
    opened = select(DueItem.id, DueItem.opened_at)
    changed = (
        select(RecordedEvent.subject_id, func.max(RecordedEvent.at))
        .where(RecordedEvent.subject_kind == "due_item")
        .group_by(RecordedEvent.subject_id)
    )
    changes = rows_with(changed, RecordedEvent.subject_id, map(str, item_ids))
    found = dict(rows_with(opened, DueItem.id, item_ids))
    return found | {int(id_): at for id_, at in changes}
