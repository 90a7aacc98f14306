"""The interface through which fleet uses upkeep, the feature above it; `create_app` connects it.

Fleet can't import upkeep, since upkeep reads vehicles and checks. docs/domain.md, Upkeep, has its
rules.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, cast

from flask import current_app
from sqlalchemy import ColumnElement
from sqlalchemy.orm import InstrumentedAttribute

from app.fleet.models import Check
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
