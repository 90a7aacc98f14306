"""Vehicles and their history as JSON and as CSV."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app import dates
from app.api.fields import DAY_OR_MOMENT, Text, WholeNumber
from app.api.schemas import Body, Reply
from app.errors import Invalid
from app.fleet.models import Vehicle
from app.fleet.queries.vehicle_history import VehicleEventRow
from app.fleet.rules.plates import MAX_PLATE_LENGTH, PLATE_REQUIRED, clean_plate, plate_key
from app.fleet.rules.vehicles import (
    MAX_CLASSIFICATION_LENGTH,
    MAX_LOCATION_LENGTH,
    MAX_MAKE_LENGTH,
    MAX_STATUS_LENGTH,
    VehicleState,
)
from app.fleet.services.vehicles import PastEvent
from app.money import MAX_AMOUNT
from app.tables.csv_files import Cells, Table, escape, text_of, unescape

_TEXTS = {
    "make": ("Make", MAX_MAKE_LENGTH),
    "model": ("Model", MAX_MAKE_LENGTH),
    "status": ("Status", MAX_STATUS_LENGTH),
    "classification": ("Classification", MAX_CLASSIFICATION_LENGTH),
    "currentLocation": ("Location", MAX_LOCATION_LENGTH),
}
VEHICLE_COLUMNS = ("reg", *_TEXTS, "lastEventAt")

_TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_ALIASES = {"numberPlate": "reg", "location": "currentLocation", "lastUpdate": "lastEventAt"}


class Plate(fields.String):
    """A registration; it is stored upper-case with single spaces."""

    def __init__(self) -> None:
        super().__init__(
            required=True,
            error_messages={"required": PLATE_REQUIRED},
            metadata={
                "format": "one-line",
                "minLength": 1,
                "maxLength": MAX_PLATE_LENGTH,
                "example": "LK19 VTE",
            },
        )

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            return clean_plate(text)
        except Invalid as error:
            raise ValidationError(error.message) from None


class PastMoment(fields.Field[datetime]):
    """A time such as 2011-12-09T12:50:00Z, a London time or a day; not in the future."""

    def __init__(self, **options: Any) -> None:
        documented = {"type": "string", **DAY_OR_MOMENT}
        options["metadata"] = {**documented, **options.get("metadata", {})}
        super().__init__(**options)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> datetime:
        if not isinstance(value, str):
            raise ValidationError("Must be a moment such as 2011-12-09T12:50:00Z.")
        try:
            return dates.parse_moment(value)
        except Invalid as error:
            raise ValidationError(error.message) from None


def _text(name: str, **options: Any) -> Text:
    what, limit = _TEXTS[name]
    return Text(limit=limit, what=what, **options)


class VehicleBody(Body):
    """A vehicle of a list; missing fields become empty, but odometer and last event stay."""

    aliases: ClassVar = _ALIASES

    id = WholeNumber(
        metadata={"description": "Given by the server; a list may be sent back with it"}
    )
    reg = Plate()
    make = _text("make", load_default="")
    model = _text("model", load_default="")
    status = _text("status", load_default="", metadata={"description": "Unknown when empty"})
    classification = _text("classification", load_default="")
    currentLocation = _text("currentLocation", load_default="")  # noqa: N815 (the API's name)
    lastEventAt = PastMoment(allow_none=True, load_default=None)  # noqa: N815 (the API's name)
    odometer = WholeNumber(
        allow_none=True, load_default=None, validate=validate.Range(0, MAX_AMOUNT)
    )

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> VehicleState:
        return VehicleState(
            reg=data["reg"],
            make=data["make"],
            model=data["model"],
            status=data["status"],
            classification=data["classification"],
            location=data["currentLocation"],
            odometer=data["odometer"],
            last_event_at=data["lastEventAt"],
        )


class EventBody(Body):
    """A past location and status of a van; the user is always the caller."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {
        "numberPlate": "reg",
        "currentLocation": "location",
        "date": "at",
        "ts": "at",
    }

    reg = Plate()
    at = PastMoment(metadata={"description": "Now when missing"})
    location = _text("currentLocation", metadata={"description": "As it is now when missing"})
    status = _text("status", metadata={"description": "As it is now when missing"})

    @post_load
    def _event(self, data: dict[str, Any], **_: Any) -> PastEvent:
        return PastEvent(**data)


class VehicleReply(Reply):
    """A vehicle of a list."""

    id = fields.Integer()
    reg = fields.String()
    make = fields.String()
    model = fields.String()
    status = fields.String()
    classification = fields.String()
    currentLocation = fields.String()  # noqa: N815 (the API's name)
    lastEventAt = fields.DateTime(allow_none=True)  # noqa: N815 (the API's name)
    odometer = fields.Integer(allow_none=True, metadata={"description": "Miles"})


class EventReply(Reply):
    """A vehicle's location and status since a time."""

    at = fields.String(metadata={"format": "date-time"})
    location = fields.String()
    status = fields.String()


class VanEventReply(EventReply):
    """A van's location and status since a time."""

    id = fields.Integer()
    reg = fields.String()


class VehicleHistoryReply(Reply):
    """The history of one vehicle, newest first."""

    reg = fields.String()
    history = fields.List(fields.Nested(EventReply))


class FleetHistoryReply(Reply):
    """The history of all vehicles."""

    vehicles = fields.List(fields.Nested(VehicleHistoryReply))


def vehicle_json(vehicle: Vehicle) -> dict[str, Any]:
    """Return a vehicle as JSON."""
    at = vehicle.last_event_at
    return {
        "id": vehicle.id,
        "reg": vehicle.reg,
        "make": vehicle.make,
        "model": vehicle.model,
        "status": vehicle.status,
        "classification": vehicle.classification,
        "currentLocation": vehicle.location,
        "lastEventAt": _format_time(at) if at else None,
        "odometer": vehicle.odometer,
    }


def event_json(event: VehicleEventRow) -> dict[str, Any]:
    """Return an event of a vehicle as JSON."""
    return {"at": _format_time(event.at), "location": event.location, "status": event.status}


def van_event_json(event: VehicleEventRow) -> dict[str, Any]:
    """Return an event of a van as JSON, with its registration."""
    return {"id": event.id, "reg": event.reg, **event_json(event)}


def read_vehicles(file: Path) -> list[VehicleState]:
    """Return the vehicles of a CSV file; values of missing columns are None.

    Raises FileErrors, which lists every problem with its row and column.
    """
    table = Table(file, VEHICLE_COLUMNS[:1], VEHICLE_COLUMNS[1:], aliases=_ALIASES)
    seen: dict[str, int] = {}
    states = [_vehicle(cells, seen) for cells in table]
    table.check()
    return states


def vehicle_rows(vehicles: Iterable[Vehicle]) -> Iterator[Sequence[str]]:
    """Yield vehicles as rows of a CSV file."""
    for vehicle in vehicles:
        texts = (
            vehicle.reg,
            vehicle.make,
            vehicle.model,
            vehicle.status,
            vehicle.classification,
            vehicle.location,
        )
        at = vehicle.last_event_at
        yield (*(escape(text) for text in texts), _format_time(at) if at else "")


def _vehicle(cells: Cells, seen: dict[str, int]) -> VehicleState:
    reg = cells.read("reg", lambda text: clean_plate(unescape(text)), "")
    key = plate_key(reg)
    if key and key in seen:
        cells.refuse("reg", f'"{reg}" stands in row {seen[key]} already')
    seen.setdefault(key, cells.line)
    texts = {name: cells.read(name, text_of(*what)) for name, what in _TEXTS.items()}
    return VehicleState(
        reg=reg,
        make=texts["make"],
        model=texts["model"],
        status=texts["status"],
        classification=texts["classification"],
        location=texts["currentLocation"],
        last_event_at=cells.read("lastEventAt", _parse_time),
    )


def _parse_time(text: str) -> datetime | None:
    return dates.parse_moment(text) if text.strip() else None


def _format_time(moment: datetime) -> str:
    return moment.strftime(_TIME_FORMAT)
