"""The vehicles of a list: which list is shown, its pages, one vehicle, what is in use."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.db import db
from app.errors import NotFound
from app.fleet.models import Vehicle
from app.fleet.rules.plates import plate_key
from app.fleet.rules.vehicles import FleetList, VehicleState, matches
from app.paging import clamp_page
from app.versions import version_of

ROWS_PER_PAGE = 25


@dataclass(frozen=True)
class VehicleFilter:
    """What the list shows: words, one status, one classification."""

    search: str = ""
    status: str = ""
    classification: str = ""

    def __bool__(self) -> bool:
        return bool(self.search or self.status or self.classification)


@dataclass(frozen=True)
class VehiclePage:
    """Some vehicles of a list, by registration."""

    rows: Sequence[Vehicle]
    page: int
    pages: int
    total: int


class NoSuchVehicle(NotFound):
    """The vehicle doesn't exist, or no longer."""

    def __init__(self) -> None:
        super().__init__("There is no such vehicle.")


def shown_list() -> FleetList:
    """Return the list that the screens show: vehicles, or vans where there are none (seed §7)."""
    has_vehicles = db.session.execute(
        select(Vehicle.id).filter_by(fleet_list=FleetList.VEHICLES).limit(1)
    ).first()
    if has_vehicles:
        return FleetList.VEHICLES
    has_vans = db.session.execute(
        select(Vehicle.id).filter_by(fleet_list=FleetList.VANS).limit(1)
    ).first()
    return FleetList.VANS if has_vans else FleetList.VEHICLES


def list_version(fleet_list: FleetList) -> int:
    """Return the version of what a call of this list answers; vehicles may answer with vans."""
    return sum(version_of(name) for name in versions_of(fleet_list))


def versions_of(fleet_list: FleetList) -> Sequence[FleetList]:
    """Return the lists that a call of this list reads, in the order in which they are locked."""
    both = (FleetList.VANS, FleetList.VEHICLES)
    return both if fleet_list is FleetList.VEHICLES else (FleetList.VANS,)


def vehicle_page(fleet_list: FleetList, shown: VehicleFilter, page: int = 1) -> VehiclePage:
    """Return a page of the vehicles that a filter lets through; beyond the last is the last."""
    where = _where(fleet_list, shown)
    total = db.session.execute(select(func.count()).select_from(Vehicle).where(*where)).scalar_one()
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = (
        select(Vehicle)
        .where(*where)
        .order_by(Vehicle.reg_key)
        .limit(ROWS_PER_PAGE)
        .offset((page - 1) * ROWS_PER_PAGE)
    )
    return VehiclePage(db.session.execute(statement).scalars().all(), page, pages, total)


def all_vehicles(fleet_list: FleetList) -> Sequence[Vehicle]:
    """Return the vehicles of a list by registration."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list).order_by(Vehicle.reg_key)
    return db.session.execute(statement).scalars().all()


def vehicles_after(fleet_list: FleetList, after: str, limit: int) -> Sequence[Vehicle]:
    """Return some vehicles of a list, those whose key follows `after`."""
    statement = (
        select(Vehicle)
        .filter_by(fleet_list=fleet_list)
        .where(Vehicle.reg_key > after)
        .order_by(Vehicle.reg_key)
        .limit(limit)
    )
    return db.session.execute(statement).scalars().all()


def plates(fleet_list: FleetList) -> Sequence[str]:
    """Return the registrations of a list in their order."""
    statement = select(Vehicle.reg).filter_by(fleet_list=fleet_list).order_by(Vehicle.reg_key)
    return db.session.execute(statement).scalars().all()


def vehicle(vehicle_id: int) -> Vehicle:
    """Return a vehicle of either list; raises NotFound."""
    found = db.session.get(Vehicle, vehicle_id)
    if found is None:
        raise NoSuchVehicle
    return found


def vehicle_named(fleet_list: FleetList, reg: str) -> Vehicle | None:
    """Return the vehicle of a list that has this registration, by its key."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list, reg_key=plate_key(reg))
    return db.session.execute(statement).scalar_one_or_none()


def spelling_of(reg_key: str) -> str | None:
    """Return how a registration is written in the lists, None where they don't have it."""
    statement = select(Vehicle.reg).filter_by(reg_key=reg_key).order_by(Vehicle.id).limit(1)
    return db.session.execute(statement).scalar_one_or_none()


def state_of(found: Vehicle) -> VehicleState:
    """Return a vehicle as the rules see it."""
    return VehicleState(
        reg=found.reg,
        make=found.make,
        model=found.model,
        status=found.status,
        classification=found.classification,
        location=found.location,
        odometer=found.odometer,
        last_event_at=found.last_event_at,
    )


def statuses(fleet_list: FleetList) -> Sequence[str]:
    """Return the statuses in use, by name."""
    return _in_use(fleet_list, Vehicle.status)


def classifications(fleet_list: FleetList) -> Sequence[str]:
    """Return the classifications in use, by name."""
    return _in_use(fleet_list, Vehicle.classification)


def locations(fleet_list: FleetList) -> Sequence[str]:
    """Return the locations in use, by name."""
    return _in_use(fleet_list, Vehicle.location)


def _in_use(fleet_list: FleetList, column: InstrumentedAttribute[str]) -> Sequence[str]:
    statement = select(column).filter_by(fleet_list=fleet_list).where(column != "").distinct()
    return sorted(db.session.execute(statement).scalars(), key=names.key)


def _where(fleet_list: FleetList, shown: VehicleFilter) -> list[ColumnElement[bool]]:
    where = [Vehicle.fleet_list == fleet_list]
    if shown.status:
        where.append(Vehicle.status == shown.status)
    if shown.classification:
        where.append(Vehicle.classification == shown.classification)
    words = names.search_words(shown.search)
    if words:
        where.append(Vehicle.id.in_(_found(where, words)))
    return where


def _found(where: Sequence[ColumnElement[bool]], words: list[str]) -> Sequence[int]:
    """Return the vehicles that hold every word.

    Keys are made in Python alone, and only the registration's is stored; a fleet is small.
    """
    looked_at = (
        Vehicle.reg,
        Vehicle.make,
        Vehicle.model,
        Vehicle.location,
        Vehicle.classification,
    )
    rows = db.session.execute(select(Vehicle.id, *looked_at).where(*where))
    return [id_ for id_, *texts in rows if matches(words, *texts)]
