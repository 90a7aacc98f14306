"""Defects of vehicles: single ones, their sightings, the parts of their list, and its file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, or_, select

from app import dates
from app.accounts.history import lost_race
from app.accounts.queries import usernames
from app.db import db, stream_columns, stream_rows
from app.defects.models import Defect, DefectSighting, Repair, RepairedDefect
from app.defects.queries.repairs import stands
from app.defects.rules import defects as rules
from app.defects.rules.fields import UNBOOKED, Closing, DefectState
from app.errors import NotFound
from app.fleet.rules.findings import OpenDefect, Severity, SightingAnswer
from app.lists import grouped, rows_with
from app.records.filters import Conditions
from app.reference_numbers import ReferenceNumber, Series, parse_number, parse_reference
from app.sums import count_each

NOT_ASSESSED = "none"
"""The filter for defects without a severity."""

IS_OPEN = Defect.closed_at.is_(None)

BY_SEVERITY: ColumnElement[int] = case(
    *((Defect.severity == severity, literal(rules.urgency(severity))) for severity in Severity),
    else_=literal(rules.urgency(None)),
)
"""The column by which the worst defects come last."""

_IS_NEWS = DefectSighting.is_before_repair.is_(False)
"""The condition of a sighting that tells how a defect stands since."""

_IS_PRESENT = and_(_IS_NEWS, DefectSighting.answer != SightingAnswer.ABSENT)
"""The condition of a sighting that a defect is still there."""


class NoSuchDefect(NotFound):
    """The defect doesn't exist."""

    def __init__(self, number: int) -> None:
        reference = ReferenceNumber(Series.DEFECT, number)
        super().__init__(f"There is no defect {reference}. Load the list again.")
        self.number = number


def get_defect(number: int) -> Defect:
    """Return a defect by its number. Raises NoSuchDefect."""
    defect = db.session.scalar(select(Defect).filter_by(number=number))
    if defect is None:
        raise NoSuchDefect(number)
    return defect


def defect_by_id(defect_id: int) -> Defect:
    """Return a defect by its id."""
    return db.session.get_one(Defect, defect_id)


def next_defect(defect: Defect) -> Defect | None:
    """Return the first later defect that names this one as its predecessor, or None."""
    statement = select(Defect).filter_by(reg_key=defect.reg_key, repeat_of_id=defect.id)
    return db.session.scalar(statement.order_by(Defect.id).limit(1))


def references(defect_ids: Collection[int | None]) -> Mapping[int | None, str | None]:
    """Return the numbers of defects such as 'D-0142' by their ids; None has None."""
    numbers = select(Defect.id, Defect.number)
    rows = rows_with(numbers, Defect.id, filter(None, defect_ids))
    found = {row.id: str(ReferenceNumber(Series.DEFECT, row.number)) for row in rows}
    return {None: None, **found}


def last_defect(reg_key: str, part_key: str) -> Defect | None:
    """Return the newest defect of a vehicle's part; of a duplicate, its original."""
    statement = select(Defect).filter_by(reg_key=reg_key, part_key=part_key)
    defect = db.session.scalar(statement.order_by(Defect.id.desc()).limit(1))
    while defect is not None and defect.duplicate_of_id is not None:
        defect = defect_by_id(defect.duplicate_of_id)
    return defect


def open_defects(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[OpenDefect]]:
    """Return the open defects by vehicle, the worst first; None means of all vehicles."""
    statement = select(Defect).where(IS_OPEN)
    if reg_keys is not None:
        statement = statement.where(Defect.reg_key.in_(reg_keys))
    rows, today = db.session.scalars(statement), dates.today()
    # SQLite would read all defects to have them in order.
    in_order = sorted(rows, key=lambda row: (-rules.urgency(row.severity), row.number))
    return grouped((row.reg_key, _open_defect(row, today)) for row in in_order)


def _open_defect(row: Defect, today: date) -> OpenDefect:
    return OpenDefect(
        number=row.number,
        reference=row.reference,
        part=row.part,
        title=row.title,
        since=row.day,
        severity=row.severity,
        standing=rules.describe_standing(row, today),
    )


def stream_open_defects() -> Iterator[Defect]:
    """Stream the open defects by vehicle, the oldest first."""
    statement = select(Defect).where(IS_OPEN).order_by(Defect.reg_key, Defect.day, Defect.id)
    return (row for (row,) in stream_rows(statement))


def reports_of(defect: Defect) -> tuple[int, date]:
    """Return how often a defect was seen, its report among them, and the first day of these."""
    is_of = DefectSighting.defect_id == defect.id
    statement = select(func.count(), func.min(DefectSighting.day)).where(is_of, _IS_PRESENT)
    times, first = db.session.execute(statement).one()
    return 1 + times, min(filter(None, (defect.day, first)))


def standing_repair(defect: Defect, *, but: int | None = None) -> Repair | None:
    """Return the last repair that mends a defect, other than the one with id `but`."""
    is_other = (Defect.id == defect.id, Repair.id != (but or 0))
    statement = select(Repair).join(RepairedDefect).join(Defect).where(*is_other, _mends())
    # In SQL the order would make databases walk through all repairs.
    rows = db.session.scalars(statement)
    return max(rows, key=lambda row: (row.finished_on, row.id), default=None)


def seen_after_repair(defects: Sequence[Defect]) -> Mapping[int, date]:
    """Return the last day on which each repaired defect was still seen, by the defects' ids."""
    repaired = (row.id for row in defects if row.state is DefectState.REPAIRED)
    rows = rows_with(select(Defect.id, _seen_after_repair()), Defect.id, repaired)
    return {id_: day for id_, day in rows if day is not None}


@cache
def _seen_after_repair() -> ColumnElement[Any]:
    seen, is_repaired = DefectSighting, Defect.state == DefectState.REPAIRED
    is_recorded_later = seen.recorded_at > Repair.recorded_at
    is_later = or_(
        seen.day > Repair.finished_on, and_(seen.day == Repair.finished_on, is_recorded_later)
    )
    mended = RepairedDefect.defect_id == seen.defect_id
    later = select(func.max(seen.day)).join(RepairedDefect, mended).join(Repair)
    return (
        later.where(seen.defect_id == Defect.id, is_repaired, _IS_PRESENT, _mends(), is_later)
        .correlate(Defect)
        .scalar_subquery()
        .label("seen_after_repair")
    )


@cache
def _is_undone() -> ColumnElement[bool]:
    repairs = select(RepairedDefect.defect_id).where(RepairedDefect.defect_id == Defect.id)
    mending = repairs.join(Repair).where(_mends()).correlate(Defect).exists()
    is_signed_off = Defect.closing == Closing.REPAIRED
    return and_(is_signed_off, repairs.correlate(Defect).exists(), ~mending).label("is_undone")


def settled(defect: Defect) -> rules.Settled | None:
    """Return when a defect was repaired, else closed, else None."""
    is_repaired = defect.closing in (None, Closing.REPAIRED)
    repair = standing_repair(defect) if is_repaired else None
    if repair:
        return rules.Settled(repair.finished_on, repair.recorded_at)
    closed_at = defect.closed_at
    return rules.Settled(dates.london_day(closed_at), closed_at) if closed_at else None


def closed_message(defect: Defect) -> str:
    """Return who closed a defect and when, '' for an open one."""
    if defect.closing is None or defect.closed_at is None:
        return ""
    done = rules.describe_closing(defect.reference, defect.closing)
    return lost_race(defect.closed_by, done, defect.closed_at)


@cache
def _mends() -> ColumnElement[bool]:
    """Return the condition that a joined repair mends a joined defect.

    An undone one doesn't, nor one before an assessment, which said that the defect isn't mended.
    """
    is_assessed_before = or_(Defect.assessed_at.is_(None), Repair.recorded_at >= Defect.assessed_at)
    return and_(stands(Repair), is_assessed_before)


@dataclass(frozen=True)
class SeenAgain:
    """The number of a defect's reports, the last one's day, and the last answer."""

    times: int
    last_day: date | None
    answer: SightingAnswer | None

    def last_seen(self, first: date) -> date:
        """Return the last day of a sighting of a defect first reported on a day."""
        return max(first, self.last_day or first)


class FiledDefect(NamedTuple):
    """The columns of a defect, how often it was seen, and usernames."""

    defect: Any
    seen: SeenAgain
    users: Mapping[int | None, str]


@dataclass(frozen=True)
class ListedDefect:
    """A defect with its row's additional values; `is_undone` means that its repair was undone."""

    defect: Defect
    seen: SeenAgain
    seen_after_repair: date | None = None
    is_undone: bool = False

    @property
    def id(self) -> int:
        """Return the id of its defect."""
        return self.defect.id


def count_defects(*lists: Conditions) -> Sequence[int]:
    """Return how many defects meet each of some conditions; a high number is capped."""
    return count_each(*(select(Defect.id).where(*where) for where in lists))


def first_defects(where: Conditions, limit: int) -> Sequence[Defect]:
    """Return the first defects that meet conditions, the worst first."""
    statement = select(Defect).where(*where).order_by(*default_order(DefectState.OPEN))
    return db.session.scalars(statement.limit(limit)).all()


def find_number(search: str) -> int | None:
    """Return the number of the defect that a search such as 'd142', '0142' or '142' names."""
    number = parse_number(search, Series.DEFECT)
    by_number = select(Defect.number).filter_by(number=number)
    return None if number is None else db.session.scalar(by_number)


def all_defects(where: Conditions) -> Iterator[FiledDefect]:
    """Stream defects' columns with sightings and usernames, in a connection of its own."""
    people = select(Defect.reported_by).union(select(Defect.assessed_by), select(Defect.closed_by))
    users = usernames(db.session.scalars(people))
    statement = select(*Defect.__table__.columns, *_seen_columns()).where(*where)
    rows = stream_columns(statement.order_by(Defect.id))
    return (FiledDefect(row, _seen(row), users) for row in rows)


def seen_again(defect_ids: Sequence[int]) -> Mapping[int, SeenAgain]:
    """Return how often defects were reported, by their ids."""
    statement = select(Defect.id, *_seen_columns())
    return {row.id: _seen(row) for row in rows_with(statement, Defect.id, defect_ids)}


@cache
def _seen_columns() -> Sequence[ColumnElement[Any]]:
    """Return the number and last day of each defect's sightings, and the last answer by day.

    A check of an earlier day may arrive later, even of a day before the defect was reported.
    """
    row = DefectSighting
    of_defect = select(row).where(row.defect_id == Defect.id)
    seen, news = of_defect.where(_IS_PRESENT), of_defect.where(_IS_NEWS, row.day >= Defect.day)
    answer = news.order_by(row.day.desc(), row.id.desc()).limit(1)
    return [
        seen.with_only_columns(func.count()).scalar_subquery().label("times"),
        seen.with_only_columns(func.max(row.day)).scalar_subquery().label("last_day"),
        answer.with_only_columns(row.answer).scalar_subquery().label("answer"),
    ]


def _seen(row: Any) -> SeenAgain:
    return SeenAgain(1 + row.times, row.last_day, row.answer)


def defects_of_vehicle(reg_key: str, limit: int) -> Sequence[ListedDefect]:
    """Return the open defects of a vehicle, the worst first, and then its last closed ones."""
    by_severity = case((IS_OPEN, BY_SEVERITY), else_=0)
    order = [~IS_OPEN, by_severity.desc(), Defect.closed_at.desc(), Defect.day, Defect.id]
    return listed(select(Defect).filter_by(reg_key=reg_key).order_by(*order).limit(limit))


def listed_defect(defect: Defect) -> ListedDefect:
    """Return a defect with the additional values of its row."""
    return listed(select(Defect).filter_by(id=defect.id))[0]


def listed(statement: Select[*tuple[Any, ...]]) -> Sequence[ListedDefect]:
    """Return the defects of a statement with the additional values of their rows."""
    columns = (*_seen_columns(), _seen_after_repair(), _is_undone())
    return [
        ListedDefect(row.Defect, _seen(row), row.seen_after_repair, bool(row.is_undone))
        for row in db.session.execute(statement.add_columns(*columns))
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
    mended = select(RepairedDefect.defect_id).join(Repair)
    return [Defect.id.in_(mended.where(Repair.number == reference.number))]


def is_in_tab(tab: DefectState) -> list[ColumnElement[bool]]:
    """Return the conditions of the defects of a part of the list."""
    if tab is DefectState.CLOSED:
        # Alike to its state, and what the index of its order has.
        return [Defect.closed_at.is_not(None)]
    return [Defect.state.in_(UNBOOKED if tab is DefectState.OPEN else (tab,))]


def is_as_bad(severity: str) -> list[ColumnElement[bool]]:
    """Return the condition of the defects of a severity, or of those that aren't assessed."""
    return [Defect.severity == (None if severity == NOT_ASSESSED else Severity(severity))]
