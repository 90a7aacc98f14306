"""Reads vehicles and their history."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, literal, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.db import Base, advisory_lock, db
from app.errors import existing
from app.fleet.models import Check, Vehicle, VehicleEvent
from app.fleet.rules.charts import OdometerReading
from app.fleet.rules.vehicles import FleetList, VehicleState, clean_plate, plate_key
from app.lists import grouped, rows_with
from app.paging import Page, load_page
from app.records.filters import Values
from app.search import distinct_values
from app.versions import version_of

IN_LISTS = Vehicle.fleet_list.in_(list(FleetList))
"""The condition of every vehicle, by which an index finds registrations."""

_VEHICLES = literal(FleetList.VEHICLES, Vehicle.fleet_list.type)
_VANS = literal(FleetList.VANS, Vehicle.fleet_list.type)
_ANY = aliased(Vehicle)
_HAS_VEHICLES = select(_ANY.id).where(_ANY.fleet_list == _VEHICLES).exists()
ON_SCREENS = Vehicle.fleet_list == case((_HAS_VEHICLES, _VEHICLES), else_=_VANS)
"""The condition of the list on the screens: the vehicles, or the vans if there are none."""


NO_SUCH_VEHICLE = "There is no such vehicle. Load the list again."


def current_list() -> FleetList:
    """Return the list on the screens; without any vehicle, the vehicles."""
    found = db.session.scalar(select(Vehicle.fleet_list).where(ON_SCREENS).limit(1))
    return found or FleetList.VEHICLES


def count_listed() -> int:
    """Return the number of vehicles in the list on the screens."""
    return db.session.scalar(select(func.count(Vehicle.id)).where(ON_SCREENS)) or 0


def list_version(fleet_list: FleetList) -> int:
    """Return the version of the API's list, which may be the vans."""
    return sum(version_of(name) for name in version_names(fleet_list))


def version_names(fleet_list: FleetList) -> Sequence[FleetList]:
    """Return the lists that the API reads for a list, in the order of their locks."""
    both = (FleetList.VANS, FleetList.VEHICLES)
    return both if fleet_list is FleetList.VEHICLES else (FleetList.VANS,)


def all_vehicles(fleet_list: FleetList) -> Sequence[Vehicle]:
    """Return the vehicles of a list by registration."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list).order_by(Vehicle.reg_key)
    return db.session.execute(statement).scalars().all()


def plates(after: str = "", limit: int | None = None) -> Sequence[str]:
    """Return up to `limit` registrations on the screens in order, with keys after `after`."""
    statement = (
        select(Vehicle.reg)
        .where(ON_SCREENS, Vehicle.reg_key > after)
        .order_by(Vehicle.reg_key)
        .limit(limit)
    )
    return db.session.execute(statement).scalars().all()


def plate_keys(where: ColumnElement[bool]) -> Sequence[str]:
    """Return the keys of the registrations of the vehicles that meet a condition, in order."""
    statement = select(Vehicle.reg_key).where(where).order_by(Vehicle.reg_key)
    return db.session.execute(statement).scalars().all()


def get_vehicle(vehicle_id: int) -> Vehicle:
    """Return a vehicle of either list; raises NotFound."""
    return existing(db.session.get(Vehicle, vehicle_id), NO_SUCH_VEHICLE)


def find_vehicle(fleet_list: FleetList, reg: str) -> Vehicle | None:
    """Return the vehicle of a list with this registration, however it is written."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list, reg_key=plate_key(reg))
    return db.session.execute(statement).scalar_one_or_none()


def listed_id(reg_key: str) -> int | None:
    """Return the id of a listed vehicle, the first one's if both lists have it, or None."""
    is_listed = IN_LISTS, Vehicle.reg_key == reg_key
    return db.session.scalar(select(func.min(Vehicle.id)).where(*is_listed))


def stored_plate(reg_key: str) -> str | None:
    """Return a registration as the lists write it, None if it is in neither."""
    return stored_plates([reg_key]).get(reg_key)


@dataclass(frozen=True)
class RecordedVehicle:
    """A vehicle whose records are locked; one in no list has no `fleet_list`."""

    reg: str
    reg_key: str
    fleet_list: FleetList | None = None
    status: str = ""

    @property
    def is_listed(self) -> bool:
        """Return whether it is in a list."""
        return self.fleet_list is not None


def lock_vehicle(reg: str) -> RecordedVehicle:
    """Lock a vehicle's records, and return the vehicle, read once in a transaction."""
    key = plate_key(reg)
    vehicles: dict[str, RecordedVehicle] = db.session.info.setdefault("locked vehicles", {})
    if key not in vehicles:
        lock_records([key])
        columns = (Vehicle.reg, Vehicle.reg_key, Vehicle.fleet_list, Vehicle.status)
        statement = select(*columns).filter_by(reg_key=key).order_by(Vehicle.id).limit(1)
        row = db.session.execute(statement).one_or_none()
        vehicles[key] = RecordedVehicle(*row) if row else RecordedVehicle(clean_plate(reg), key)
    return vehicles[key]


def lock_records(reg_keys: Collection[str]) -> None:
    """Lock vehicles' checks and upkeep until the transaction ends, so that changes don't mix."""
    advisory_lock(*(f"checks of {key}" for key in sorted(set(reg_keys))))


def stored_plates(reg_keys: Collection[str]) -> Mapping[str, str]:
    """Return the listed registrations among these keys, as the lists write them."""
    found: dict[str, str] = {}
    listed = select(Vehicle.reg_key, Vehicle.reg).where(IN_LISTS).order_by(Vehicle.id)
    for key, reg in rows_with(listed, Vehicle.reg_key, reg_keys):
        found.setdefault(key, reg)
    return found


def last_plates(model: type[Any], limit: int) -> Sequence[str]:
    """Return up to `limit` registrations that have rows, each as its last row by day writes it."""
    keys = distinct_values(model.reg_key, limit=limit)
    of_key = select(model.reg).where(model.reg_key == keys.c.value)
    last = of_key.order_by(model.day.desc(), model.id.desc()).limit(1).scalar_subquery()
    statement = select(last).where(keys.c.value.is_not(None)).order_by(keys.c.value)
    return db.session.scalars(statement).all()


def vehicle_state(vehicle: Vehicle) -> VehicleState:
    """Return a vehicle's values for the rules."""
    return VehicleState(**{each.name: getattr(vehicle, each.name) for each in fields(VehicleState)})


def values_in_use(fleet_list: FleetList, name: str) -> Sequence[str]:
    """Return the texts that a list's vehicles have in a column, in alphabetical order."""
    of_list = [Vehicle.fleet_list == fleet_list]
    return Values(name=name, column=getattr(Vehicle, name)).in_use(of_list)


def classifications() -> Sequence[str]:
    """Return the classifications of the vehicles on the screens, in alphabetical order."""
    return values_in_use(current_list(), "classification")


ROWS_PER_PAGE = 25


def events_of(vehicle: Vehicle) -> Select[VehicleEvent]:
    """Return the statement of a vehicle's history, newest first."""
    return _events(fleet_list=vehicle.fleet_list, reg_key=vehicle.reg_key)


def event_page(events: Select[VehicleEvent], total: int, page: int) -> Page[Any]:
    """Return a page of the `total` events of a history, each with its `username`."""
    event = VehicleEvent
    columns = (event.at, event.status, event.location, event.check_id, User.username)
    rows = events.outerjoin(User, User.id == event.user_id).with_only_columns(*columns)

    def load(limit: int, offset: int) -> Sequence[Any]:
        return db.session.execute(rows.limit(limit).offset(offset)).all()

    return load_page(page, total=total, per_page=ROWS_PER_PAGE, load=load)


def last_event_before(vehicle: Vehicle, at: datetime) -> VehicleEvent | None:
    """Return a vehicle's last event at or before a time."""
    events = events_of(vehicle)
    return db.session.execute(events.where(VehicleEvent.at <= at).limit(1)).scalar_one_or_none()


def odometer_readings(reg_key: str, *, but: ColumnElement[bool]) -> Iterable[OdometerReading]:
    """Return the odometer at each check of a registration, oldest first, without `but`."""
    statement = select(Check.day, Check.odometer).filter_by(reg_key=reg_key).where(~but)
    return db.session.execute(statement.order_by(Check.day, Check.id))


def was_checked_after(reg_key: str, day: date) -> bool:
    """Return whether a registration has a check of a later day."""
    later = select(Check.id).where(Check.reg_key == reg_key, Check.day > day).limit(1)
    return db.session.execute(later).first() is not None


def van_history(limit: int | None = None, after_id: int = 0) -> Sequence[VehicleEvent]:
    """Return the history of all vans, newest first: up to `limit` rows after a row's id."""
    statement = _events(fleet_list=FleetList.VANS)
    if after_id:
        at = select(VehicleEvent.at).filter_by(id=after_id).scalar_subquery()
        position = tuple_(VehicleEvent.at, VehicleEvent.id)
        statement = statement.where(position < tuple_(at, after_id))
    return db.session.scalars(statement.limit(limit)).all()


def events_by_vehicle(fleet_list: FleetList) -> Mapping[str, Sequence[VehicleEvent]]:
    """Return the history of a list's vehicles by the registration's key, newest first."""
    events = db.session.scalars(_events(fleet_list=fleet_list))
    return grouped((event.reg_key, event) for event in events)


def _events(**values: Any) -> Select[VehicleEvent]:
    newest_first = (VehicleEvent.at.desc(), VehicleEvent.id.desc())
    return select(VehicleEvent).filter_by(**values).order_by(*newest_first)


_RECORDS = (
    "vehicle_check",
    "defect",
    "repair",
    "off_road",
    "odometer_reading",
    "due_item",
    "due_item_vehicle",
    "due_done",
)
"""The tables with records of vehicles, also of features above this one."""


def is_on_record(reg_key: str) -> bool:
    """Return whether a vehicle is in a list, or has rows from when it was."""
    listed = select(1).where(IN_LISTS, Vehicle.reg_key == reg_key)
    rows = [select(1).where(Base.metadata.tables[name].c.reg_key == reg_key) for name in _RECORDS]
    statement = select(or_(*(each.exists() for each in (listed, *rows))))
    return bool(db.session.execute(statement).scalar_one())


def vehicles_on_record() -> Sequence[str]:
    """Return the keys of all registrations with records of any kind."""
    found: set[str] = set()
    for name in _RECORDS:
        keys = select(distinct_values(Base.metadata.tables[name].c.reg_key).c.value)
        found |= {key for key in db.session.execute(keys).scalars() if key is not None}
    return sorted(found)
