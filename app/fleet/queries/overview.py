"""The fleet at a glance: vehicles by status, checks to look at, and what happened lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Row, Select, and_, func, select

from app import dates
from app.accounts import queries as accounts
from app.activity import activity_chart, first_day, rows_per_day
from app.charts import BarChart
from app.db import db
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.rules.vehicles import FleetList, StatusTotal, tone, total_by_status
from app.versions import versions_of

RECENT_ROWS = 12
VERSIONS = (*FleetList, "van-history", "checks")
"""The data versions of all that is shown of the fleet."""


@dataclass(frozen=True)
class CheckTotals:
    """How many checks there are, how many nobody has reviewed, and how many are of this week."""

    all: int
    unreviewed: int
    this_week: int


@dataclass(frozen=True)
class Happening:
    """A check, or a change of status or location; `who` is '' for the terminal.

    `vehicle_id` is None where the vehicle isn't in the list (any more).
    """

    at: datetime
    is_check: bool
    reg: str
    vehicle_id: int | None
    status: str
    location: str
    who: str

    @property
    def tone(self) -> str:
        """Return how its status stands out."""
        return tone(self.status)


def data_versions() -> Sequence[int]:
    """Return numbers of which another one is there after every change of the fleet."""
    return versions_of(VERSIONS)


def status_totals(fleet_list: FleetList) -> Sequence[StatusTotal]:
    """Count the vehicles of a list by their status."""
    statement = (
        select(Vehicle.status, func.count().label("vehicles"))
        .filter_by(fleet_list=fleet_list)
        .group_by(Vehicle.status)
    )
    found = db.session.execute(statement)
    return total_by_status((row.status, row.vehicles) for row in found)


def check_totals(today: date) -> CheckTotals:
    """Count the checks; this week is Monday to today."""
    monday = today - timedelta(days=today.weekday())
    counted = select(func.count()).select_from(Check)
    # Each by its own index: the rows themselves are long.
    statement = select(
        counted.scalar_subquery(),
        counted.where(Check.reviewed_at.is_(None)).scalar_subquery(),
        counted.where(Check.day.between(monday, today)).scalar_subquery(),
    )
    return CheckTotals(*db.session.execute(statement).one())


def activity(fleet_list: FleetList, today: date) -> BarChart:
    """Return how many checks and changes each of the last days has, as a picture.

    A check counts also where its vehicle is in no list.
    """
    changes = (VehicleEvent.fleet_list == fleet_list, VehicleEvent.check_id.is_(None))
    counts = rows_per_day(VehicleEvent.at, changes, today)
    checks = (
        select(Check.day, func.count())
        .where(Check.day.between(first_day(today), today))
        .group_by(Check.day)
    )
    for day, checked in db.session.execute(checks):
        counts[day] += checked
    return activity_chart(counts, today)


def recent(fleet_list: FleetList) -> Sequence[Happening]:
    """Return the last checks and changes of status or location, newest first."""
    changes = db.session.execute(_latest_changes(fleet_list).limit(RECENT_ROWS)).all()
    checks = db.session.execute(_latest_checks(fleet_list).limit(RECENT_ROWS)).all()
    users = accounts.usernames({row.by for row in (*changes, *checks) if row.by is not None})
    found = [
        *(_happening(row, row.at, users) for row in changes),
        *(_happening(row, _moment(row), users) for row in checks),
    ]
    return sorted(found, key=lambda happening: happening.at, reverse=True)[:RECENT_ROWS]


def _latest_changes(fleet_list: FleetList) -> Select[*tuple[object, ...]]:
    return (
        select(
            VehicleEvent.at,
            VehicleEvent.check_id,
            VehicleEvent.reg,
            VehicleEvent.status,
            VehicleEvent.location,
            VehicleEvent.user_id.label("by"),
            Vehicle.id.label("vehicle_id"),
        )
        .outerjoin(
            Vehicle,
            and_(Vehicle.fleet_list == fleet_list, Vehicle.reg_key == VehicleEvent.reg_key),
        )
        .where(VehicleEvent.fleet_list == fleet_list, VehicleEvent.check_id.is_(None))
        .order_by(VehicleEvent.at.desc(), VehicleEvent.id.desc())
    )


def _latest_checks(fleet_list: FleetList) -> Select[*tuple[object, ...]]:
    """Return checks with what was known of their vehicles then; the key finds the event."""
    noted = and_(
        VehicleEvent.fleet_list == fleet_list,
        VehicleEvent.reg_key == Check.reg_key,
        VehicleEvent.check_id == Check.id,
    )
    return (
        select(
            VehicleEvent.at,
            Check.id.label("check_id"),
            Check.day,
            Check.submitted_at,
            Check.reg,
            VehicleEvent.status,
            VehicleEvent.location,
            Check.submitted_by.label("by"),
            Vehicle.id.label("vehicle_id"),
        )
        .outerjoin(VehicleEvent, noted)
        .outerjoin(
            Vehicle, and_(Vehicle.fleet_list == fleet_list, Vehicle.reg_key == Check.reg_key)
        )
        .order_by(Check.day.desc(), Check.id.desc())
    )


def _moment(row: Row[*tuple[object, ...]]) -> datetime:
    """Return when a check was; one of a vehicle that is in no list has no event that says it."""
    at: datetime | None = row.at
    if at is not None:
        return at
    is_of_its_day: bool = dates.london_day(row.submitted_at) == row.day
    return row.submitted_at if is_of_its_day else dates.noon_in_london(row.day)


def _happening(row: Row[*tuple[object, ...]], at: datetime, users: dict[int, str]) -> Happening:
    return Happening(
        at=at,
        is_check=row.check_id is not None,
        reg=row.reg,
        vehicle_id=row.vehicle_id,
        status=row.status or "",
        location=row.location or "",
        who=users.get(row.by, ""),
    )
