"""What a vehicle is, and what of it is news; pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from app import names
from app.fleet.rules.plates import plate_key

LONGEST_MAKE = 60
LONGEST_STATUS = 40
LONGEST_CLASSIFICATION = 60
LONGEST_LOCATION = 100

UNKNOWN_STATUS = "Unknown"
IN_REPAIR = "In repair"
OFF_THE_ROAD = "Off the road"
STATUSES = ("Available", "In use", IN_REPAIR, OFF_THE_ROAD, UNKNOWN_STATUS)
"""What the screens offer beside the statuses that are in use; any other text may be given."""
OTHER_STATUS = "Other"
"""All statuses that the screens don't offer, together."""

_TONES = {names.key(OFF_THE_ROAD): "bad", names.key(IN_REPAIR): "warn"}


class FleetList(StrEnum):
    """The two lists of the seed's calls; the screens show vans where there are no vehicles."""

    VEHICLES = "vehicles"
    VANS = "vans"


@dataclass(frozen=True)
class VehicleState:
    """What somebody says of a vehicle; None says nothing."""

    reg: str
    make: str | None = None
    model: str | None = None
    status: str | None = None
    classification: str | None = None
    location: str | None = None
    odometer: int | None = None
    last_event_at: datetime | None = None


@dataclass(frozen=True)
class StatusTotal:
    """How many vehicles have a status."""

    status: str
    vehicles: int
    is_off_the_road: bool


def settled(told: VehicleState, before: VehicleState | None = None) -> VehicleState:
    """Return what a vehicle is once it was told of; what isn't told stays as it was.

    A moment that is the known one to the second is no other one: files and JSON hold seconds.
    """
    known = before or VehicleState(told.reg)

    def text(new: str | None, old: str | None) -> str:
        return (old or "") if new is None else new

    at, last = told.last_event_at, known.last_event_at
    is_another = at is not None and (last is None or at != last.replace(microsecond=0))
    return VehicleState(
        reg=told.reg,
        make=text(told.make, known.make),
        model=text(told.model, known.model),
        status=text(told.status, known.status) or UNKNOWN_STATUS,
        classification=text(told.classification, known.classification),
        location=text(told.location, known.location),
        odometer=known.odometer if told.odometer is None else told.odometer,
        last_event_at=at if is_another else last,
    )


def is_news(after: VehicleState, before: VehicleState | None) -> bool:
    """Tell whether status or location have changed; of a new vehicle, whether one is known."""
    if before is None:
        return bool(after.location) or after.status != UNKNOWN_STATUS
    return (after.status, after.location) != (before.status, before.location)


def happened(after: VehicleState, before: VehicleState | None, now: datetime) -> VehicleState:
    """Return the state with the moment of its news, which is now where no other one was told."""
    is_told = before is None or after.last_event_at != before.last_event_at
    return replace(after, last_event_at=(is_told and after.last_event_at) or now)


def tone(status: str) -> str:
    """Return how a status stands out: 'bad' off the road, 'warn' in repair, '' otherwise."""
    return _TONES.get(names.key(status), "")


def total_by_status(counts: Iterable[tuple[str, int]]) -> Sequence[StatusTotal]:
    """Add up vehicles by status, those that the screens offer first; all others are one."""
    offered = {names.key(status): status for status in STATUSES}
    totals: Counter[str] = Counter()
    for status, vehicles in counts:
        totals[offered.get(names.key(status), OTHER_STATUS)] += vehicles
    return [
        StatusTotal(status, totals[status], is_off_the_road=status == OFF_THE_ROAD)
        for status in (*STATUSES, OTHER_STATUS)
        if totals[status]
    ]


def matches(search: list[str], *texts: str) -> bool:
    """Tell whether every word of a search stands in one of the texts, the registration first.

    The words are keys; a registration is found with its spaces and without.
    """
    reg, *others = texts
    keys = [names.key(reg), plate_key(reg), *(names.key(text) for text in others)]
    return all(any(word in key for key in keys) for word in search)
