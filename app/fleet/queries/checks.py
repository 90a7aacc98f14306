"""Checks for the checks list, the API and the exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_
from sqlalchemy.orm import selectinload

from app import names
from app.db import db, stream_columns
from app.errors import NotFound
from app.fleet.models import Check, CheckPhoto
from app.fleet.queries.people import usernames
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import CheckFlag
from app.fleet.rules.plates import plate_key
from app.paging import Page, load_page

ROWS_PER_PAGE = 20
NO_SUCH_CHECK = "There is no such check."


class ReviewState(StrEnum):
    """Whether a check has been reviewed."""

    UNREVIEWED = "unreviewed"
    REVIEWED = "reviewed"


@dataclass(frozen=True)
class CheckFilters:
    """The filters of the checks list; both days are included, '' and None match every check."""

    search: str = ""
    vehicle: str = ""
    start: date | None = None
    end: date | None = None
    flagged: bool = False
    review: ReviewState | None = None
    unreviewed_first: bool = False


@dataclass(frozen=True)
class Review:
    """Who reviewed a check, when, and their remark."""

    username: str
    at: datetime
    remark: str


@dataclass(frozen=True)
class CheckRow:
    """A check; `cost` is in pence, `photos` are the names of its photos in order."""

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
    flags: Sequence[CheckFlag]
    review: Review | None


def check_page(filters: CheckFilters, page: int = 1) -> Page[CheckRow]:
    """Return a page of the checks that match the filters, newest first."""
    statement = _checks(filters)
    return load_page(
        page,
        total=check_count(filters),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: _rows(statement.limit(limit).offset(offset)),
    )


def check_count(filters: CheckFilters) -> int:
    """Return the number of checks that match the filters."""
    count = select(func.count()).select_from(Check).where(*_conditions(filters))
    return db.session.execute(count).scalar_one()


def latest_checks(filters: CheckFilters, limit: int, after_id: int = 0) -> Sequence[CheckRow]:
    """Return up to `limit` checks, newest first, that follow the check with the id `after_id`."""
    statement = _checks(filters).limit(limit)
    if after_id:
        day = select(Check.day).filter_by(id=after_id).scalar_subquery()
        statement = statement.where(tuple_(Check.day, Check.id) < tuple_(day, after_id))
    return _rows(statement)


def all_checks(filters: CheckFilters) -> Iterator[CheckRow]:
    """Stream all checks that match the filters, in constant memory.

    It reads in a connection of its own, which outlives the request while its reply is sent.
    """
    user_ids = select(Check.submitted_by).union(select(Check.reviewed_by))
    users = usernames(db.session.execute(user_ids).scalars())
    # A row for each photo, and one for a check without photos.
    rows = stream_columns(
        select(*Check.__table__.columns, CheckPhoto.name.label("photo"))
        .outerjoin(CheckPhoto, CheckPhoto.check_id == Check.id)
        .where(*_conditions(filters))
        .order_by(*_order(filters), CheckPhoto.position)
    )
    checks = (list(same) for _, same in groupby(rows, key=attrgetter("id")))
    return (
        _row(same[0], [row.photo for row in same if row.photo is not None], users)
        for same in checks
    )


def get_check(check_id: int) -> CheckRow:
    """Return one check; raises NotFound."""
    rows = _rows(_checks(CheckFilters()).where(Check.id == check_id))
    if not rows:
        raise NotFound(NO_SUCH_CHECK)
    return rows[0]


def matches(check_id: int, filters: CheckFilters) -> bool:
    """Return whether a check matches the filters."""
    statement = select(Check.id).where(*_conditions(filters), Check.id == check_id)
    return db.session.execute(statement).one_or_none() is not None


def plates_checked() -> Sequence[str]:
    """Return the registrations that have checks in order, each as its last check writes it."""
    newest = select(func.max(Check.id)).group_by(Check.reg_key)
    statement = select(Check.reg).where(Check.id.in_(newest)).order_by(Check.reg_key)
    return db.session.execute(statement).scalars().all()


def previous_odometer(check: Check, vehicle_odometer: int | None) -> int | None:
    """Return a vehicle's odometer reading before a check, None if there is none.

    `vehicle_odometer` is the vehicle's own value before the check. It doesn't count if there are
    checks of a later day, which may have changed it; then the reading of the check before does.
    """
    same = select(Check.odometer).where(Check.reg_key == check.reg_key, Check.id != check.id)
    later = db.session.execute(same.where(Check.day > check.day).limit(1)).first()
    if vehicle_odometer is not None and later is None:
        return vehicle_odometer
    earlier = same.where(Check.day <= check.day).order_by(Check.day.desc(), Check.id.desc())
    return db.session.execute(earlier.limit(1)).scalar_one_or_none()


def _checks(filters: CheckFilters) -> Select[Check]:
    return (
        select(Check)
        .where(*_conditions(filters))
        .order_by(*_order(filters))
        .options(selectinload(Check.photos))
        .execution_options(populate_existing=True)
    )


def _order(filters: CheckFilters) -> list[ColumnElement[Any]]:
    order: list[ColumnElement[Any]] = [Check.day.desc(), Check.id.desc()]
    if filters.unreviewed_first:
        order.insert(0, Check.reviewed_at.is_not(None))
    return order


def _conditions(filters: CheckFilters) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        Check.search_key.contains(word, autoescape=True)
        for word in names.search_words(filters.search)
    ]
    if filters.vehicle:
        conditions.append(Check.reg_key == plate_key(filters.vehicle))
    if filters.start:
        conditions.append(Check.day >= filters.start)
    if filters.end:
        conditions.append(Check.day <= filters.end)
    if filters.flagged:
        conditions.append(or_(Check.has_damage, Check.cost > 0, Check.odometer_fell))
    if filters.review is ReviewState.UNREVIEWED:
        conditions.append(Check.reviewed_at.is_(None))
    elif filters.review is ReviewState.REVIEWED:
        conditions.append(Check.reviewed_at.is_not(None))
    return conditions


def _rows(statement: Select[Check]) -> list[CheckRow]:
    checks = db.session.execute(statement).scalars().all()
    users = usernames(id_ for check in checks for id_ in (check.submitted_by, check.reviewed_by))
    return [_row(check, [photo.name for photo in check.photos], users) for check in checks]


def _row(check: Any, photos: Sequence[str], users: Mapping[int | None, str]) -> CheckRow:
    return CheckRow(
        id=check.id,
        reg=check.reg,
        day=check.day,
        odometer=check.odometer,
        items=check.items,
        notes=check.notes,
        photos=photos,
        submitted_by=users.get(check.submitted_by, ""),
        submitted_at=check.submitted_at,
        cost=check.cost,
        form_type=check.form_type,
        form_label=check.form_label,
        flags=rules.check_flags(
            has_damage=check.has_damage, cost=check.cost, odometer_fell=check.odometer_fell
        ),
        review=None
        if check.reviewed_at is None
        else Review(users.get(check.reviewed_by, ""), check.reviewed_at, check.remark),
    )
