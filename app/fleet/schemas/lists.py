"""The lists of vehicles, vans and checks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, func, select

from app.accounts import queries as accounts
from app.day_counts import Days
from app.db import db
from app.fleet.models import IS_FLAGGED, Check, CheckPhoto, Vehicle
from app.fleet.queries import checks
from app.fleet.queries import vehicles as queries
from app.fleet.queries.checks import CheckRow, checks_lists
from app.fleet.rules.findings import Standing
from app.fleet.rules.vehicles import CHECKS, UPKEEP, FleetList, plate_key
from app.fleet.schemas.vehicles import VEHICLE_FILE
from app.fleet.services.upkeep import upkeep
from app.records.filters import Matching, OnDays, OneOf, Search, Values
from app.records.record import Column, Query, Record
from app.sorting import SortKind, SortOrder
from app.versions import version_of, versions_of

VehicleRow = tuple[Vehicle, Standing]


def _with_standings(vehicles: Sequence[Vehicle]) -> Sequence[VehicleRow]:
    standings = upkeep().standings([vehicle.reg_key for vehicle in vehicles])
    return [(vehicle, standings.get(vehicle.reg_key, Standing())) for vehicle in vehicles]


def _used(name: str, plural: str, example: str) -> Values:
    return Values(
        name=name,
        label=name.capitalize(),
        none=f"All {plural}",
        description=f"A {name}, written as vehicles have it",
        example=example,
        column=getattr(Vehicle, name),
    )


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
        _used("status", "Statuses", "In use"),
        _used("classification", "Classifications", "Van"),
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
    order=[Vehicle.reg_key],
    default=SortOrder("reg"),
    key=Vehicle.reg_key,
)


def _page_rows(vehicles: Select[*tuple[Any, ...]]) -> Sequence[Any]:
    texts = (Vehicle.reg, Vehicle.make, Vehicle.model, Vehicle.classification, Vehicle.location)
    is_off = upkeep().is_off_road(Vehicle.reg_key).label("is_off")
    columns = (Vehicle.id, *texts, Vehicle.status, Vehicle.last_event_at, is_off)
    return db.session.execute(vehicles.with_only_columns(*columns)).all()


VEHICLE_PAGE = replace(
    VEHICLE_LIST,
    version=lambda: tuple(versions_of((*FleetList, UPKEEP))),
    read=_page_rows,
    rows=lambda rows: rows,
    file=VEHICLE_FILE,
)
"""The list on the screens, with what its rows show."""

VAN_LIST = replace(
    VEHICLE_LIST,
    name="van",
    plural="vans",
    list_name=FleetList.VANS,
    scope=lambda: [Vehicle.fleet_list == FleetList.VANS],
)

_LAST_PHOTO = (
    select(func.max(CheckPhoto.position)).where(CheckPhoto.check_id == Check.id).scalar_subquery()
)


def _number(name: str, heading: str, by: Any, css_class: str = "num") -> Column[Any]:
    return Column(name, heading=heading, css_class=css_class, by=[by], kind=SortKind.NUMBER)


_IS_REVIEWED = Check.reviewed_at.is_not(None)
_REVIEWS = {"unreviewed": "Unreviewed", "reviewed": "Reviewed"}
_NO_CHOICE = 'There is no choice "{}" of %s.'


def _counted_days(query: Query) -> Days | None:
    """Return the days that count the checks of a query; words and plates aren't counted."""
    if not query.parsed.keys().isdisjoint({"q", "vehicle"}):
        return None
    review = query.parsed.get("review")
    lists = checks_lists(
        flagged=[True] if "flags" in query.parsed else [True, False],
        reviewed=[state == "reviewed" for state in _REVIEWS if review in (None, state)],
    )
    return Days(lists, *query.days)


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
            refusal=_NO_CHOICE % "flags",
        ),
        OneOf(
            name="review",
            choices=_REVIEWS,
            conditions=lambda state: [_IS_REVIEWED if state == "reviewed" else ~_IS_REVIEWED],
            description="Whether it has been reviewed",
            example="unreviewed",
            refusal=_NO_CHOICE % "review",
        ),
    ],
    columns=[
        Column("date", heading="Date", by=[Check.day], kind=SortKind.DAY, indexed=True),
        Column("reg", heading="Reg", by=[Check.reg_key]),
        _number("odometer", "Odometer", Check.odometer),
        Column("by", heading="Submitted by", by=[accounts.username_of(Check.submitted_by)]),
        Column("notes", heading="Notes", by=[Check.notes]),
        _number("photos", "Photos", func.coalesce(_LAST_PHOTO, -1)),
        _number("cost", "Repair/Expense", Check.cost, "num wide"),
        Column(
            "flags",
            heading="Flags",
            by=[Check.has_damage, Check.odometer_fell, Check.cost],
            kind=SortKind.FLAG,
        ),
        Column(
            "unreviewed",
            heading="Review",
            css_class="acts",
            by=[_IS_REVIEWED],
            kind=SortKind.STATE,
            # Each state has its order in an index, the two together have none.
            parts=("review", list(_REVIEWS)),
        ),
    ],
    order=[Check.day.desc(), Check.id.desc()],
    default=SortOrder("date", descending=True),
    key=Check.id,
    newest_first=True,
    call_by=Check.day,
    per_page=20,
    days=_counted_days,
    is_capped=True,
)
