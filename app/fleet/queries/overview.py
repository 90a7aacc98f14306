"""The fleet on the dashboard: vehicles by status, checks to review and recent events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

from sqlalchemy import Select, and_, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import day_counts
from app.accounts.queries import usernames
from app.charts import BarChart
from app.day_counts import Days, activity_chart, first_day, rows_per_day
from app.db import db
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.queries.checks import checks_lists
from app.fleet.rules.checks import check_time
from app.fleet.rules.vehicles import ALL_DATA, FleetList, StatusTotal, status_tone, total_by_status
from app.versions import cached, version_of, versions_of

RECENT_ROWS = 12


@dataclass(frozen=True)
class CheckTotals:
    """The numbers of checks: all, unreviewed ones, and this week's."""

    all: int
    unreviewed: int
    this_week: int


@dataclass(frozen=True)
class RecentEvent:
    """A check or a change; `username` is '' for the terminal, `vehicle_id` None if unlisted."""

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
    """Return the versions of the fleet, its upkeep and bookings; every change increments one."""
    return versions_of(ALL_DATA)


def status_totals(fleet_list: FleetList) -> Sequence[StatusTotal]:
    """Return the number of vehicles of a list per status."""
    vehicles = select(Vehicle.status, func.count()).filter_by(fleet_list=fleet_list)
    statement = vehicles.group_by(Vehicle.status)
    return cached(
        (fleet_list, version_of(fleet_list)),
        lambda: total_by_status(db.session.execute(statement).all()),
        "vehicles by status",
    )


def check_totals(today: date) -> CheckTotals:
    """Return the number of checks; this week is Monday to today."""
    monday = today - timedelta(days=today.weekday())
    every, unreviewed = checks_lists(), checks_lists(reviewed=[False])
    each = (Days(every), Days(unreviewed), Days(every, monday, today))
    return CheckTotals(*day_counts.totals(*each))


def activity(fleet_list: FleetList, today: date) -> BarChart:
    """Return the chart of checks and changes per day; unlisted vehicles' checks count too."""
    changes = (VehicleEvent.fleet_list == fleet_list, VehicleEvent.check_id.is_(None))
    counts = rows_per_day(VehicleEvent.at, changes, today)
    counts += day_counts.by_day(Days(checks_lists(), first_day(today), today))
    return activity_chart(counts, today)


def recent_events(fleet_list: FleetList) -> Sequence[RecentEvent]:
    """Return the latest checks and changes of status or location, newest first."""
    of_event = (VehicleEvent.at, VehicleEvent.status, VehicleEvent.location)
    by = Check.submitted_by.label("user_id")
    changes = (
        select(*of_event, VehicleEvent.check_id, VehicleEvent.reg, VehicleEvent.user_id)
        .where(VehicleEvent.fleet_list == fleet_list, VehicleEvent.check_id.is_(None))
        .order_by(VehicleEvent.at.desc(), VehicleEvent.id.desc())
    )
    is_event_of_check = and_(
        VehicleEvent.fleet_list == fleet_list,
        VehicleEvent.reg_key == Check.reg_key,
        VehicleEvent.check_id == Check.id,
    )
    checks = (
        select(*of_event, Check.id.label("check_id"), Check.day, Check.submitted_at, Check.reg, by)
        .outerjoin(VehicleEvent, is_event_of_check)
        .order_by(Check.day.desc(), Check.id.desc())
    )
    rows = [
        *_latest(changes, VehicleEvent.reg_key, fleet_list),
        *_latest(checks, Check.reg_key, fleet_list),
    ]
    users = usernames(row.user_id for row in rows)
    events = [
        RecentEvent(
            # A check of a vehicle outside the lists has no event.
            at=row.at or check_time(row.day, row.submitted_at),
            is_check=row.check_id is not None,
            reg=row.reg,
            vehicle_id=row.vehicle_id,
            status=row.status or "",
            location=row.location or "",
            username=users.get(row.user_id, ""),
        )
        for row in rows
    ]
    return sorted(events, key=attrgetter("at"), reverse=True)[:RECENT_ROWS]


def _latest(
    statement: Select[*tuple[Any, ...]], reg_key: InstrumentedAttribute[str], fleet_list: FleetList
) -> Sequence[Any]:
    """Return the first rows of a statement, each with the id of its vehicle in the list."""
    is_vehicle = and_(Vehicle.fleet_list == fleet_list, Vehicle.reg_key == reg_key)
    with_vehicle = statement.add_columns(Vehicle.id.label("vehicle_id"))
    listed = with_vehicle.outerjoin(Vehicle, is_vehicle).limit(RECENT_ROWS)
    return db.session.execute(listed).all()
