"""Checks as the list for reviewing, the calls and the exports show them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_
from sqlalchemy.orm import selectinload

from app import names
from app.db import db, stream_rows
from app.errors import NotFound
from app.fleet.models import Check
from app.fleet.queries.people import usernames
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import Flag
from app.fleet.rules.plates import plate_key
from app.paging import clamp_page

ROWS_PER_PAGE = 20
NO_SUCH_CHECK = "There is no such check."


class ReviewState(StrEnum):
    """Whether somebody has looked at a check."""

    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"


@dataclass(frozen=True)
class CheckFilter:
    """Which checks are shown; both days belong to it, and '' or None lets everything through."""

    search: str = ""
    vehicle: str = ""
    start: date | None = None
    end: date | None = None
    flagged: bool = False
    review: ReviewState | None = None
    unreviewed_first: bool = False


@dataclass(frozen=True)
class Review:
    """Who looked at a check, when, and what they remarked."""

    by: str
    at: datetime
    remark: str


@dataclass(frozen=True)
class CheckRow:
    """A check as it is shown; its cost is in pence, `photos` are their names in order."""

    id: int
    reg: str
    day: date
    odometer: int
    items: Mapping[str, Any]
    notes: str
    photos: Sequence[str]
    submitted_by: str
    submitted_at: datetime
    cost: int
    form_type: str
    form_label: str
    flags: Sequence[Flag]
    review: Review | None


@dataclass(frozen=True)
class CheckPage:
    """Some checks, with how many there are in all."""

    rows: Sequence[CheckRow]
    page: int
    pages: int
    total: int


def check_page(shown: CheckFilter, page: int = 1) -> CheckPage:
    """Return a page of the checks that a filter lets through, newest first."""
    total = check_count(shown)
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = _checks(shown).limit(ROWS_PER_PAGE).offset((page - 1) * ROWS_PER_PAGE)
    return CheckPage(_rows(statement) if total else [], page, pages, total)


def check_count(shown: CheckFilter) -> int:
    """Return how many checks a filter lets through."""
    counted = select(func.count()).select_from(Check).where(*_where(shown))
    return db.session.execute(counted).scalar_one()


def check_part(shown: CheckFilter, limit: int, before: int = 0) -> Sequence[CheckRow]:
    """Return up to `limit` checks, newest first, that come after the one with the id `before`."""
    statement = _checks(shown).limit(limit)
    if before:
        last = select(Check.day).filter_by(id=before).scalar_subquery()
        statement = statement.where(tuple_(Check.day, Check.id) < tuple_(last, before))
    return _rows(statement)


def all_checks(shown: CheckFilter) -> Iterator[CheckRow]:
    """Stream all checks that a filter lets through, in constant memory.

    It reads in a session of its own, so it goes on while a reply is sent.
    """
    people = select(Check.submitted_by).union(select(Check.reviewed_by))
    known = usernames(db.session.execute(people).scalars())
    return (_row(check, known) for (check,) in stream_rows(_checks(shown)))


def check(check_id: int) -> CheckRow:
    """Return one check; raises NotFound."""
    found = _rows(_checks(CheckFilter()).where(Check.id == check_id))
    if not found:
        raise NotFound(NO_SUCH_CHECK)
    return found[0]


def is_shown(check_id: int, shown: CheckFilter) -> bool:
    """Tell whether a filter lets a check through."""
    statement = select(Check.id).where(*_where(shown), Check.id == check_id)
    return db.session.execute(statement).one_or_none() is not None


def plates_checked() -> Sequence[str]:
    """Return the registrations that have checks, each as it was last written, in their order."""
    newest = select(func.max(Check.id)).group_by(Check.reg_key)
    statement = select(Check.reg).where(Check.id.in_(newest)).order_by(Check.reg_key)
    return db.session.execute(statement).scalars().all()


def last_reading(check: Check, before: int | None) -> int | None:
    """Return what a vehicle's odometer said before a check, None where nobody knows.

    `before` is the vehicle's own, which later checks may have moved: then the check before this
    one counts.
    """
    same = select(Check.odometer).where(Check.reg_key == check.reg_key, Check.id != check.id)
    later = db.session.execute(same.where(Check.day > check.day).limit(1)).first()
    if before is not None and later is None:
        return before
    earlier = same.where(Check.day <= check.day).order_by(Check.day.desc(), Check.id.desc())
    return db.session.execute(earlier.limit(1)).scalar_one_or_none()


def _checks(shown: CheckFilter) -> Select[Check]:
    order: list[ColumnElement[Any]] = [Check.day.desc(), Check.id.desc()]
    if shown.unreviewed_first:
        order.insert(0, Check.reviewed_at.is_not(None))
    return (
        select(Check)
        .where(*_where(shown))
        .order_by(*order)
        .options(selectinload(Check.photos))
        .execution_options(populate_existing=True)
    )


def _where(shown: CheckFilter) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = [
        Check.search_key.contains(word, autoescape=True)
        for word in names.search_words(shown.search)
    ]
    if shown.vehicle:
        where.append(Check.reg_key == plate_key(shown.vehicle))
    if shown.start:
        where.append(Check.day >= shown.start)
    if shown.end:
        where.append(Check.day <= shown.end)
    if shown.flagged:
        where.append(or_(Check.has_damage, Check.cost > 0, Check.odometer_fell))
    if shown.review is ReviewState.UNREVIEWED:
        where.append(Check.reviewed_at.is_(None))
    elif shown.review is ReviewState.REVIEWED:
        where.append(Check.reviewed_at.is_not(None))
    return where


def _rows(statement: Select[Check]) -> list[CheckRow]:
    checks = db.session.execute(statement).scalars().all()
    known = usernames(id_ for check in checks for id_ in (check.submitted_by, check.reviewed_by))
    return [_row(check, known) for check in checks]


def _row(check: Check, known: Mapping[int | None, str]) -> CheckRow:
    return CheckRow(
        id=check.id,
        reg=check.reg,
        day=check.day,
        odometer=check.odometer,
        items=check.items,
        notes=check.notes,
        photos=[photo.name for photo in check.photos],
        submitted_by=known.get(check.submitted_by, ""),
        submitted_at=check.submitted_at,
        cost=check.cost,
        form_type=check.form_type,
        form_label=check.form_label,
        flags=rules.flags(
            has_damage=check.has_damage, cost=check.cost, odometer_fell=check.odometer_fell
        ),
        review=None
        if check.reviewed_at is None
        else Review(known.get(check.reviewed_by, ""), check.reviewed_at, check.remark),
    )
