"""Fleet's interface with upkeep, and the briefings made of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol, cast

from flask import current_app
from sqlalchemy import ColumnElement
from sqlalchemy.orm import InstrumentedAttribute

from app.fleet.models import Check
from app.fleet.queries.vehicles import current_list, plate_keys
from app.fleet.rules.findings import (
    AnsweredDefects,
    Findings,
    LastReading,
    OpenDefect,
    SightingAnswer,
    Standing,
)


class Upkeep(Protocol):
    """The functions of app/upkeep/connection.py that fleet calls."""

    def check_submitted(self, check: Check, findings: Findings, *, by: int) -> Sequence[str]:
        """Open or see defects, and record the reading, of a check in its transaction.

        Returns sentences for the sender, such as 'Stop: do not drive LK19 VTE. …'.
        """
        ...

    def check_answers(self, reg_key: str, answers: Mapping[int, SightingAnswer]) -> AnsweredDefects:
        """Return the defects that a check of a vehicle answers about.

        Raises Invalid for a defect of another vehicle.
        """
        ...

    def open_defects(self, reg_keys: Collection[str] | None) -> Mapping[str, Sequence[OpenDefect]]:
        """Return the open defects by vehicle, the worst first; None means of all vehicles."""
        ...

    def due_notices(self, reg_keys: Collection[str] | None) -> Mapping[str, Sequence[str]]:
        """Return the overdue and soon due items by vehicle, such as 'MOT runs out soon'."""
        ...

    def last_readings(self, reg_keys: Collection[str] | None) -> Mapping[str, LastReading]:
        """Return the newest accepted odometer reading by vehicle; None means of all vehicles."""
        ...

    def reading_before(self, check: Check) -> LastReading | None:
        """Return the newest accepted odometer reading up to a check's day, without its own."""
        ...

    def is_odometer_unused(
        self, check_id: ColumnElement[int] | InstrumentedAttribute[int]
    ) -> ColumnElement[bool]:
        """Return the condition that the odometer of a check waits for a decision or is void."""
        ...

    def standings(self, reg_keys: Collection[str]) -> Mapping[str, Standing]:
        """Return whether vehicles may be used; one without a mapping may."""
        ...

    def is_off_road(
        self, reg_key: ColumnElement[str] | InstrumentedAttribute[str]
    ) -> ColumnElement[bool]:
        """Return the condition that a vehicle is off the road now."""
        ...

    def vehicles_left(self, reg_keys: Collection[str], *, by: int | None) -> None:
        """Close the open records of vehicles that are in no list any more."""
        ...


def upkeep() -> Upkeep:
    """Return upkeep's side of the interface."""
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
    fleet_list = current_list()
    keys = plate_keys(fleet_list)
    readings, notices = upkeep().last_readings(None), upkeep().due_notices(None)
    defects = upkeep().open_defects(None)
    off_road = plate_keys(fleet_list, upkeep().is_off_road)
    standings = upkeep().standings(off_road) if off_road else {}
    found = {
        key: Briefing(
            readings.get(key),
            notices.get(key, ()),
            standings[key].off_road_since if key in standings else None,
            defects.get(key, ()),
        )
        for key in keys
    }
    return {key: briefing for key, briefing in found.items() if briefing != Briefing()}
