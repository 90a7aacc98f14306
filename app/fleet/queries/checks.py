"""Checks for the checks list, the API and the exports, their photos, and their numbers by day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import partial
from itertools import groupby, product
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from app import dates
from app.accounts.models import User
from app.accounts.queries import usernames
from app.day_counts import CountedList, count_by_day
from app.db import db, stream_columns
from app.errors import existing
from app.fleet.models import IS_FLAGGED, Check, CheckPhoto
from app.fleet.queries.vehicles import last_plates
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import CheckFlag, CheckOutcome
from app.fleet.rules.findings import DriveReason
from app.lists import grouped
from app.photos.models import Photo

NO_SUCH_CHECK = "There is no such check. Load the list again."


@dataclass(frozen=True)
class Review:
    """Who reviewed a check, when, and their remark; and who took it back and when, if somebody."""

    username: str
    at: datetime
    remark: str
    undone_by: str = ""
    undone_at: datetime | None = None


@dataclass(frozen=True)
class CheckRow:
    """A check; `cost` is in pence, `photos` are the names of its photos in order.

    `undone_reviews` are the reviews that were taken back, oldest first; an export names nobody
    in them. `made_at` is when a check was made that waited before it was sent.
    """

    id: int
    reg: str
    day: date
    odometer: int
    items: Mapping[str, Any]
    notes: str
    photos: Sequence[str]
    submitted_by: str
    submitted_at: datetime
    made_at: datetime | None
    cost: int
    form_type: str
    form_label: str
    flags: Sequence[CheckFlag]
    review: Review | None
    outcome: CheckOutcome
    outcome_text: str
    drive_reason: DriveReason | None
    undone_reviews: Sequence[Review]

    @property
    def sending(self) -> str:
        """Return when it was sent and made, '' unless it waited."""
        return dates.describe_sending(self.made_at, self.submitted_at)

    @property
    def review_number(self) -> int:
        """Return the number of its review, which an undo names; it counts from 1."""
        return len(self.undone_reviews) + 1


_STORED = [each.name for each in fields(CheckRow) if each.name in Check.__table__.columns]
"""The names that a check's row shares with its table."""


def checks_of(reg_key: str) -> Select[Check]:
    """Return the statement of a registration's checks."""
    return select(Check).where(Check.reg_key == reg_key)


def latest_checks(reg_key: str, limit: int) -> Sequence[Any]:
    """Return up to `limit` checks of a registration, newest first, without photos and answers."""
    names = (Check.id, Check.form_label, Check.form_type, Check.outcome, User.username)
    numbers = (Check.day, Check.odometer, Check.cost, Check.has_damage, Check.odometer_fell)
    checks = checks_of(reg_key).outerjoin(User, User.id == Check.submitted_by)
    newest = checks.order_by(Check.day.desc(), Check.id.desc()).limit(limit)
    return db.session.execute(newest.with_only_columns(*names, *numbers, Check.reviewed_at)).all()


def rows_of(checks: Sequence[Check]) -> Sequence[CheckRow]:
    """Return checks with their photos and people, in their order."""
    if not checks:
        return []
    of_checks = CheckPhoto.check_id.in_([check.id for check in checks])
    statement = select(CheckPhoto.check_id, CheckPhoto.name).where(of_checks)
    photos = grouped(db.session.execute(statement.order_by(CheckPhoto.position)))
    users = usernames(id_ for check in checks for id_ in _people(check))
    return [_row(check, photos.get(check.id, []), users) for check in checks]


def stream_checks(
    conditions: Sequence[ColumnElement[bool]], *, unreviewed_first: bool = False
) -> Iterator[CheckRow]:
    """Stream the checks that meet conditions, newest first, in a connection of their own."""
    user_ids = select(Check.submitted_by).union(select(Check.reviewed_by))
    users = usernames(db.session.execute(user_ids).scalars())
    order = [Check.reviewed_at.is_not(None)] if unreviewed_first else []
    # A row for each photo, and one for a check without photos.
    rows = stream_columns(
        select(*Check.__table__.columns, CheckPhoto.name.label("photo"))
        .outerjoin(CheckPhoto, CheckPhoto.check_id == Check.id)
        .where(*conditions)
        .order_by(*order, Check.day.desc(), Check.id.desc(), CheckPhoto.position)
    )
    checks = (list(same) for _, same in groupby(rows, key=attrgetter("id")))
    return (
        _row(same[0], [row.photo for row in same if row.photo is not None], users)
        for same in checks
    )


def get_check(check_id: int) -> CheckRow:
    """Return one check; raises NotFound."""
    statement = select(Check).where(Check.id == check_id)
    rows = check_rows(statement.execution_options(populate_existing=True))
    return existing(next(iter(rows), None), NO_SUCH_CHECK)


plates_checked = partial(last_plates, Check)
"""Returns up to `limit` registrations that have checks."""


def check_rows(statement: Select[Check]) -> Sequence[CheckRow]:
    """Return the checks of a statement."""
    return rows_of(db.session.execute(statement).scalars().all())


def _people(check: Check) -> Iterator[int | None]:
    yield from (check.submitted_by, check.reviewed_by)
    for undone in check.undone_reviews or ():
        yield from (undone["reviewed_by"], undone["undone_by"])


def _row(check: Any, photos: Sequence[str], users: Mapping[int | None, str]) -> CheckRow:
    review = None
    if check.reviewed_at is not None:
        review = Review(users.get(check.reviewed_by, ""), check.reviewed_at, check.remark)
    values = {name: getattr(check, name) for name in _STORED} | {
        "photos": photos,
        "submitted_by": users.get(check.submitted_by, ""),
        "flags": rules.check_flags(check),
        "review": review,
        "outcome": CheckOutcome(check.outcome),
        "undone_reviews": [_undone_review(each, users) for each in check.undone_reviews or ()],
    }
    return CheckRow(**values)


def _undone_review(values: Mapping[str, Any], users: Mapping[int | None, str]) -> Review:
    by, undone_by = (users.get(values[name], "") for name in ("reviewed_by", "undone_by"))
    at, undone_at = (datetime.fromisoformat(values[name]) for name in ("reviewed_at", "undone_at"))
    return Review(by, at, values["remark"], undone_by, undone_at)


def check_photo(check_id: int, position: int) -> Photo:
    """Return a photo of a check, the first at position 0; raises NotFound."""
    statement = select(Photo).join(CheckPhoto).filter_by(check_id=check_id, position=position)
    photo = db.session.execute(statement).scalar_one_or_none()
    return existing(photo, "There is no such photo.")


def checks_lists(
    *, flagged: Sequence[bool] = (True, False), reviewed: Sequence[bool] = (True, False)
) -> list[str]:
    """Return the lists that count the checks with these properties; each check is in one."""
    flags = ["flagged" if each else "plain" for each in flagged]
    reviews = ["reviewed" if each else "unreviewed" for each in reviewed]
    return [f"{flag} {review} checks" for flag, review in product(flags, reviews)]


def counted_in(check: Any, *, is_reviewed: bool) -> str:
    """Return the list that counts a check as reviewed, or as unreviewed."""
    return checks_lists(flagged=[bool(rules.check_flags(check))], reviewed=[is_reviewed])[0]


_BY_DAY = select(Check.day, func.count()).group_by(Check.day)
_REVIEWS = (Check.reviewed_at.is_not(None), Check.reviewed_at.is_(None))
_COUNTED = product((IS_FLAGGED, ~IS_FLAGGED), _REVIEWS)

COUNTED = [
    CountedList(name, partial(count_by_day, _BY_DAY.where(*where)))
    for name, where in zip(checks_lists(), _COUNTED, strict=True)
]
"""The lists of checks that are counted by day."""
