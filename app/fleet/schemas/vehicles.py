"""Vehicles and their history as JSON and as CSV."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, missing, validate
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.api import replies
from app.api.fields import (
    DAY_OR_MOMENT,
    FullMessage,
    JsonDay,
    JsonText,
    JsonWholeNumber,
    json_field,
    json_moment,
    parse_value,
)
from app.api.replies import Reply, reply_of
from app.api.schemas import Body, body_of
from app.errors import Invalid
from app.fields import Moment, aliases_of, fields_of
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import is_on_record
from app.fleet.rules.vehicles import (
    LOCATION,
    MAX_PLATE_LENGTH,
    PLATE_REQUIRED,
    STATUS,
    VehicleState,
    clean_plate,
    describe_missing,
    plate_key,
)
from app.fleet.services.vehicles import PastEvent
from app.money import MAX_AMOUNT
from app.records.filters import Conditions, Filter
from app.records.record import Column, columns_of
from app.tables.columns import Prepared
from app.tables.csv_files import Cells, Table, cell_reader, unescape

_FIELDS = fields_of(VehicleState)

PLATE_ALIASES = {"numberPlate": "reg"}
"""The other name of a registration in every body that has one."""

VEHICLE_ALIASES = {**PLATE_ALIASES, "lastUpdate": "lastEventAt", **aliases_of(_FIELDS.values())}
_READERS = {name: cell_reader(each) for name, each in _FIELDS.items()}

_LAST_EVENT = Moment(label="Last event", to_text=lambda at: json_moment(at) or "")

VEHICLE_FILE: Sequence[Column[Vehicle]] = (
    Column("reg", lambda vehicle: vehicle.reg, heading="Registration"),
    *columns_of(VehicleState, lambda vehicle: vehicle),
    Column("lastEventAt", attrgetter("last_event_at"), field=_LAST_EVENT),
)


PLATE = {"format": "one-line", "minLength": 1, "maxLength": MAX_PLATE_LENGTH, "example": "LK19 VTE"}


class Plate(fields.String):
    """A registration; it is stored upper-case with single spaces."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required,
            error_messages={"required": FullMessage(PLATE_REQUIRED)},
            metadata=PLATE,
        )

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        return parse_value(clean_plate, super()._deserialize(value, *args, **kwargs))


class PastMoment(JsonDay):
    """A time such as 2011-12-09T12:50:00Z, a London time or a day; not in the future."""

    documented: ClassVar = DAY_OR_MOMENT

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> datetime:
        if not isinstance(value, str):
            raise ValidationError("Must be a moment such as 2011-12-09T12:50:00Z.")
        moment: datetime = parse_value(dates.parse_moment, value)
        return moment


_IGNORED = {"description": "What a list says of upkeep is ignored when it is sent back"}


@body_of(VehicleState)
class VehicleBody(Body):
    """A vehicle of a list; missing fields become empty, but odometer and last event stay."""

    aliases: ClassVar = VEHICLE_ALIASES

    id = JsonWholeNumber(
        metadata={
            "description": "Given by the server; a list may be sent back with it",
            "example": 12,
        }
    )
    reg = Plate()
    status = json_field(replace(STATUS, description="Unknown when empty"))
    last_event_at = PastMoment(
        allow_none=True, load_default=None, metadata={"example": "2026-01-15T12:50:00Z"}
    )
    odometer = JsonWholeNumber(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MAX_AMOUNT),
        metadata={"example": 48210},
    )

    roadworthy = fields.Raw(load_default=None, metadata={**_IGNORED, "example": True})
    off_road_since = fields.Raw(load_default=None, metadata={**_IGNORED, "example": None})
    open_defects = fields.Raw(load_default=None, metadata={**_IGNORED, "example": 0})


_PRESENT = "As it is now when missing"


class EventBody(Body):
    """A past location and status of a van; the user is always the caller."""

    accepts_single: ClassVar = True
    state_type: ClassVar = PastEvent
    aliases: ClassVar = {**PLATE_ALIASES, "currentLocation": "location", "date": "at", "ts": "at"}

    reg = Plate()
    at = PastMoment(metadata={"description": "Now when missing", "example": "2026-01-15T12:50:00Z"})
    location = json_field(replace(LOCATION, description=_PRESENT), load_default=missing)
    status = json_field(replace(STATUS, description=_PRESENT), load_default=missing)


@reply_of(VehicleState)
class VehicleReply(Reply):
    """A vehicle of a list."""

    id = replies.number(12)
    reg = replies.text("LK19 VTE")
    last_event_at = replies.moment("2026-01-15T12:50:00Z", null=True)
    odometer = replies.number(48210, null=True, description="Miles")


class ListedVehicleReply(VehicleReply):
    """A vehicle of a list, and whether it may be used."""

    roadworthy = replies.flag(
        True, description="Not off the road, no stop defect open, and nothing that blocks overdue"
    )
    off_road_since = replies.day(None, null=True)
    open_defects = replies.number(0)


class EventReply(Reply):
    """A vehicle's location and status since a time."""

    at = replies.moment("2026-01-15T12:50:00Z")
    location = replies.text("Depot")
    status = replies.text("Available")


class VanEventReply(EventReply):
    """A van's location and status since a time."""

    id = replies.number(12)
    reg = replies.text("LK19 VTE")


class VehicleHistoryReply(Reply):
    """The history of one vehicle, newest first."""

    reg = replies.text("LK19 VTE")
    history = replies.rows(EventReply, example=[])


class FleetHistoryReply(Reply):
    """The history of all vehicles."""

    vehicles = replies.rows(VehicleHistoryReply, convert=list)


def read_vehicles(source: Prepared) -> list[VehicleState]:
    """Return the vehicles of a file, with None for columns it lacks. Raises FileErrors."""
    table = Table(source)
    states = [_vehicle(cells) for cells in table]
    table.check()
    return states


def read_plate(cells: Cells) -> str:
    """Return the registration of a row, '' for an invalid one."""
    plate: str = cells.read("reg", lambda text: clean_plate(unescape(text)), "")
    return plate


def _vehicle(cells: Cells) -> VehicleState:
    reg = read_plate(cells)
    cells.refuse_repeated("reg", reg, plate_key(reg))
    texts = {name: cells.read(each.json, _READERS[name]) for name, each in _FIELDS.items()}
    return VehicleState(reg, **texts, last_event_at=cells.read("lastEventAt", _LAST_EVENT.parse))


def vehicle_problem(vehicle: str) -> str:
    """Return the error in a typed registration, or ''; '' is right and filters nothing.

    A vehicle that left the lists is found as long as it has any record.
    """
    if not vehicle:
        return ""
    try:
        reg = clean_plate(vehicle)
    except Invalid as error:
        return error.message
    if is_on_record(plate_key(reg)):
        return ""
    return f"{describe_missing(reg)} Check the number plate."


class VehicleFilter(JsonText):
    """A registration that narrows a list, read as its key; an empty one is refused.

    Who sends it by mistake would take what all vehicles have for that of one.
    """

    def __init__(self, otherwise: str = "all vehicles") -> None:
        metadata = {"description": f"A registration; {otherwise} if missing", "minLength": 1}
        super().__init__(limit=MAX_PLATE_LENGTH, what="Vehicle", load_default="", metadata=metadata)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        key = plate_key(super()._deserialize(value, *args, **kwargs))
        if not key:
            raise ValidationError(FullMessage("Enter a registration, or leave vehicle out."))
        return key


@dataclass(frozen=True, kw_only=True)
class OfVehicle(Filter):
    """A registration; on the list's page, of a vehicle with anything on record."""

    control = "vehicle"

    name: str = "vehicle"
    label: str = "Vehicle"
    column: InstrumentedAttribute[str]
    parameter: Any = field(default_factory=VehicleFilter)

    def check(self, value: str) -> str:
        """Return the error in a typed registration, or ''."""
        return vehicle_problem(value)

    def where(self, value: str, *, by_row: bool = False) -> Conditions:  # noqa: ARG002
        """Return the condition that a row is about the vehicle."""
        return [self.column == plate_key(value)]
