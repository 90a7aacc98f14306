"""Defects of vehicles: the open ones, the last of a part, and the end of one."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from sqlalchemy import ColumnElement, and_, func, or_, select

from app import dates
from app.accounts.history import lost_race
from app.db import db, stream_rows
from app.defects.models import Defect, DefectSighting, Repair, RepairedDefect
from app.defects.queries.repairs import stands
from app.defects.rules import defects as rules
from app.defects.rules.defects import Settled, urgency
from app.defects.rules.fields import Closing, DefectState
from app.errors import NotFound
from app.fleet.rules.findings import OpenDefect, SightingAnswer
from app.lists import rows_with
from app.reference_numbers import ReferenceNumber, Series

IS_NEWS = DefectSighting.is_before_repair.is_(False)
"""The condition of a sighting that tells how a defect stands since."""

IS_PRESENT = and_(IS_NEWS, DefectSighting.answer != SightingAnswer.ABSENT)
"""The condition of a sighting that a defect is still there."""


class NoSuchDefect(NotFound):
    """The defect doesn't exist."""

    def __init__(self, number: int) -> None:
        reference = ReferenceNumber(Series.DEFECT, number)
        super().__init__(f"There is no defect {reference}. Load the list again.")
        self.number = number


def get_defect(number: int) -> Defect:
    """Return a defect by its number. Raises NoSuchDefect."""
    statement = select(Defect).filter_by(number=number)
    defect = db.session.execute(statement).scalar_one_or_none()
    if defect is None:
        raise NoSuchDefect(number)
    return defect


def defect_by_id(defect_id: int) -> Defect:
    """Return a defect by its id."""
    return db.session.get_one(Defect, defect_id)


def next_defect(defect: Defect) -> Defect | None:
    """Return the first later defect that names this one as its predecessor, or None."""
    statement = select(Defect).filter_by(reg_key=defect.reg_key, repeat_of_id=defect.id)
    return db.session.execute(statement.order_by(Defect.id).limit(1)).scalar_one_or_none()


def references(defect_ids: Collection[int | None]) -> Mapping[int | None, str | None]:
    """Return the numbers of defects such as 'D-0142' by their ids; None has None."""
    numbers = select(Defect.id, Defect.number)
    rows = rows_with(numbers, Defect.id, filter(None, defect_ids))
    found = {row.id: str(ReferenceNumber(Series.DEFECT, row.number)) for row in rows}
    return {None: None, **found}


def last_defect(reg_key: str, part_key: str) -> Defect | None:
    """Return the newest defect of a vehicle's part: the open one, if any.

    A defect closed as a duplicate leads to its original.
    """
    statement = (
        select(Defect)
        .filter_by(reg_key=reg_key, part_key=part_key)
        .order_by(Defect.id.desc())
        .limit(1)
    )
    defect = db.session.execute(statement).scalar_one_or_none()
    while defect is not None and defect.duplicate_of_id is not None:
        defect = defect_by_id(defect.duplicate_of_id)
    return defect


def open_defects(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[OpenDefect]]:
    """Return the open defects by vehicle, the worst first; None means of all vehicles."""
    statement = select(Defect).where(Defect.closed_at.is_(None))
    if reg_keys is not None:
        statement = statement.where(Defect.reg_key.in_(reg_keys))
    rows = db.session.execute(statement).scalars().all()
    found: defaultdict[str, list[OpenDefect]] = defaultdict(list)
    # SQLite would read all defects to have them in order.
    for row in sorted(rows, key=lambda row: (-urgency(row.severity), row.number)):
        found[row.reg_key].append(_open_defect(row))
    return found


def stream_open_defects() -> Iterator[Defect]:
    """Stream the open defects by vehicle, the oldest first."""
    statement = select(Defect).where(Defect.closed_at.is_(None))
    rows = stream_rows(statement.order_by(Defect.reg_key, Defect.day, Defect.id))
    return (row[0] for row in rows)


def reports_of(defect: Defect) -> tuple[int, date]:
    """Return how often a defect was seen, its report among them, and the first day of these."""
    statement = select(func.count(), func.min(DefectSighting.day)).where(
        DefectSighting.defect_id == defect.id, IS_PRESENT
    )
    times, first = db.session.execute(statement).one()
    return 1 + times, min(filter(None, (defect.day, first)))


def has_sighting(defect_id: int, check_id: int) -> bool:
    """Return whether a check is among the sightings of a defect."""
    statement = select(DefectSighting.id).filter_by(defect_id=defect_id, check_id=check_id)
    return db.session.execute(statement).first() is not None


def standing_repair(defect: Defect, *, but: int | None = None) -> Repair | None:
    """Return the last repair that mends a defect, other than the one with id `but`."""
    statement = (
        select(Repair)
        .join(RepairedDefect, RepairedDefect.repair_id == Repair.id)
        .join(Defect, Defect.id == RepairedDefect.defect_id)
        .where(Defect.id == defect.id, Repair.id != (but or 0), _mends())
    )
    # In SQL the order would make databases walk through all repairs.
    rows = db.session.execute(statement).scalars()
    return max(rows, key=lambda row: (row.finished_on, row.id), default=None)


def seen_after_repair(defects: Sequence[Defect]) -> Mapping[int, date]:
    """Return the last day on which each repaired defect was still seen, by the defects' ids."""
    is_later = or_(
        DefectSighting.day > Repair.finished_on,
        and_(
            DefectSighting.day == Repair.finished_on,
            DefectSighting.recorded_at > Repair.recorded_at,
        ),
    )
    statement = (
        select(DefectSighting.defect_id, func.max(DefectSighting.day))
        .join(Defect, Defect.id == DefectSighting.defect_id)
        .join(RepairedDefect, RepairedDefect.defect_id == Defect.id)
        .join(Repair, Repair.id == RepairedDefect.repair_id)
        .where(IS_PRESENT, _mends(), is_later)
        .group_by(DefectSighting.defect_id)
    )
    repaired = (row.id for row in defects if row.state is DefectState.REPAIRED)
    return dict(rows_with(statement, Defect.id, repaired))


def with_undone_repair(defects: Sequence[Defect]) -> Collection[int]:
    """Return the ids of the signed-off defects whose repairs were all undone."""
    statement = (
        select(Defect.id, _mends())
        .join(RepairedDefect, RepairedDefect.defect_id == Defect.id)
        .join(Repair, Repair.id == RepairedDefect.repair_id)
    )
    signed_off = (row.id for row in defects if row.closing is Closing.REPAIRED)
    rows = list(rows_with(statement, Defect.id, signed_off))
    return {id_ for id_, _ in rows} - {id_ for id_, mends in rows if mends}


def settled(defect: Defect) -> Settled | None:
    """Return when a defect was repaired, else closed, else None."""
    is_repaired = defect.closing in (None, Closing.REPAIRED)
    repair = standing_repair(defect) if is_repaired else None
    if repair:
        return Settled(repair.finished_on, repair.recorded_at)
    if defect.closed_at is None:
        return None
    return Settled(dates.london_day(defect.closed_at), defect.closed_at)


def closed_message(defect: Defect) -> str:
    """Return who closed a defect and when, '' for an open one."""
    if defect.closing is None or defect.closed_at is None:
        return ""
    done = rules.describe_closing(defect.reference, defect.closing)
    return lost_race(defect.closed_by, done, defect.closed_at)


def _mends() -> ColumnElement[bool]:
    """Return the condition that a repair mends a defect; both must be joined.

    An undone repair doesn't, nor one before a manager's assessment, which said that the defect
    wasn't mended.
    """
    is_assessed_before = or_(Defect.assessed_at.is_(None), Repair.recorded_at >= Defect.assessed_at)
    return and_(stands(Repair), is_assessed_before)


def _open_defect(row: Defect) -> OpenDefect:
    return OpenDefect(
        number=row.number,
        reference=row.reference,
        part=row.part,
        title=row.title,
        since=row.day,
        severity=row.severity,
        standing=rules.describe_standing(row, dates.today()),
    )
