"""The fleet on the dashboard: vehicles by status, checks to review and recent events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Row, Select, and_, func, select

from app import dates, day_counts
from app.accounts.queries import usernames
from app.charts import BarChart
from app.day_counts import Days, activity_chart, first_day, rows_per_day
from app.db import db
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.queries.check_values import checks_lists
from app.fleet.rules.vehicles import (
    CHECKS,
    UPKEEP,
    VAN_HISTORY,
    FleetList,
    StatusTotal,
    status_tone,
    total_by_status,
)
from app.versions import cached, version_of, versions_of

RECENT_ROWS = 12
VERSIONS = (*FleetList, VAN_HISTORY, CHECKS, UPKEEP)
"""The names of all data versions of the fleet and its upkeep."""


@dataclass(frozen=True)
class CheckTotals:
    """The numbers of checks: all, unreviewed ones, and this week's."""

    all: int
    unreviewed: int
    this_week: int


@dataclass(frozen=True)
class RecentEvent:
    """A check, or a change of status or location; `username` is '' for the terminal.

    `vehicle_id` is None if the vehicle isn't in the list.
    """

    at: datetime
    is_check: bool
    reg: str
    vehicle_id: int | None
    status: str
    location: str
    username: str

    @property
    def tone(self) -> str:
        """Return the CSS class of its status badge."""
        return status_tone(self.status)


def data_versions() -> Sequence[int]:
    """Return the data versions of the fleet; every change of it increments one."""
    return versions_of(VERSIONS)


def status_totals(fleet_list: FleetList) -> Sequence[StatusTotal]:
    """Return the number of vehicles of a list per status."""
    statement = (
        select(Vehicle.status, func.count().label("vehicles"))
        .filter_by(fleet_list=fleet_list)
        .group_by(Vehicle.status)
    )

    def count() -> Sequence[StatusTotal]:
        rows = db.session.execute(statement)
        return total_by_status((row.status, row.vehicles) for row in rows)

    return cached((fleet_list, version_of(fleet_list)), count, "vehicles by status")


def check_totals(today: date) -> CheckTotals:
    """Return the number of checks; this week is Monday to today."""
    monday = today - timedelta(days=today.weekday())
    return CheckTotals(
        *day_counts.totals(
            Days(checks_lists()),
            Days(checks_lists(reviewed=[False])),
            Days(checks_lists(), monday, today),
        )
    )


def activity(fleet_list: FleetList, today: date) -> BarChart:
    """Return the chart of checks and changes per day.

    Checks of vehicles that are in no list count too.
    """
    changes = (VehicleEvent.fleet_list == fleet_list, VehicleEvent.check_id.is_(None))
    counts = rows_per_day(VehicleEvent.at, changes, today)
    counts += day_counts.by_day(Days(checks_lists(), first_day(today), today))
    return activity_chart(counts, today)


def recent_events(fleet_list: FleetList) -> Sequence[RecentEvent]:
    """Return the latest checks and changes of status or location, newest first."""
    changes = db.session.execute(_latest_changes(fleet_list).limit(RECENT_ROWS)).all()
    checks = db.session.execute(_latest_checks(fleet_list).limit(RECENT_ROWS)).all()
    users = usernames(row.user_id for row in (*changes, *checks))
    events = [
        *(_recent_event(row, row.at, users) for row in changes),
        *(_recent_event(row, _check_time(row), users) for row in checks),
    ]
    return sorted(events, key=lambda event: event.at, reverse=True)[:RECENT_ROWS]


def _latest_changes(fleet_list: FleetList) -> Select[*tuple[object, ...]]:
    return (
        select(
            VehicleEvent.at,
            VehicleEvent.check_id,
            VehicleEvent.reg,
            VehicleEvent.status,
            VehicleEvent.location,
            VehicleEvent.user_id,
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
    is_event_of_check = and_(
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
            Check.submitted_by.label("user_id"),
            Vehicle.id.label("vehicle_id"),
        )
        .outerjoin(VehicleEvent, is_event_of_check)
        .outerjoin(
            Vehicle, and_(Vehicle.fleet_list == fleet_list, Vehicle.reg_key == Check.reg_key)
        )
        .order_by(Check.day.desc(), Check.id.desc())
    )


def _check_time(row: Row[*tuple[object, ...]]) -> datetime:
    """Return the time of a check; a vehicle outside the lists has no event."""
    at: datetime | None = row.at
    if at is not None:
        return at
    is_same_day: bool = dates.london_day(row.submitted_at) == row.day
    return row.submitted_at if is_same_day else dates.noon_in_london(row.day)


def _recent_event(
    row: Row[*tuple[object, ...]], at: datetime, users: Mapping[int | None, str]
) -> RecentEvent:
    return RecentEvent(
        at=at,
        is_check=row.check_id is not None,
        reg=row.reg,
        vehicle_id=row.vehicle_id,
        status=row.status or "",
        location=row.location or "",
        username=users.get(row.user_id, ""),
    )
