"""Rules of vehicles and their plates, and the names of the lists' versions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from app import names
from app.errors import Invalid
from app.fields import Text, attribute, fields_of

MAX_PLATE_LENGTH = 20

MAX_PLATES = 300
"""The most registrations that a form or filter offers; where there are more, they are typed."""

PLATE_REQUIRED = "Vehicle number plate is required."


def clean_plate(text: str) -> str:
    """Return a registration upper-case with single spaces; raises Invalid if empty or too long."""
    # Upper-casing can lengthen a text ('ß' becomes 'SS'), so the limit applies to the result.
    plate = names.clean(text.upper(), limit=MAX_PLATE_LENGTH, what="Number plate")
    plate = " ".join(plate.split())
    if not plate:
        raise Invalid(PLATE_REQUIRED, "reg")
    return plate


def describe_missing(plate: str) -> str:
    """Return that no list has a vehicle with a registration."""
    return f"There is no vehicle {plate}."


def plate_key(plate: str) -> str:
    """Return the key that equal registrations share; it ignores spaces and case."""
    return names.key(plate).replace(" ", "")


MAKE = Text(name="make", limit=60, example="Ford")
MODEL = Text(name="model", limit=60, example="Transit")
STATUS = Text(name="status", limit=40, example="Available")
CLASSIFICATION = Text(name="classification", limit=60, example="Van")
LOCATION = Text(
    name="location", json="currentLocation", aliases=("location",), limit=100, example="Depot"
)

UNKNOWN_STATUS = "Unknown"
IN_REPAIR = "In repair"
OFF_THE_ROAD = "Off the road"
AVAILABLE = "Available"
IN_USE = "In use"
STATUSES = (AVAILABLE, IN_USE, IN_REPAIR, OFF_THE_ROAD, UNKNOWN_STATUS)
"""The statuses that forms suggest besides the used ones; any other text is allowed."""
OTHER_STATUS = "Other"
"""The total of all statuses that aren't among STATUSES."""

_ON_THE_ROAD = {names.key(AVAILABLE), names.key(IN_USE)}
_TONES = {names.key(OFF_THE_ROAD): "bad", names.key(IN_REPAIR): "warn"}


class FleetList(StrEnum):
    """The two lists of the API; the screens show the vans when there are no vehicles."""

    VEHICLES = "vehicles"
    VANS = "vans"


@dataclass(frozen=True)
class VehicleState:
    """The values of a vehicle; None means not given, `last_event_at` is in UTC."""

    reg: str
    make: str | None = attribute(MAKE, default=None)
    model: str | None = attribute(MODEL, default=None)
    status: str | None = attribute(STATUS, default=None)
    classification: str | None = attribute(CLASSIFICATION, default=None)
    location: str | None = attribute(LOCATION, default=None)
    odometer: int | None = None
    last_event_at: datetime | None = None


@dataclass(frozen=True)
class StatusTotal:
    """The number of vehicles that have a status."""

    status: str
    vehicles: int
    is_off_the_road: bool


def merge_state(new: VehicleState, current: VehicleState | None = None) -> VehicleState:
    """Return a vehicle's state after an edit; values that aren't given stay as they were.

    Files and JSON carry whole seconds, so the current moment without its fraction is no change.
    """
    empty: dict[str, Any] = dict.fromkeys(fields_of(VehicleState), "")
    old = current or VehicleState(new.reg, **empty)
    given = {name: value for name, value in vars(new).items() if value is not None}
    if old.last_event_at and new.last_event_at == old.last_event_at.replace(microsecond=0):
        del given["last_event_at"]
    merged = replace(old, **given)
    return replace(merged, status=merged.status or UNKNOWN_STATUS)


def needs_event(after: VehicleState, before: VehicleState | None) -> bool:
    """Return whether the status or location changed, or a new vehicle's is given."""
    if before is None:
        return bool(after.location) or after.status != UNKNOWN_STATUS
    return (after.status, after.location) != (before.status, before.location)


def set_event_time(after: VehicleState, before: VehicleState | None, now: datetime) -> VehicleState:
    """Return the state with the time of its event, by default now."""
    is_given = before is None or after.last_event_at != before.last_event_at
    return replace(after, last_event_at=(is_given and after.last_event_at) or now)


def status_tone(status: str) -> str:
    """Return the CSS class of a status badge: 'bad' off the road, 'warn' in repair, else ''."""
    return _TONES.get(names.key(status), "")


def statuses(status: str, *, is_off_road: bool) -> Sequence[str]:
    """Return what is shown as a vehicle's status; one that is off the road isn't also in use."""
    key = names.key(status)
    if not is_off_road or key == names.key(OFF_THE_ROAD):
        return [status]
    return [OFF_THE_ROAD] if key in _ON_THE_ROAD else [status, OFF_THE_ROAD]


def total_by_status(counts: Iterable[tuple[str, int]]) -> Sequence[StatusTotal]:
    """Return the vehicles per status in the order of STATUSES, all others as OTHER_STATUS."""
    standard = {names.key(status): status for status in STATUSES}
    totals: Counter[str] = Counter()
    for status, vehicles in counts:
        totals[standard.get(names.key(status), OTHER_STATUS)] += vehicles
    return [
        StatusTotal(status, totals[status], is_off_the_road=status == OFF_THE_ROAD)
        for status in (*STATUSES, OTHER_STATUS)
        if totals[status]
    ]


def searched_keys(reg: str, *texts: str) -> list[str]:
    """Return the keys that a search looks in; a registration is found with and without spaces."""
    return [names.key(reg), plate_key(reg), *map(names.key, texts)]


CHECKS = "checks"
CHECK_TEMPLATES = "check-templates"
VAN_HISTORY = "van-history"

UPKEEP, BOOKINGS = "upkeep", "bookings"
"""The versions of all data of upkeep, and of bookings, on which fleet's pages depend, too."""

ALL_DATA = (*FleetList, VAN_HISTORY, CHECKS, UPKEEP, BOOKINGS)
