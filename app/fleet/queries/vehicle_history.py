"""The history of vehicles: statuses and locations, checks, odometers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, select, tuple_

from app.accounts.queries import usernames
from app.db import db
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.rules.charts import OdometerReading
from app.fleet.rules.vehicles import FleetList
from app.paging import Page, load_page
from app.sums import count_matches

ROWS_PER_PAGE = 25


@dataclass(frozen=True)
class VehicleEventRow:
    """One change of a vehicle's status or location; `username` is '' for the terminal."""

    id: int
    reg: str
    reg_key: str
    at: datetime
    location: str
    status: str
    username: str
    check_id: int | None


def event_page(vehicle: Vehicle, page: int = 1) -> Page[VehicleEventRow]:
    """Return a page of a vehicle's history, newest first."""
    conditions = _is_of(vehicle)
    newest = _newest_first(select(VehicleEvent).where(*conditions))
    return load_page(
        page,
        total=count_matches(select(VehicleEvent.id).where(*conditions)),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: _event_rows(newest.limit(limit).offset(offset)),
    )


def last_event_before(vehicle: Vehicle, at: datetime) -> VehicleEventRow | None:
    """Return a vehicle's last event at or before a time."""
    statement = select(VehicleEvent).where(*_is_of(vehicle), VehicleEvent.at <= at)
    return next(iter(_event_rows(_newest_first(statement).limit(1))), None)


def odometer_readings(reg_key: str, *, but: ColumnElement[bool]) -> Iterable[OdometerReading]:
    """Return the odometer at each check of a registration, oldest first, without `but`."""
    statement = select(Check.day, Check.odometer).filter_by(reg_key=reg_key).where(~but)
    rows = db.session.execute(statement.order_by(Check.day, Check.id))
    return ((day, odometer) for day, odometer in rows)


def was_checked_after(reg_key: str, day: date) -> bool:
    """Return whether a registration has a check of a later day."""
    later = select(Check.id).where(Check.reg_key == reg_key, Check.day > day).limit(1)
    return db.session.execute(later).first() is not None


def van_history(limit: int | None = None, after_id: int = 0) -> Sequence[VehicleEventRow]:
    """Return the history of all vans, newest first: up to `limit` rows after a row's id."""
    statement = _newest_first(select(VehicleEvent).filter_by(fleet_list=FleetList.VANS))
    if after_id:
        at = select(VehicleEvent.at).filter_by(id=after_id).scalar_subquery()
        position = tuple_(VehicleEvent.at, VehicleEvent.id)
        statement = statement.where(position < tuple_(at, after_id))
    return _event_rows(statement.limit(limit))


def events_by_vehicle(fleet_list: FleetList) -> dict[str, list[VehicleEventRow]]:
    """Return the history of a list's vehicles by the registration's key, newest first.

    A vehicle without history has no entry.
    """
    events: dict[str, list[VehicleEventRow]] = {}
    statement = _newest_first(select(VehicleEvent).filter_by(fleet_list=fleet_list))
    for event in _event_rows(statement):
        events.setdefault(event.reg_key, []).append(event)
    return events


def _is_of(vehicle: Vehicle) -> tuple[Any, ...]:
    return (
        VehicleEvent.fleet_list == vehicle.fleet_list,
        VehicleEvent.reg_key == vehicle.reg_key,
    )


def _newest_first(statement: Select[Any]) -> Select[Any]:
    return statement.order_by(VehicleEvent.at.desc(), VehicleEvent.id.desc())


def _event_rows(statement: Select[Any]) -> Sequence[VehicleEventRow]:
    events: Sequence[VehicleEvent] = db.session.execute(statement).scalars().all()
    users = usernames(event.user_id for event in events)
    return [
        VehicleEventRow(
            id=event.id,
            reg=event.reg,
            reg_key=event.reg_key,
            at=event.at,
            location=event.location,
            status=event.status,
            username=users[event.user_id],
            check_id=event.check_id,
        )
        for event in events
    ]
