"""The two lists of vehicles: the current one, its pages and single vehicles."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.cache import cached
from app.db import advisory_lock, db, table_of
from app.errors import NotFound
from app.fleet.models import Vehicle
from app.fleet.rules.plates import clean_plate, plate_key
from app.fleet.rules.sorting import VEHICLE_ORDERS
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.lists import rows_with
from app.paging import Page, Part, load_page
from app.search import Matches, contains_words, distinct_values, find_matches
from app.sorted_rows import sorted_part
from app.sorting import SortOrder
from app.versions import version_of

ROWS_PER_PAGE = 25

IN_LISTS = Vehicle.fleet_list.in_(list(FleetList))
"""The condition of every vehicle, by which an index finds registrations."""

_INDEXED = {
    "classification": [Vehicle.classification],
    "status": [Vehicle.status],
    "location": [Vehicle.location],
}
_UNINDEXED: Mapping[str, Sequence[InstrumentedAttribute[Any]]] = {
    "make": [Vehicle.make, Vehicle.model],
    "update": [Vehicle.last_event_at],
}


@dataclass(frozen=True)
class VehicleFilters:
    """The filters of the list; '' matches every vehicle, and so does no condition.

    `only` is a condition of the feature that knows more of vehicles.
    """

    search: str = ""
    status: str = ""
    classification: str = ""
    only: ColumnElement[bool] | None = None


class NoSuchVehicle(NotFound):
    """The vehicle doesn't exist or was removed."""

    def __init__(self) -> None:
        super().__init__("There is no such vehicle. Load the list again.")


def current_list() -> FleetList:
    """Return the list on the screens: the vehicles, or the vans if there are none."""
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
    """Return the version of the API's list, which may be the vans."""
    return sum(version_of(name) for name in version_names(fleet_list))


def version_names(fleet_list: FleetList) -> Sequence[FleetList]:
    """Return the lists that the API reads for a list, in the order of their locks."""
    both = (FleetList.VANS, FleetList.VEHICLES)
    return both if fleet_list is FleetList.VEHICLES else (FleetList.VANS,)


def vehicle_page(
    fleet_list: FleetList,
    filters: VehicleFilters,
    page: int = 1,
    order: SortOrder = VEHICLE_ORDERS.default,
) -> Page[Vehicle]:
    """Return a page of the vehicles that match the filters, by registration without an order."""
    statement = select(Vehicle).order_by(*_order_by(order))
    if filters.search.strip():
        found = find_matches(
            statement,
            Vehicle.id,
            lambda by_row: _conditions(fleet_list, filters, by_row=by_row),
        )
    else:
        found = _filtered(statement, fleet_list, filters)
    part = Part(found.total, lambda limit, offset: _load(found.part(limit, offset)))
    usable = VEHICLE_ORDERS.usable(order, found.total)
    if usable.by in _UNINDEXED:
        columns = _UNINDEXED[usable.by]
        values = found.statement.with_only_columns(Vehicle.id, *columns).where(*found.where)
        part = sorted_part(
            found.total,
            values,
            usable,
            lambda ids: _load(select(Vehicle).where(Vehicle.id.in_(ids))),
        )
    return load_page(page, total=found.total, per_page=ROWS_PER_PAGE, load=part.load)


def all_vehicles(fleet_list: FleetList) -> Sequence[Vehicle]:
    """Return the vehicles of a list by registration."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list).order_by(Vehicle.reg_key)
    return db.session.execute(statement).scalars().all()


def vehicles_after(fleet_list: FleetList, reg_key: str, limit: int) -> Sequence[Vehicle]:
    """Return up to `limit` vehicles of a list with keys after `reg_key`."""
    statement = (
        select(Vehicle)
        .filter_by(fleet_list=fleet_list)
        .where(Vehicle.reg_key > reg_key)
        .order_by(Vehicle.reg_key)
        .limit(limit)
    )
    return db.session.execute(statement).scalars().all()


def plates(fleet_list: FleetList, after: str = "", limit: int | None = None) -> Sequence[str]:
    """Return up to `limit` registrations of a list in order, with keys after `after`."""
    statement = (
        select(Vehicle.reg)
        .filter_by(fleet_list=fleet_list)
        .where(Vehicle.reg_key > after)
        .order_by(Vehicle.reg_key)
        .limit(limit)
    )
    return db.session.execute(statement).scalars().all()


def plate_keys(
    fleet_list: FleetList,
    condition: Callable[[ColumnElement[str]], ColumnElement[bool]] | None = None,
) -> Sequence[str]:
    """Return the keys of a list's registrations that match a condition on the key."""
    statement = select(Vehicle.reg_key).filter_by(fleet_list=fleet_list)
    if condition:
        statement = statement.where(condition(table_of(Vehicle).c.reg_key))
    return db.session.execute(statement.order_by(Vehicle.reg_key)).scalars().all()


def get_vehicle(vehicle_id: int) -> Vehicle:
    """Return a vehicle of either list; raises NoSuchVehicle."""
    vehicle = db.session.get(Vehicle, vehicle_id)
    if vehicle is None:
        raise NoSuchVehicle
    return vehicle


def find_vehicle(fleet_list: FleetList, reg: str) -> Vehicle | None:
    """Return the vehicle of a list with this registration, however it is written."""
    statement = select(Vehicle).filter_by(fleet_list=fleet_list, reg_key=plate_key(reg))
    return db.session.execute(statement).scalar_one_or_none()


def registration_keys(*fleet_lists: FleetList) -> Sequence[str]:
    """Return the keys of the registrations in these lists."""
    statement = select(Vehicle.reg_key).where(Vehicle.fleet_list.in_(fleet_lists))
    return db.session.execute(statement).scalars().all()


def stored_plate(reg_key: str) -> str | None:
    """Return a registration as the lists write it, None if it is in neither."""
    statement = select(Vehicle.reg).filter_by(reg_key=reg_key).order_by(Vehicle.id).limit(1)
    return db.session.execute(statement).scalar_one_or_none()


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
    """Lock the records of a vehicle as `lock_records` does, and return the vehicle.

    It is read once in a transaction.
    """
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
    """Lock the checks and upkeep of vehicles until the transaction ends.

    So changes of one vehicle follow each other, and each sees the one before.
    """
    advisory_lock(*(f"checks of {key}" for key in sorted(set(reg_keys))))


def stored_plates(reg_keys: Collection[str]) -> Mapping[str, str]:
    """Return the listed registrations among these keys, as the lists write them."""
    found: dict[str, str] = {}
    listed = select(Vehicle.reg_key, Vehicle.reg).where(IN_LISTS).order_by(Vehicle.id)
    for key, reg in rows_with(listed, Vehicle.reg_key, reg_keys):
        found.setdefault(key, reg)
    return found


def vehicle_state(vehicle: Vehicle) -> VehicleState:
    """Return a vehicle's values for the rules."""
    return VehicleState(
        reg=vehicle.reg,
        make=vehicle.make,
        model=vehicle.model,
        status=vehicle.status,
        classification=vehicle.classification,
        location=vehicle.location,
        odometer=vehicle.odometer,
        last_event_at=vehicle.last_event_at,
    )


def statuses(fleet_list: FleetList) -> Sequence[str]:
    """Return the statuses in use, in alphabetical order."""
    return _values_in_use(fleet_list, Vehicle.status)


def classifications(fleet_list: FleetList) -> Sequence[str]:
    """Return the classifications in use, in alphabetical order."""
    return _values_in_use(fleet_list, Vehicle.classification)


def locations(fleet_list: FleetList) -> Sequence[str]:
    """Return the locations in use, in alphabetical order."""
    return _values_in_use(fleet_list, Vehicle.location)


def _order_by(order: SortOrder) -> Sequence[Any]:
    """Return the columns of an order, all in its direction, so that one index has both."""
    columns = [*_INDEXED.get(order.by, ()), Vehicle.reg_key]
    is_descending = order.descending and order.by not in _UNINDEXED
    return [column.desc() for column in columns] if is_descending else columns


def _load(statement: Select[*tuple[Any, ...]]) -> Sequence[Vehicle]:
    return db.session.execute(statement).scalars().all()


def _values_in_use(fleet_list: FleetList, column: InstrumentedAttribute[str]) -> Sequence[str]:
    found = distinct_values(column, Vehicle.fleet_list == fleet_list, column > "")
    statement = select(found.c.value).where(found.c.value.is_not(None))
    return sorted(db.session.execute(statement).scalars(), key=names.key)


def _filtered(
    statement: Select[Vehicle], fleet_list: FleetList, filters: VehicleFilters
) -> Matches:
    """Return the vehicles with a status and classification, possibly many."""
    conditions = _conditions(fleet_list, filters)

    def count() -> int:
        counted = select(func.count()).select_from(Vehicle).where(*conditions)
        return db.session.execute(counted).scalar_one()

    version = (fleet_list, version_of(fleet_list))
    if filters.only is not None:
        # It changes without the list.
        total = count()
    else:
        total = cached(version, count, "vehicles", filters.status, filters.classification)
    return Matches(total, statement, Vehicle.id, conditions)


def _conditions(
    fleet_list: FleetList, filters: VehicleFilters, *, by_row: bool = False
) -> list[ColumnElement[bool]]:
    conditions = [Vehicle.fleet_list == fleet_list]
    if filters.status:
        conditions.append(Vehicle.status == filters.status)
    if filters.classification:
        conditions.append(Vehicle.classification == filters.classification)
    if filters.only is not None:
        conditions.append(filters.only)
    return conditions + contains_words(Vehicle.search_key, filters.search, by_row=by_row)
