"""Reads due items by day and month."""

from calendar import Calendar
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from sqlalchemy import func, select

from app.accounts.queries import user
from app.db import db
from app.divisions import Division
from app.due.models import CalendarFeed, DueItem
from app.due.queries.due import DueRow, open_items
from app.due.rules.due import calendar_day, describe_reason
from app.due.rules.icalendar import CalendarDay
from app.due.rules.next_due import add_months
from app.errors import Invalid, NotFound
from app.events.models import RecordedEvent
from app.lists import rows_with

READERS = (Division.FLEET, Division.GPM)
"""The divisions whose people can have a calendar."""


class NoSuchCalendar(NotFound):
    """The address was never made, or has ended."""

    def __init__(self) -> None:
        super().__init__("There is no such calendar.")


def token_hash(token: str) -> str:
    """Return the stored hash of a secret address."""
    return sha256(token.encode()).hexdigest()


def current_feed(user_id: int) -> CalendarFeed | None:
    """Return the address of a user that works, None without one."""
    statement = select(CalendarFeed).filter_by(user_id=user_id)
    newest = statement.where(CalendarFeed.revoked_at.is_(None)).order_by(CalendarFeed.id.desc())
    return db.session.execute(newest.limit(1)).scalar_one_or_none()


def check_token(token: str) -> None:
    """Check that a secret address works: its owner is active and has a division that reads it.

    Raises NoSuchCalendar.
    """
    statement = select(CalendarFeed).filter_by(token_hash=token_hash(token))
    feed = db.session.execute(statement).scalar_one_or_none()
    if feed is None or feed.revoked_at is not None:
        raise NoSuchCalendar
    owner = user(feed.user_id)
    if owner.disabled_at is not None or not owner.roles().keys() & set(READERS):
        raise NoSuchCalendar


def calendar_days(today: date) -> Sequence[CalendarDay]:
    """Return due items as events of whole days, mileages on the days they are expected."""
    found = [(row, calendar_day(row.terms, row.standing)) for row in open_items(today)]
    entries = [(row, *entry) for row, entry in found if entry is not None]
    changed = _last_changes([row.id for row, _, _ in entries])
    return [_day(row, day, mark, changed[row.id], today) for row, day, mark in entries]


def _day(row: DueRow, day: date, mark: str, changed_at: datetime, today: date) -> CalendarDay:
    return CalendarDay(
        uid=f"due-{row.id}@quartermaster",
        day=day,
        summary=f"{row.regs}: {row.terms.label}" + (f" ({mark})" if mark else ""),
        description=describe_reason(row.terms, row.standing, today),
        sequence=row.revision,
        changed_at=changed_at,
    )


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


MAX_YEARS_AWAY = 20


@dataclass(frozen=True)
class MonthDay:
    """A day of a month's table with the items that come first on it."""

    day: date
    is_in_month: bool
    rows: Sequence[DueRow] = ()


@dataclass(frozen=True)
class Month:
    """A month by its first day."""

    first: date

    @property
    def name(self) -> str:
        """Return it as 'January 2027'."""
        return f"{self.first:%B %Y}"

    @property
    def value(self) -> str:
        """Return it as '2027-01'."""
        return f"{self.first:%Y-%m}"

    def later(self, months: int) -> "Month":
        """Return the month so many months later."""
        return Month(add_months(self.first, months))


def month_of(text: str, today: date) -> Month:
    """Return the month that a text such as '2027-01' names, for '' today's.

    Raises Invalid.
    """
    if not text:
        return Month(today.replace(day=1))
    try:
        first = date.fromisoformat(f"{text}-01")
    except ValueError:
        raise Invalid("Month must be a year and a month, such as 2027-01.") from None
    if abs(first.year - today.year) > MAX_YEARS_AWAY:
        raise Invalid(f"Choose a month within {MAX_YEARS_AWAY} years of today.")
    return Month(first)


def month_rows(rows: Sequence[DueRow], month: Month) -> Sequence[Sequence[MonthDay]]:
    """Return the weeks of a month from Monday on, with the items due or expected on each day."""
    by_day: dict[date, list[DueRow]] = defaultdict(list)
    for row in rows:
        if row.standing.first_on is not None:
            by_day[row.standing.first_on].append(row)
    year, number = month.first.year, month.first.month
    return [
        [MonthDay(day, day.month == number, by_day.get(day, ())) for day in week]
        for week in Calendar().monthdatescalendar(year, number)
    ]
