"""The list of defects: its parts, pages and exports, and the additional values of its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, literal, select

from app.accounts.queries import usernames
from app.db import db, stream_columns
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.plates import plate_key
from app.lists import rows_with
from app.paging import Page, Part, load_page
from app.reference_numbers import Series, parse_reference
from app.search import contains_words, distinct_values, find_matches
from app.sorted_rows import sorted_part
from app.sorting import SortOrder
from app.sums import count_each, count_matches
from app.upkeep.models.defects import Defect, DefectSighting
from app.upkeep.models.repairs import Repair, RepairedDefect
from app.upkeep.queries.defects import (
    IS_NEWS,
    IS_PRESENT,
    seen_after_repair,
    with_undone_repair,
)
from app.upkeep.rules.defect_fields import DEFECT_ORDERS, TAB_STATES, DefectTab
from app.upkeep.rules.defects import urgency

ROWS_PER_PAGE = 25

NOT_ASSESSED = "none"
"""The filter for defects without a severity."""

_SEVERITY: ColumnElement[int] = case(
    *((Defect.severity == severity, literal(urgency(severity))) for severity in Severity),
    else_=literal(urgency(None)),
)

SORTED_BY: Mapping[str, Sequence[Any]] = {
    "title": [Defect.title],
    "reg": [Defect.reg_key],
    "severity": [_SEVERITY],
    "day": [Defect.day],
    "standing": [Defect.state, Defect.booked_for, Defect.garage],
    "closed": [Defect.closed_at],
}
"""What defects are sorted by, by the names of DEFECT_ORDERS."""


@dataclass(frozen=True)
class DefectFilters:
    """The filters of the list; '' matches every defect, `severity` may be NOT_ASSESSED.

    A search for a number finds that defect, wherever it stands.
    """

    tab: DefectTab | None = DefectTab.OPEN
    search: str = ""
    vehicle: str = ""
    severity: str = ""


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


def defect_page(filters: DefectFilters, order: SortOrder, page: int = 1) -> Page[ListedDefect]:
    """Return a page of the defects that match the filters, in their order."""
    part = _part(filters, order)
    found = load_page(page, total=part.total, per_page=ROWS_PER_PAGE, load=part.load)
    rows = _listed(found.rows)
    return Page(rows, found.number, found.pages, found.total)


def tab_totals(filters: DefectFilters) -> Mapping[DefectTab, int]:
    """Return how many defects of each part match the other filters; a high number is capped."""
    counts = count_each(*(select(Defect.id).where(*_conditions(filters, tab)) for tab in DefectTab))
    return dict(zip(DefectTab, counts, strict=True))


def count_defects(*lists: DefectFilters) -> Sequence[int]:
    """Return how many defects match each of some filters; a high number is capped."""
    return count_each(
        *(select(Defect.id).where(*_conditions(filters, filters.tab)) for filters in lists)
    )


def first_defects(filters: DefectFilters, limit: int) -> Sequence[Defect]:
    """Return the first defects that match the filters, in the order of their list."""
    tab = filters.tab or DefectTab.OPEN
    statement = select(Defect).where(*_conditions(filters, tab)).order_by(*_default_order(tab))
    return _load(statement.limit(limit))


def find_number(search: str) -> int | None:
    """Return the number of the defect that a search such as 'd142', '0142' or '142' names."""
    number = _searched_number(search)
    if number is None:
        return None
    statement = select(Defect.number).filter_by(number=number)
    return db.session.execute(statement).scalar_one_or_none()


def all_defects(
    filters: DefectFilters,
) -> Iterator[tuple[Any, SeenAgain, Mapping[int | None, str]]]:
    """Stream the columns of all matching defects, with their sightings, and usernames.

    It reads in a connection of its own, which outlives the request while its reply is sent.
    """
    people = select(Defect.reported_by).union(select(Defect.assessed_by), select(Defect.closed_by))
    users = usernames(db.session.execute(people).scalars())
    rows = stream_columns(
        select(*Defect.__table__.columns, *_seen_columns())
        .where(*_conditions(filters, filters.tab))
        .order_by(Defect.id)
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
            case((Defect.closed_at.is_(None), _SEVERITY), else_=0).desc(),
            Defect.closed_at.desc(),
            Defect.day,
            Defect.id,
        )
        .limit(limit)
    )
    return _listed(db.session.execute(statement).scalars().all())


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


def _listed(defects: Sequence[Defect]) -> Sequence[ListedDefect]:
    seen, seen_after = seen_again([row.id for row in defects]), seen_after_repair(defects)
    undone = with_undone_repair(defects)
    return [
        ListedDefect(row, seen[row.id], seen_after.get(row.id), is_undone=row.id in undone)
        for row in defects
    ]


def _part(filters: DefectFilters, order: SortOrder) -> Part[Defect]:
    tab = filters.tab or DefectTab.OPEN
    statement = select(Defect).order_by(*_default_order(tab))
    if filters.search.strip():
        found = find_matches(
            statement, Defect.id, lambda by_row: _conditions(filters, tab, by_row=by_row)
        )
        total, load = found.total, found.part
    else:
        matching = statement.where(*_conditions(filters, tab))
        total = count_matches(select(Defect.id).where(*_conditions(filters, tab)))

        def load(limit: int, offset: int) -> Select[*tuple[Any, ...]]:
            return matching.limit(limit).offset(offset)

    orders = DEFECT_ORDERS[tab]
    usable = orders.usable(order, total)
    if usable != orders.default:
        values = statement.with_only_columns(Defect.id, *SORTED_BY[usable.by])
        return sorted_part(
            total, values.where(*_conditions(filters, tab)), usable, _defects_with_ids
        )
    return Part(total, lambda limit, offset: _load(load(limit, offset)))


def _default_order(tab: DefectTab) -> Sequence[ColumnElement[Any]]:
    if tab is DefectTab.CLOSED:
        return [Defect.closed_at.desc(), Defect.id.desc()]
    return [_SEVERITY.desc(), Defect.day.asc(), Defect.id.asc()]


def _conditions(
    filters: DefectFilters, tab: DefectTab | None, *, by_row: bool = False
) -> list[ColumnElement[bool]]:
    named = named_defects(filters.search)
    conditions = (
        contains_words(Defect.search_key, filters.search, by_row=by_row) if named is None else named
    )
    if tab is not None:
        conditions += is_in_tab(tab)
    if filters.vehicle:
        conditions.append(Defect.reg_key == plate_key(filters.vehicle))
    if filters.severity:
        conditions += is_as_bad(filters.severity)
    return conditions


def named_defects(search: str) -> list[ColumnElement[bool]] | None:
    """Return the conditions of the defects that a number names: their own, or of a repair."""
    reference = parse_reference(search)
    if reference is None:
        return None
    if reference.series is Series.DEFECT:
        return [Defect.number == reference.number]
    mended = select(RepairedDefect.defect_id).join(Repair, Repair.id == RepairedDefect.repair_id)
    return [Defect.id.in_(mended.where(Repair.number == reference.number))]


def is_in_tab(tab: DefectTab) -> list[ColumnElement[bool]]:
    """Return the conditions of the defects of a part of the list."""
    if tab is DefectTab.CLOSED:
        # Alike to its state, and what the index of its order has.
        return [Defect.closed_at.is_not(None)]
    return [Defect.state.in_(TAB_STATES[tab])]


def is_as_bad(severity: str) -> list[ColumnElement[bool]]:
    """Return the condition of the defects of a severity, or of those that aren't assessed."""
    if severity == NOT_ASSESSED:
        return [Defect.severity.is_(None)]
    return [Defect.severity == Severity(severity)]


def may_be_plate(search: str) -> bool:
    """Return whether a search is so few digits that they may be of a plate as well."""
    return _is_bare(search) and len(search.strip()) < 4


def _is_bare(search: str) -> bool:
    text = search.strip()
    return text.isascii() and text.isdecimal()


def _searched_number(search: str) -> int | None:
    text = f"{Series.DEFECT}{search.strip()}" if _is_bare(search) else search
    reference = parse_reference(text)
    return reference.number if reference and reference.series is Series.DEFECT else None


def _defects_with_ids(ids: Sequence[int]) -> Sequence[Defect]:
    return _load(select(Defect).where(Defect.id.in_(ids)))


def _load(statement: Select[*tuple[Any, ...]]) -> Sequence[Defect]:
    return db.session.execute(statement).scalars().all()
