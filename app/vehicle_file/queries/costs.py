"""The costs of vehicles: sums by month, kind and vehicle, and the rows behind them."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, String, Subquery, cast, func, null, select, union_all
from sqlalchemy.orm import aliased
from sqlalchemy.sql import bindparam

from app.db import db, stream_columns
from app.fleet.rules.vehicles import CHECKS, UPKEEP, FleetList
from app.mileage.models import OdometerReading
from app.mileage.queries import ACCEPTED
from app.paging import Page, load_page
from app.reference_numbers import ReferenceNumber, Series
from app.search import distinct_values
from app.sums import sum_of
from app.vehicle_file import rules
from app.vehicle_file.queries.cost_sources import DAYS, CostFilters, CostSource, cost_sources
from app.vehicle_file.rules import CostKind, MonthCost

ROWS_PER_PAGE = 50

VERSIONS = (CHECKS, UPKEEP, *FleetList)


class CostRow(NamedTuple):
    """One cost in pence of a repair, check or done item; of a shared item this vehicle's part."""

    reg: str
    reg_key: str
    day: date
    kind: CostKind
    source: CostSource
    source_id: int
    number: int | None
    text: str
    pence: int

    @property
    def reference(self) -> str:
        """Return the number of a repair as people say it, '' for anything else."""
        return "" if self.number is None else str(ReferenceNumber(Series.REPAIR, self.number))


class VehicleCost(NamedTuple):
    """The cost of a vehicle in pence, and its miles, None for too few."""

    reg: str
    reg_key: str
    pence: int
    miles: int | None

    @property
    def per_mile(self) -> float | None:
        """Return its cost of a mile in pence, None without enough miles."""
        return rules.pence_per_mile(self.pence, self.miles)


class CostReport(NamedTuple):
    """The costs of some days; that of a mile counts the `measured` vehicles with known miles."""

    months: Sequence[MonthCost]
    vehicles: Sequence[VehicleCost]
    miles: int
    measured: int
    measured_pence: int

    @property
    def pence(self) -> int:
        """Return the sum of all costs."""
        return sum(cost.pence for cost in self.months)

    @property
    def per_mile(self) -> float | None:
        """Return the cost of a mile in pence, None without enough miles."""
        return rules.pence_per_mile(self.measured_pence, self.miles or None)


def cost_report(filters: CostFilters) -> CostReport:
    """Return the costs that match the filters."""
    read = db.session.execute(_miles(bool(filters.reg_key)), vars(filters))
    miles = {key: rules.miles_driven(*oldest_and_newest) for key, *oldest_and_newest in read}
    rows = db.session.execute(_sums(cost_sources(filters)), vars(filters)).all()
    months = [
        MonthCost(date.fromisoformat(f"{row.month}-01"), CostKind(row.kind), int(row.pence))
        for row in sorted((row for row in rows if row.month), key=lambda row: row[:2])
    ]
    vehicles = [
        VehicleCost(row.reg, row.reg_key, int(row.pence), miles.get(row.reg_key))
        for row in sorted((row for row in rows if not row.month), key=lambda row: (-row[4], row[2]))
    ]
    driven = [number for number in miles.values() if number is not None]
    measured = sum(each.pence for each in vehicles if each.miles is not None)
    return CostReport(months, vehicles, sum(driven), len(driven), measured)


@lru_cache(maxsize=32)
def _sums(costs: Subquery) -> Any:
    """Return the sums by month and kind, and those by vehicle: the costs are read once for both."""
    month = func.substr(cast(costs.c.day, String), 1, len("2011-12")).label("month")
    by = (month, costs.c.kind, costs.c.reg_key)
    each = select(*by, func.max(costs.c.reg).label("reg"), sum_of(costs.c.pence).label("pence"))
    sums, none = each.group_by(*by).cte("sums"), cast(null(), String)
    of_month = (sums.c.month, sums.c.kind)
    pence = sum_of(sums.c.pence).label("pence")
    reg = func.max(sums.c.reg).label("reg")
    by_month = select(*of_month, none.label("reg_key"), none.label("reg"), pence)
    by_vehicle = select(none.label("month"), none.label("kind"), sums.c.reg_key, reg, pence)
    return union_all(by_month.group_by(*of_month), by_vehicle.group_by(sums.c.reg_key))


def cost_page(filters: CostFilters, page: int = 1) -> tuple[Page[CostRow], int]:
    """Return a page of the costs, newest first, and the sum of all of them in pence."""
    costs, values = cost_sources(filters), vars(filters)
    count = select(func.count(), sum_of(costs.c.pence)).select_from(costs)
    total, pence = db.session.execute(count, values).one()
    rows = _rows(costs)

    def load(limit: int, offset: int) -> Sequence[CostRow]:
        return [_row(row) for row in db.session.execute(rows.limit(limit).offset(offset), values)]

    return load_page(page, total=total, per_page=ROWS_PER_PAGE, load=load), int(pence)


def all_costs(filters: CostFilters) -> Iterator[CostRow]:
    """Stream the costs, newest first, in constant memory."""
    return map(_row, stream_columns(_rows(cost_sources(filters)).params(vars(filters))))


@cache
def _miles(of_vehicle: bool) -> Select[*tuple[Any, ...]]:
    """Return the miles of the days' oldest and newest accepted reading by vehicle."""
    # Looked up in their index, so that it costs the same however many readings there are.
    where = [OdometerReading.reg_key == bindparam("reg_key")] if of_vehicle else []
    key = distinct_values(OdometerReading.reg_key, *where).c.value
    found = select(
        key.label("reg_key"),
        _reading_id(key, newest=False).label("oldest"),
        _reading_id(key, newest=True).label("newest"),
    ).subquery()
    oldest, newest = aliased(OdometerReading), aliased(OdometerReading)
    return (
        select(found.c.reg_key, oldest.miles, newest.miles)
        .join(oldest, oldest.id == found.c.oldest)
        .join(newest, newest.id == found.c.newest)
    )


def _reading_id(key: ColumnElement[str], *, newest: bool) -> ColumnElement[int | None]:
    order = [OdometerReading.day, OdometerReading.miles, OdometerReading.id]
    return (
        select(OdometerReading.id)
        .where(OdometerReading.reg_key == key, OdometerReading.day.between(*DAYS), *ACCEPTED)
        .order_by(*(column.desc() if newest else column for column in order))
        .limit(1)
        .correlate_except(OdometerReading)
        .scalar_subquery()
    )


def _rows(costs: Subquery) -> Select[*tuple[Any, ...]]:
    return select(costs).order_by(costs.c.day.desc(), costs.c.source, costs.c.source_id.desc())


def _row(row: Any) -> CostRow:
    kind, source = CostKind(row.kind), CostSource(row.source)
    return CostRow(**{**row._mapping, "kind": kind, "source": source, "pence": int(row.pence)})
