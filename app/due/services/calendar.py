"""Make and revoke the secret addresses of calendars; only their hashes are stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from app import dates
from app.accounts.models import User
from app.db import db, lock_rows
from app.divisions import Division
from app.due.models import CalendarFeed
from app.due.queries.calendar import token_hash
from app.errors import NotFound
from app.events.rules import EventKind
from app.events.services import record_event


@dataclass(frozen=True)
class CalendarResult:
    """An address that was made or revoked; the secret isn't in it."""

    feed_id: int


def make_calendar(token: str, *, by: int) -> CalendarResult:
    """Give a user a new secret address; the former one ends."""
    _end_current(by, by=by)
    feed = CalendarFeed(user_id=by, token_hash=token_hash(token), made_at=dates.utc_now())
    db.session.add(feed)
    db.session.flush()
    _record(EventKind.CALENDAR_MADE, feed, by)
    return CalendarResult(feed.id)


def revoke_calendar(*, by: int) -> CalendarResult:
    """End a user's secret address. Raises NotFound without one."""
    feeds = _end_current(by, by=by)
    if not feeds:
        raise NotFound("You have no address. Load the page again.")
    return CalendarResult(feeds[0].id)


def end_for_disabled(user: User) -> None:
    """End the address of an account that was disabled, also for when it is enabled again."""
    _end_current(user.id, by=None)


def _end_current(user_id: int, *, by: int | None) -> Sequence[CalendarFeed]:
    is_current = CalendarFeed.revoked_at.is_(None)
    feeds = lock_rows(CalendarFeed, CalendarFeed.user_id == user_id, is_current)
    for feed in feeds:
        feed.revoked_at = dates.utc_now()
        db.session.flush()
        _record(EventKind.CALENDAR_REVOKED, feed, by)
    return feeds


def _record(kind: EventKind, feed: CalendarFeed, by: int | None) -> None:
    record_event(kind, "calendar", feed.id, division=Division.FLEET, by=by)
