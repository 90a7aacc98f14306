"""What happened to vehicles: statuses and locations, checks, odometers, repair costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, func, select, tuple_

from app.db import db
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.queries.people import usernames
from app.fleet.rules.charts import DayReading, first_month
from app.fleet.rules.vehicles import FleetList
from app.paging import clamp_page

ROWS_PER_PAGE = 25


@dataclass(frozen=True)
class Event:
    """Where a vehicle was and in which status since when; `who` is '' for the terminal."""

    id: int
    reg: str
    reg_key: str
    at: datetime
    location: str
    status: str
    who: str
    check_id: int | None


@dataclass(frozen=True)
class EventPage:
    """Some of a vehicle's history, newest first."""

    rows: Sequence[Event]
    page: int
    pages: int
    total: int


def event_page(vehicle: Vehicle, page: int = 1) -> EventPage:
    """Return a page of a vehicle's history; a page beyond the last is the last."""
    mine = (
        VehicleEvent.fleet_list == vehicle.fleet_list,
        VehicleEvent.reg_key == vehicle.reg_key,
    )
    counted = select(func.count()).select_from(VehicleEvent).where(*mine)
    total = db.session.execute(counted).scalar_one()
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = _newest_first(select(VehicleEvent).where(*mine))
    found = statement.limit(ROWS_PER_PAGE).offset((page - 1) * ROWS_PER_PAGE)
    return EventPage(_events(found), page, pages, total)


def event_before(vehicle: Vehicle, at: datetime) -> Event | None:
    """Return what was last known of a vehicle at a moment."""
    mine = select(VehicleEvent).where(
        VehicleEvent.fleet_list == vehicle.fleet_list,
        VehicleEvent.reg_key == vehicle.reg_key,
        VehicleEvent.at <= at,
    )
    return next(iter(_events(_newest_first(mine).limit(1))), None)


def readings(reg_key: str) -> Iterable[DayReading]:
    """Return the odometer at each check of a registration, the oldest first."""
    statement = select(Check.day, Check.odometer).filter_by(reg_key=reg_key)
    found = db.session.execute(statement.order_by(Check.day, Check.id))
    return ((day, odometer) for day, odometer in found)


def was_checked_after(reg_key: str, day: date) -> bool:
    """Tell whether a registration has a check of a later day."""
    later = select(Check.id).where(Check.reg_key == reg_key, Check.day > day).limit(1)
    return db.session.execute(later).first() is not None


def repair_costs(reg_key: str, today: date) -> Iterable[tuple[date, int]]:
    """Return the costs of a registration's checks in the months that are drawn."""
    statement = (
        select(Check.day, func.sum(Check.cost))
        .where(Check.reg_key == reg_key, Check.cost > 0, Check.day >= first_month(today))
        .group_by(Check.day)
    )
    return ((day, int(cost)) for day, cost in db.session.execute(statement))


def van_history(limit: int | None = None, before: int = 0) -> Sequence[Event]:
    """Return what happened to vans, newest first; up to `limit` rows after the row `before`."""
    statement = _newest_first(select(VehicleEvent).filter_by(fleet_list=FleetList.VANS))
    if before:
        last = select(VehicleEvent.at).filter_by(id=before).scalar_subquery()
        place = tuple_(VehicleEvent.at, VehicleEvent.id)
        statement = statement.where(place < tuple_(last, before))
    return _events(statement.limit(limit))


def histories(fleet_list: FleetList) -> dict[str, list[Event]]:
    """Return what happened to the vehicles of a list by the key of the registration, newest first.

    A vehicle that nothing is known of has no entry.
    """
    found: dict[str, list[Event]] = {}
    for event in _events(_newest_first(select(VehicleEvent).filter_by(fleet_list=fleet_list))):
        found.setdefault(event.reg_key, []).append(event)
    return found


def _newest_first(statement: Select[Any]) -> Select[Any]:
    return statement.order_by(VehicleEvent.at.desc(), VehicleEvent.id.desc())


def _events(statement: Select[Any]) -> Sequence[Event]:
    found: Sequence[VehicleEvent] = db.session.execute(statement).scalars().all()
    users = usernames(event.user_id for event in found)
    return [
        Event(
            id=event.id,
            reg=event.reg,
            reg_key=event.reg_key,
            at=event.at,
            location=event.location,
            status=event.status,
            who=users[event.user_id],
            check_id=event.check_id,
        )
        for event in found
    ]
