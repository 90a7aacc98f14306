"""Which vehicles are off the road, since when, and what stands against their return."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, func, select

from app import dates
from app.db import db
from app.fleet.rules.findings import Severity, Standing
from app.upkeep.models.defects import Defect
from app.upkeep.models.off_road import OffRoad
from app.upkeep.rules.off_road import REASON_LABELS, Objection, StopDefect, stop_objection

_IS_CURRENT = OffRoad.until.is_(None)


def is_off_road(reg_key: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a vehicle is off the road now."""
    return select(OffRoad.id).where(_IS_CURRENT, OffRoad.reg_key == reg_key).exists()


def current_times(reg_keys: Collection[str]) -> Mapping[str, OffRoad]:
    """Return the times off the road that last, by vehicle."""
    statement = select(OffRoad).where(_IS_CURRENT, OffRoad.reg_key.in_(reg_keys))
    return {row.reg_key: row for row in db.session.execute(statement).scalars()}


def last_time(reg_key: str) -> OffRoad | None:
    """Return a vehicle's last time off the road, which may last."""
    statement = (
        select(OffRoad)
        .filter_by(reg_key=reg_key)
        .order_by(OffRoad.since.desc(), OffRoad.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none()


def stop_defects(reg_keys: Collection[str]) -> Mapping[str, Sequence[StopDefect]]:
    """Return the defects that keep vehicles off the road, by vehicle."""
    statement = (
        select(Defect)
        .where(
            Defect.reg_key.in_(reg_keys),
            Defect.closed_at.is_(None),
            Defect.severity == Severity.STOP,
        )
        .order_by(Defect.number)
    )
    found: defaultdict[str, list[StopDefect]] = defaultdict(list)
    for row in db.session.execute(statement).scalars():
        defect = StopDefect(row.number, row.reference, row.title, row.state)
        found[row.reg_key].append(defect)
    return found


def objections_to(reg_keys: Collection[str]) -> Mapping[str, Sequence[Objection]]:
    """Return what stands against the return of vehicles, by vehicle."""
    stops = stop_defects(reg_keys)
    return {key: [stop_objection(defect) for defect in stops.get(key, ())] for key in reg_keys}


def standings(reg_keys: Collection[str]) -> Mapping[str, Standing]:
    """Return whether vehicles may be used; one without a mapping may."""
    times = current_times(reg_keys)
    objections = objections_to(reg_keys)
    defects = _open_defects(reg_keys)
    found: dict[str, Standing] = {}
    for key in reg_keys:
        time = times.get(key)
        reasons = [objection.text for objection in objections.get(key, ())]
        if time and not reasons:
            reasons = [f"Off the road: {REASON_LABELS[time.reason]}"]
        if reasons or defects.get(key):
            found[key] = Standing(
                is_roadworthy=not reasons,
                reasons=reasons,
                off_road_since=dates.london_day(time.since) if time else None,
                open_defects=defects.get(key, 0),
            )
    return found


def _open_defects(reg_keys: Collection[str]) -> Mapping[str, int]:
    statement = (
        select(Defect.reg_key, func.count())
        .where(Defect.reg_key.in_(reg_keys), Defect.closed_at.is_(None))
        .group_by(Defect.reg_key)
    )
    return dict(db.session.execute(statement).tuples().all())
