"""The lists of vehicles, vans and checks."""

from collections.abc import Sequence
from dataclasses import replace

from app.fleet.models import IS_FLAGGED, Check, Vehicle
from app.fleet.queries import checks
from app.fleet.queries import vehicles as queries
from app.fleet.queries.check_values import SORTED_BY
from app.fleet.queries.checks import CheckRow, ReviewState
from app.fleet.rules.findings import Standing
from app.fleet.rules.sorting import CHECK_ORDERS, UNREVIEWED
from app.fleet.rules.vehicles import CHECKS, UPKEEP, FleetList, plate_key
from app.fleet.services.upkeep import upkeep
from app.records.filters import Matching, OnDays, OneOf, Search, Values
from app.records.record import Column, Record, sort_columns
from app.sorting import SortColumns, SortKind, SortOrder
from app.versions import version_of

VehicleRow = tuple[Vehicle, Standing]


def _with_standings(vehicles: Sequence[Vehicle]) -> Sequence[VehicleRow]:
    standings = upkeep().standings([vehicle.reg_key for vehicle in vehicles])
    return [(vehicle, standings.get(vehicle.reg_key, Standing())) for vehicle in vehicles]


VEHICLE_LIST = Record[VehicleRow](
    name="vehicle",
    plural="vehicles",
    list_name=FleetList.VEHICLES,
    version=lambda: (queries.list_version(FleetList.VEHICLES), version_of(UPKEEP)),
    model=Vehicle,
    scope=lambda: [Vehicle.fleet_list == queries.current_list()],
    rows=_with_standings,
    filters=[
        Search(column=Vehicle.search_key, example="transit"),
        Values(
            name="status",
            label="Status",
            none="All Statuses",
            description="A status, written as vehicles have it",
            example="In use",
            column=Vehicle.status,
        ),
        Values(
            name="classification",
            label="Classification",
            none="All Classifications",
            description="A classification, written as vehicles have it",
            example="Van",
            column=Vehicle.classification,
        ),
        OneOf(
            name="road",
            label="On or off the road",
            none="On and off the road",
            choices={"off": "Off the road"},
            conditions=lambda _: [upkeep().is_off_road(Vehicle.reg_key)],
            description="off: vehicles that are off the road",
            example="off",
        ),
    ],
    columns=[
        Column("reg", heading="Reg", by=[Vehicle.reg_key], indexed=True),
        Column("make", heading="Make / Model", by=[Vehicle.make, Vehicle.model]),
        Column(
            "classification", heading="Classification", by=[Vehicle.classification], indexed=True
        ),
        Column("status", heading="Status", by=[Vehicle.status], indexed=True),
        Column("location", heading="Location", by=[Vehicle.location], indexed=True),
        Column("update", heading="Last Update", by=[Vehicle.last_event_at], kind=SortKind.DAY),
    ],
    listed=["reg", "make", "classification", "status", "location", "update"],
    order=[Vehicle.reg_key],
    default=SortOrder("reg"),
    key=Vehicle.reg_key,
)

VAN_LIST = replace(
    VEHICLE_LIST,
    name="van",
    plural="vans",
    list_name=FleetList.VANS,
    scope=lambda: [Vehicle.fleet_list == FleetList.VANS],
)

_IS_REVIEWED = Check.reviewed_at.is_not(None)

# Each state has its order in an index, the two together have none.
_REVIEW = replace(CHECK_ORDERS.columns[UNREVIEWED], indexed=False)
_ORDERS = SortColumns({**CHECK_ORDERS.columns, UNREVIEWED: _REVIEW}, CHECK_ORDERS.default)

CHECK_LIST = Record[CheckRow](
    name="check",
    plural="checks",
    list_name=CHECKS,
    model=Check,
    rows=checks.rows_of,
    stream=checks.stream_checks,
    filters=[
        Search(column=Check.search_key, example="lk19vte"),
        Matching(
            name="vehicle",
            description="A registration",
            example="LK19 VTE",
            conditions=lambda plate, _: [Check.reg_key == plate_key(plate)],
        ),
        OnDays(column=Check.day),
        OneOf(
            name="flags",
            choices={"flagged": "Flagged"},
            conditions=lambda _: [IS_FLAGGED],
            description="flagged: checks with damage, a cost, or a mileage that fell",
            example="flagged",
        ),
        OneOf(
            name="review",
            choices={"unreviewed": "Unreviewed", "reviewed": "Reviewed"},
            conditions=lambda state: [
                ~_IS_REVIEWED if state == ReviewState.UNREVIEWED else _IS_REVIEWED
            ],
            description="Whether it has been reviewed",
            example="unreviewed",
        ),
    ],
    columns=sort_columns(_ORDERS, {"date": [Check.day], **SORTED_BY, UNREVIEWED: [_IS_REVIEWED]}),
    listed=list(_ORDERS.columns),
    order=[Check.day.desc(), Check.id.desc()],
    default=CHECK_ORDERS.default,
    key=Check.id,
    newest_first=True,
    call_by=Check.day,
)
