"""Checks for the checks list, the API and the exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import selectinload

from app import dates, day_counts
from app.accounts.queries import usernames
from app.day_counts import Days
from app.db import db, stream_columns
from app.errors import NotFound
from app.fleet.models import IS_FLAGGED, Check, CheckPhoto
from app.fleet.queries.check_values import SORTED_BY, checks_lists
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import CheckFlag, CheckOutcome
from app.fleet.rules.sorting import CHECK_ORDERS, UNREVIEWED
from app.fleet.rules.vehicles import plate_key
from app.paging import Page, Part, load_page_of_parts
from app.search import Matches, contains_words, distinct_values, find_matches
from app.sorted_rows import sorted_part
from app.sorting import SortOrder
from app.sums import count_matches

ROWS_PER_PAGE = 20
NO_SUCH_CHECK = "There is no such check. Load the list again."


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
    order: SortOrder = CHECK_ORDERS.default


@dataclass(frozen=True)
class Review:
    """Who reviewed a check, when, and their remark."""

    username: str
    at: datetime
    remark: str


@dataclass(frozen=True)
class UndoneReview:
    """A review that was taken back, by whom and when."""

    review: Review
    username: str
    at: datetime


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
    undone_reviews: Sequence[UndoneReview] = ()

    @property
    def sending(self) -> str:
        """Return when it was sent and made, '' unless it waited."""
        return dates.describe_sending(self.made_at, self.submitted_at)

    @property
    def review_number(self) -> int:
        """Return the number of its review, which an undo names; it counts from 1."""
        return len(self.undone_reviews) + 1


def check_page(filters: CheckFilters, page: int = 1) -> Page[CheckRow]:
    """Return a page of the checks that match the filters, in their order.

    The number of checks is exact unless they are searched or of one vehicle.
    """
    states: Sequence[ReviewState | None] = [filters.review]
    if filters.order.by == UNREVIEWED and filters.review is None:
        # Each part has its order in an index, the two together have none.
        states = list(ReviewState)[:: -1 if filters.order.descending else 1]
    parts = [_part(replace(filters, review=state)) for state in states]
    usable = CHECK_ORDERS.usable(filters.order, parts[0].total)
    if usable.by in SORTED_BY:
        parts = [_sorted_part(filters, usable, parts[0].total)]
    return load_page_of_parts(page, parts, per_page=ROWS_PER_PAGE)


def count_of_vehicle(reg: str) -> int:
    """Return the number of checks of a registration, AtLeast the limit if there are more."""
    return count_matches(select(Check.id).where(Check.reg_key == plate_key(reg)))


def latest_checks(filters: CheckFilters, limit: int) -> Sequence[CheckRow]:
    """Return up to `limit` checks that match the filters, newest first."""
    return check_rows(_newest_first().where(*_conditions(filters)).limit(limit))


def rows_of(checks: Sequence[Check]) -> Sequence[CheckRow]:
    """Return checks with their photos and people, in their order."""
    found = check_rows(_newest_first().where(Check.id.in_([check.id for check in checks])))
    by_id = {row.id: row for row in found}
    return [by_id[check.id] for check in checks if check.id in by_id]


def all_checks(filters: CheckFilters) -> Iterator[CheckRow]:
    """Stream all checks that match the filters, in constant memory.

    It reads in a connection of its own, which outlives the request while its reply is sent.
    """
    return stream_checks(_conditions(filters), _order(filters))


def stream_checks(
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[ColumnElement[Any]] = (Check.day.desc(), Check.id.desc()),
) -> Iterator[CheckRow]:
    """Stream the checks that meet conditions, as `all_checks` does."""
    user_ids = select(Check.submitted_by).union(select(Check.reviewed_by))
    users = usernames(db.session.execute(user_ids).scalars())
    # A row for each photo, and one for a check without photos.
    rows = stream_columns(
        select(*Check.__table__.columns, CheckPhoto.name.label("photo"))
        .outerjoin(CheckPhoto, CheckPhoto.check_id == Check.id)
        .where(*conditions)
        .order_by(*order, CheckPhoto.position)
    )
    checks = (list(same) for _, same in groupby(rows, key=attrgetter("id")))
    return (
        _row(same[0], [row.photo for row in same if row.photo is not None], users)
        for same in checks
    )


def get_check(check_id: int) -> CheckRow:
    """Return one check; raises NotFound."""
    rows = check_rows(_newest_first().where(Check.id == check_id))
    if not rows:
        raise NotFound(NO_SUCH_CHECK)
    return rows[0]


def matches(check_id: int, filters: CheckFilters) -> bool:
    """Return whether a check matches the filters."""
    conditions = _conditions(filters, by_row=True)
    statement = select(Check.id).where(*conditions, Check.id == check_id)
    return db.session.execute(statement).one_or_none() is not None


def plates_checked(limit: int) -> Sequence[str]:
    """Return up to `limit` registrations that have checks, each as its last check writes it."""
    keys = distinct_values(Check.reg_key, limit=limit)
    last = (
        select(Check.reg)
        .where(Check.reg_key == keys.c.value)
        .order_by(Check.day.desc(), Check.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    statement = select(last).where(keys.c.value.is_not(None)).order_by(keys.c.value)
    return db.session.execute(statement).scalars().all()


def _part(filters: CheckFilters) -> Part[CheckRow]:
    if filters.search.strip():
        found = find_matches(
            _select_checks(filters), Check.id, lambda by_row: _conditions(filters, by_row=by_row)
        )
    elif filters.vehicle:
        conditions = _conditions(filters)
        total = count_matches(select(Check.id).where(*conditions))
        found = Matches(total, _select_checks(filters), Check.id, conditions)
    else:
        return _part_by_day(filters)
    return Part(found.total, lambda limit, offset: check_rows(found.part(limit, offset)))


def _part_by_day(filters: CheckFilters) -> Part[CheckRow]:
    """Return the checks without search and vehicle; their days lead to the far ones."""
    lists = checks_lists(
        flagged=[True] if filters.flagged else [True, False],
        reviewed=[
            state is ReviewState.REVIEWED
            for state in ReviewState
            if filters.review in (None, state)
        ],
    )
    days = Days(lists, filters.start, filters.end)
    statement = _select_checks(filters).where(*_conditions(filters))
    newest_first = not _is_oldest_first(filters)

    def load(limit: int, offset: int) -> Sequence[CheckRow]:
        position = day_counts.position(offset, days, newest_first=newest_first) if offset else None
        if position is None:
            return check_rows(statement.limit(limit))
        day = position.day
        from_day = statement.where(Check.day <= day if newest_first else Check.day >= day)
        return check_rows(from_day.limit(limit).offset(position.offset))

    return Part(day_counts.totals(days)[0], load)


def _sorted_part(filters: CheckFilters, order: SortOrder, total: int) -> Part[CheckRow]:
    values = _newest_first().with_only_columns(Check.id, *SORTED_BY[order.by])
    return sorted_part(
        total,
        values.where(*_conditions(filters)),
        order,
        lambda ids: check_rows(_newest_first().where(Check.id.in_(ids))),
    )


def _select_checks(filters: CheckFilters) -> Select[Check]:
    statement = _newest_first()
    if _is_oldest_first(filters):
        return statement.order_by(None).order_by(Check.day, Check.id)
    return statement


def _is_oldest_first(filters: CheckFilters) -> bool:
    return filters.order == CHECK_ORDERS.default.reversed()


def _newest_first() -> Select[Check]:
    return (
        select(Check)
        .order_by(Check.day.desc(), Check.id.desc())
        .options(selectinload(Check.photos))
        .execution_options(populate_existing=True)
    )


def _order(filters: CheckFilters) -> list[ColumnElement[Any]]:
    order: list[ColumnElement[Any]] = [Check.day.desc(), Check.id.desc()]
    if filters.order == SortOrder(UNREVIEWED):
        order.insert(0, Check.reviewed_at.is_not(None))
    return order


def _conditions(filters: CheckFilters, *, by_row: bool = False) -> list[ColumnElement[bool]]:
    conditions = contains_words(Check.search_key, filters.search, by_row=by_row)
    if filters.vehicle:
        conditions.append(Check.reg_key == plate_key(filters.vehicle))
    if filters.start:
        conditions.append(Check.day >= filters.start)
    if filters.end:
        conditions.append(Check.day <= filters.end)
    if filters.flagged:
        conditions.append(IS_FLAGGED)
    if filters.review is ReviewState.UNREVIEWED:
        conditions.append(Check.reviewed_at.is_(None))
    elif filters.review is ReviewState.REVIEWED:
        conditions.append(Check.reviewed_at.is_not(None))
    return conditions


def check_rows(statement: Select[Check]) -> list[CheckRow]:
    """Return the checks of a statement that loads their photos."""
    checks = db.session.execute(statement).scalars().all()
    users = usernames(id_ for check in checks for id_ in _people(check))
    return [_row(check, [photo.name for photo in check.photos], users) for check in checks]


def _people(check: Check) -> Iterator[int | None]:
    yield from (check.submitted_by, check.reviewed_by)
    for undone in check.undone_reviews or ():
        yield from (undone["reviewed_by"], undone["undone_by"])


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
        made_at=check.made_at,
        cost=check.cost,
        form_type=check.form_type,
        form_label=check.form_label,
        flags=rules.check_flags(
            has_damage=check.has_damage, cost=check.cost, odometer_fell=check.odometer_fell
        ),
        review=None
        if check.reviewed_at is None
        else Review(users.get(check.reviewed_by, ""), check.reviewed_at, check.remark),
        outcome=CheckOutcome(check.outcome),
        outcome_text=check.outcome_text,
        undone_reviews=[_undone_review(each, users) for each in check.undone_reviews or ()],
    )


def _undone_review(values: Mapping[str, Any], users: Mapping[int | None, str]) -> UndoneReview:
    return UndoneReview(
        Review(
            users.get(values["reviewed_by"], ""),
            datetime.fromisoformat(values["reviewed_at"]),
            values["remark"],
        ),
        users.get(values["undone_by"], ""),
        datetime.fromisoformat(values["undone_at"]),
    )
