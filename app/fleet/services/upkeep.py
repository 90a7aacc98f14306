"""Fleet's interface with upkeep, and the briefings made of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from flask import current_app
from sqlalchemy import ColumnElement

from app.fleet.models import Check, Vehicle
from app.fleet.queries.vehicles import current_list, plate_keys
from app.fleet.rules.findings import (
    AnsweredDefects,
    LastReading,
    OpenDefect,
    SightingAnswer,
    Standing,
)


@dataclass(frozen=True)
class Upkeep:
    """The functions of features above fleet that it calls, each in fleet's own transaction.

    Attributes:
        check_submitted: Opens or sees the defects of a check, and records its reading. Returns
            sentences for the sender, such as 'Stop: do not drive LK19 VTE. …'.
        check_answers: Returns the defects that a check of a vehicle answers about. Raises Invalid
            for a defect of another vehicle.
        open_defects: Returns the open defects by vehicle, the worst first; None means of all.
        due_notices: Returns the overdue and soon due items by vehicle; None means of all.
        last_readings: Returns the newest accepted reading by vehicle; None means of all.
        reading_before: Returns the newest accepted reading up to a check's day, without its own.
        is_odometer_unused: Returns the condition that a check's odometer waits or is void.
        standings: Returns whether vehicles may be used; one without a mapping may.
        is_off_road: Returns the condition that a vehicle is off the road now.
        vehicles_left: Closes the open records of vehicles that are in no list any more.
    """

    check_submitted: Callable[..., Sequence[str]]
    check_answers: Callable[[str, Mapping[int, SightingAnswer]], AnsweredDefects]
    open_defects: Callable[[Collection[str] | None], Mapping[str, Sequence[OpenDefect]]]
    due_notices: Callable[[Collection[str] | None], Mapping[str, Sequence[str]]]
    last_readings: Callable[[Collection[str] | None], Mapping[str, LastReading]]
    reading_before: Callable[[Check], LastReading | None]
    is_odometer_unused: Callable[[Any], ColumnElement[bool]]
    standings: Callable[[Collection[str]], Mapping[str, Standing]]
    is_off_road: Callable[[Any], ColumnElement[bool]]
    vehicles_left: Callable[..., None]


def upkeep() -> Upkeep:
    """Return the functions of the features above."""
    return cast(Upkeep, current_app.extensions["upkeep"])


@dataclass(frozen=True)
class Briefing:
    """A vehicle's last reading, due items, start of its time off the road, and open defects."""

    reading: LastReading | None = None
    notices: Sequence[str] = ()
    off_road_since: date | None = None
    defects: Sequence[OpenDefect] = ()


def briefing_of(reg_key: str) -> Briefing:
    """Return the briefing of a vehicle."""
    keys = [reg_key]
    standing = upkeep().standings(keys).get(reg_key)
    return Briefing(
        upkeep().last_readings(keys).get(reg_key),
        upkeep().due_notices(keys).get(reg_key, ()),
        standing.off_road_since if standing else None,
        upkeep().open_defects(keys).get(reg_key, ()),
    )


def briefings() -> Mapping[str, Briefing]:
    """Return the briefings of the current list's vehicles by key, without empty ones."""
    is_listed = Vehicle.fleet_list == current_list()
    readings, notices = upkeep().last_readings(None), upkeep().due_notices(None)
    defects = upkeep().open_defects(None)
    off_road = plate_keys(is_listed, upkeep().is_off_road(Vehicle.reg_key))
    standings = upkeep().standings(off_road) if off_road else {}
    found = {
        key: Briefing(
            readings.get(key),
            notices.get(key, ()),
            standings[key].off_road_since if key in standings else None,
            defects.get(key, ()),
        )
        for key in plate_keys(is_listed)
    }
    return {key: briefing for key, briefing in found.items() if briefing != Briefing()}
