"""Vehicles as JSON and files hold them, under the seed's field names (seed §3, §7)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app import dates
from app.api.calls import Body, Reply
from app.api.fields import DAY_OR_MOMENT, Text, WholeNumber
from app.errors import Invalid
from app.fleet.models import Vehicle
from app.fleet.queries.vehicle_history import Event
from app.fleet.rules.plates import LONGEST_PLATE, PLATE_REQUIRED, clean_plate, plate_key
from app.fleet.rules.vehicles import (
    LONGEST_CLASSIFICATION,
    LONGEST_LOCATION,
    LONGEST_MAKE,
    LONGEST_STATUS,
    VehicleState,
)
from app.fleet.services.vehicles import PastEvent
from app.money import MAX_AMOUNT
from app.tables.csv_files import Cells, Table, escape, text_of, unescape

_TEXTS = {
    "make": ("Make", LONGEST_MAKE),
    "model": ("Model", LONGEST_MAKE),
    "status": ("Status", LONGEST_STATUS),
    "classification": ("Classification", LONGEST_CLASSIFICATION),
    "currentLocation": ("Location", LONGEST_LOCATION),
}
VEHICLE_COLUMNS = ("reg", *_TEXTS, "lastEventAt")

_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_NAMES = {"numberPlate": "reg", "location": "currentLocation", "lastUpdate": "lastEventAt"}


class Plate(fields.String):
    """A registration, written upper-case with single spaces."""

    def __init__(self) -> None:
        super().__init__(
            required=True,
            error_messages={"required": PLATE_REQUIRED},
            metadata={
                "format": "one-line",
                "minLength": 1,
                "maxLength": LONGEST_PLATE,
                "example": "LK19 VTE",
            },
        )

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            return clean_plate(text)
        except Invalid as error:
            raise ValidationError(error.message) from None


class Moment(fields.Field[datetime]):
    """A moment such as 2011-12-09T12:50:00Z, a London time or a day; not in the future."""

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
    """A vehicle of a list; what isn't told is empty, but odometer and last event stay."""

    aliases: ClassVar = _NAMES

    id = WholeNumber(
        metadata={"description": "Given by the server; a list may be sent back with it"}
    )
    reg = Plate()
    make = _text("make", load_default="")
    model = _text("model", load_default="")
    status = _text("status", load_default="", metadata={"description": "Unknown when empty"})
    classification = _text("classification", load_default="")
    currentLocation = _text("currentLocation", load_default="")  # noqa: N815 (the seed's name)
    lastEventAt = Moment(allow_none=True, load_default=None)  # noqa: N815 (the seed's name)
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
    """Where a van was and in which status: what and when, never who noted it."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {
        "numberPlate": "reg",
        "currentLocation": "location",
        "date": "at",
        "ts": "at",
    }

    reg = Plate()
    at = Moment(metadata={"description": "Now when missing"})
    location = _text("currentLocation", metadata={"description": "As it is now when missing"})
    status = _text("status", metadata={"description": "As it is now when missing"})

    @post_load
    def _event(self, data: dict[str, Any], **_: Any) -> PastEvent:
        return PastEvent(**data)


class VehicleReply(Reply):
    """A vehicle."""

    id = fields.Integer()
    reg = fields.String()
    make = fields.String()
    model = fields.String()
    status = fields.String()
    classification = fields.String()
    currentLocation = fields.String()  # noqa: N815 (the seed's name)
    lastEventAt = fields.DateTime(allow_none=True)  # noqa: N815 (the seed's name)
    odometer = fields.Integer(allow_none=True, metadata={"description": "Miles"})


class EventReply(Reply):
    """Where a vehicle was and in which status, since when."""

    at = fields.String(metadata={"format": "date-time"})
    location = fields.String()
    status = fields.String()


class VanEventReply(EventReply):
    """The same of a van that it names."""

    id = fields.Integer()
    reg = fields.String()


class VehicleHistoryReply(Reply):
    """What happened to one vehicle, newest first."""

    reg = fields.String()
    history = fields.List(fields.Nested(EventReply))


class FleetHistoryReply(Reply):
    """What happened to each vehicle."""

    vehicles = fields.List(fields.Nested(VehicleHistoryReply))


def vehicle_json(vehicle: Vehicle) -> dict[str, Any]:
    """Return a vehicle under the seed's names."""
    at = vehicle.last_event_at
    return {
        "id": vehicle.id,
        "reg": vehicle.reg,
        "make": vehicle.make,
        "model": vehicle.model,
        "status": vehicle.status,
        "classification": vehicle.classification,
        "currentLocation": vehicle.location,
        "lastEventAt": _written(at) if at else None,
        "odometer": vehicle.odometer,
    }


def event_json(event: Event) -> dict[str, Any]:
    """Return where a vehicle was, under the seed's names."""
    return {"at": _written(event.at), "location": event.location, "status": event.status}


def van_event_json(event: Event) -> dict[str, Any]:
    """Return where a van was, with its registration."""
    return {"id": event.id, "reg": event.reg, **event_json(event)}


def read_vehicles(file: Path) -> list[VehicleState]:
    """Return the vehicles of a file; a column that it lacks tells nothing.

    Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(file, VEHICLE_COLUMNS[:1], VEHICLE_COLUMNS[1:], aliases=_NAMES)
    seen: dict[str, int] = {}
    wanted = [_vehicle(cells, seen) for cells in table]
    table.check()
    return wanted


def vehicle_rows(vehicles: Iterable[Vehicle]) -> Iterator[Sequence[str]]:
    """Return vehicles as rows of a file."""
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
        yield (*(escape(text) for text in texts), _written(at) if at else "")


def _vehicle(cells: Cells, seen: dict[str, int]) -> VehicleState:
    reg = cells.read("reg", lambda text: clean_plate(unescape(text)), "")
    key = plate_key(reg)
    if key and key in seen:
        cells.refuse("reg", f'"{reg}" stands in row {seen[key]} already')
    seen.setdefault(key, cells.line)
    told = {name: cells.read(name, text_of(*what)) for name, what in _TEXTS.items()}
    return VehicleState(
        reg=reg,
        make=told["make"],
        model=told["model"],
        status=told["status"],
        classification=told["classification"],
        location=told["currentLocation"],
        last_event_at=cells.read("lastEventAt", _moment),
    )


def _moment(text: str) -> datetime | None:
    return dates.parse_moment(text) if text.strip() else None


def _written(moment: datetime) -> str:
    return moment.strftime(_FORMAT)
