"""The list of defects: its parts, pages and exports, and the additional values of its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, case, func, literal, select

from app.accounts.queries import usernames
from app.db import db, stream_columns
from app.defects.models import Defect, DefectSighting, Repair, RepairedDefect
from app.defects.queries.defects import IS_NEWS, IS_PRESENT, seen_after_repair, with_undone_repair
from app.defects.rules.defects import urgency
from app.defects.rules.fields import TABS, UNBOOKED, DefectState
from app.fleet.rules.findings import Severity, SightingAnswer
from app.lists import rows_with
from app.records.filters import Conditions
from app.reference_numbers import Series, parse_number, parse_reference
from app.search import distinct_values
from app.sums import count_each, count_matches

NOT_ASSESSED = "none"
"""The filter for defects without a severity."""

BY_SEVERITY: ColumnElement[int] = case(
    *((Defect.severity == severity, literal(urgency(severity))) for severity in Severity),
    else_=literal(urgency(None)),
)
"""The column by which the worst defects come last."""


@dataclass(frozen=True)
class SeenAgain:
    """The number of a defect's reports, the last one's day, and the last answer."""

    times: int
    last_day: date | None
    answer: SightingAnswer | None

    def last_seen(self, first: date) -> date:
        """Return the last day of a sighting of a defect first reported on a day."""
        return max(first, self.last_day or first)


@dataclass(frozen=True)
class ListedDefect:
    """A defect with its row's additional values; `is_undone` means that its repair was undone."""

    defect: Defect
    seen: SeenAgain
    seen_after_repair: date | None = None
    is_undone: bool = False

    @property
    def id(self) -> int:
        """Return the defect's id."""
        return self.defect.id


def tab_totals(where: Conditions) -> Mapping[DefectState, int]:
    """Return how many defects of each part meet conditions; a high number is capped."""
    counts = count_defects(*([*where, *is_in_tab(tab)] for tab in TABS))
    return dict(zip(TABS, counts, strict=True))


def count_defects(*lists: Conditions) -> Sequence[int]:
    """Return how many defects meet each of some conditions; a high number is capped."""
    return count_each(*(select(Defect.id).where(*where) for where in lists))


def first_defects(where: Conditions, limit: int) -> Sequence[Defect]:
    """Return the first defects that meet conditions, the worst first."""
    statement = select(Defect).where(*where).order_by(*default_order(DefectState.OPEN)).limit(limit)
    return db.session.execute(statement).scalars().all()


def find_number(search: str) -> int | None:
    """Return the number of the defect that a search such as 'd142', '0142' or '142' names."""
    number = parse_number(search, Series.DEFECT)
    if number is None:
        return None
    statement = select(Defect.number).filter_by(number=number)
    return db.session.execute(statement).scalar_one_or_none()


def all_defects(
    where: Conditions,
) -> Iterator[tuple[Any, SeenAgain, Mapping[int | None, str]]]:
    """Stream the columns of all defects that meet conditions, with their sightings, and usernames.

    It reads in a connection of its own, which outlives the request while its reply is sent.
    """
    people = select(Defect.reported_by).union(select(Defect.assessed_by), select(Defect.closed_by))
    users = usernames(db.session.execute(people).scalars())
    rows = stream_columns(
        select(*Defect.__table__.columns, *_seen_columns()).where(*where).order_by(Defect.id)
    )
    return ((row, _seen(row), users) for row in rows)


def seen_again(defect_ids: Sequence[int]) -> Mapping[int, SeenAgain]:
    """Return how often defects were reported, by their ids."""
    statement = select(Defect.id, *_seen_columns())
    return {row.id: _seen(row) for row in rows_with(statement, Defect.id, defect_ids)}


def _seen_columns() -> Sequence[ColumnElement[Any]]:
    """Return the number and last day of each defect's sightings, and the last answer by day.

    A check of an earlier day may arrive later, even of a day before the defect was reported.
    """
    row = DefectSighting
    of_defect = select(row).where(row.defect_id == Defect.id)
    seen = of_defect.where(IS_PRESENT)
    news = of_defect.where(IS_NEWS)
    answer = news.where(row.day >= Defect.day).order_by(row.day.desc(), row.id.desc()).limit(1)
    return [
        seen.with_only_columns(func.count()).scalar_subquery().label("times"),
        seen.with_only_columns(func.max(row.day)).scalar_subquery().label("last_day"),
        answer.with_only_columns(row.answer).scalar_subquery().label("answer"),
    ]


def _seen(row: Any) -> SeenAgain:
    return SeenAgain(1 + row.times, row.last_day, row.answer)


def defects_of_vehicle(reg_key: str, limit: int) -> Sequence[ListedDefect]:
    """Return the open defects of a vehicle, the worst first, and then its last closed ones."""
    statement = (
        select(Defect)
        .filter_by(reg_key=reg_key)
        .order_by(
            Defect.closed_at.is_not(None),
            case((Defect.closed_at.is_(None), BY_SEVERITY), else_=0).desc(),
            Defect.closed_at.desc(),
            Defect.day,
            Defect.id,
        )
        .limit(limit)
    )
    return listed(db.session.execute(statement).scalars().all())


def count_of_vehicle(reg_key: str) -> int:
    """Return how many defects a vehicle has had."""
    return count_matches(select(Defect.id).filter_by(reg_key=reg_key))


def plates_with_defects(limit: int) -> Sequence[str]:
    """Return up to `limit` registrations that have defects, each as its last defect writes it."""
    keys = distinct_values(Defect.reg_key, limit=limit)
    last = (
        select(Defect.reg)
        .where(Defect.reg_key == keys.c.value)
        .order_by(Defect.day.desc(), Defect.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    statement = select(last).where(keys.c.value.is_not(None)).order_by(keys.c.value)
    return db.session.execute(statement).scalars().all()


def listed(defects: Sequence[Defect]) -> Sequence[ListedDefect]:
    """Return defects with the additional values of their rows."""
    seen, seen_after = seen_again([row.id for row in defects]), seen_after_repair(defects)
    undone = with_undone_repair(defects)
    return [
        ListedDefect(row, seen[row.id], seen_after.get(row.id), is_undone=row.id in undone)
        for row in defects
    ]


def default_order(tab: DefectState) -> Sequence[ColumnElement[Any]]:
    """Return the order of a part of the list."""
    if tab is DefectState.CLOSED:
        return [Defect.closed_at.desc(), Defect.id.desc()]
    return [BY_SEVERITY.desc(), Defect.day.asc(), Defect.id.asc()]


def named_defects(search: str) -> list[ColumnElement[bool]] | None:
    """Return the conditions of the defects that a number names: their own, or of a repair."""
    reference = parse_reference(search)
    if reference is None:
        return None
    if reference.series is Series.DEFECT:
        return [Defect.number == reference.number]
    mended = select(RepairedDefect.defect_id).join(Repair, Repair.id == RepairedDefect.repair_id)
    return [Defect.id.in_(mended.where(Repair.number == reference.number))]


def is_in_tab(tab: DefectState) -> list[ColumnElement[bool]]:
    """Return the conditions of the defects of a part of the list."""
    if tab is DefectState.CLOSED:
        # Alike to its state, and what the index of its order has.
        return [Defect.closed_at.is_not(None)]
    return [Defect.state.in_(UNBOOKED if tab is DefectState.OPEN else (tab,))]


def is_as_bad(severity: str) -> list[ColumnElement[bool]]:
    """Return the condition of the defects of a severity, or of those that aren't assessed."""
    if severity == NOT_ASSESSED:
        return [Defect.severity.is_(None)]
    return [Defect.severity == Severity(severity)]


def may_be_plate(search: str) -> bool:
    """Return whether a search is so few digits that they may be of a plate as well."""
    text = search.strip()
    return text.isascii() and text.isdecimal() and len(text) < 4
