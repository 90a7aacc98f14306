"""What fleet and accounts ask of upkeep; `create_app` connects these functions.

app/fleet/services/upkeep.py documents those that fleet calls.
"""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.services.users import account_disabled
from app.fleet.models import Check
from app.fleet.rules.findings import (
    AnsweredDefects,
    Findings,
    LastReading,
    OpenDefect,
    SightingAnswer,
    Standing,
)
from app.upkeep.queries import defects, due, readings
from app.upkeep.queries import off_road as off_road_queries
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.services import calendar, check_findings, defect_decisions
from app.upkeep.services import check_answers as check_answers_services
from app.upkeep.services import due as due_services
from app.upkeep.services import off_road as off_road_services

account_disabled.connect(calendar.end_for_disabled)


def check_submitted(check: Check, findings: Findings, *, by: int) -> Sequence[str]:
    """Open or see defects, and record the reading, of a check in its transaction."""
    return check_findings.check_submitted(check, findings, by=by)


def check_answers(reg_key: str, answers: Mapping[int, SightingAnswer]) -> AnsweredDefects:
    """Return the defects that a check of a vehicle answers about."""
    return check_answers_services.check_answers(reg_key, answers)


def open_defects(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[OpenDefect]]:
    """Return the open defects by vehicle, the worst first."""
    return defects.open_defects(reg_keys)


def due_notices(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[str]]:
    """Return what is overdue or soon due by vehicle."""
    return due.due_notices(reg_keys)


def last_readings(reg_keys: Collection[str] | None) -> Mapping[str, LastReading]:
    """Return the newest accepted odometer reading by vehicle."""
    found = readings.current_mileages(reg_keys)
    return {key: LastReading(row.miles, row.day) for key, row in found.items()}


def reading_before(check: Check) -> LastReading | None:
    """Return the newest accepted odometer reading up to a check's day, without its own."""
    own = readings.reading_of(ReadingSource.CHECK, check.id)
    row = readings.reading_up_to(check.reg_key, check.day, but=own.id if own else None)
    return LastReading(row.miles, row.day) if row else None


def is_odometer_unused(
    check_id: ColumnElement[int] | InstrumentedAttribute[int],
) -> ColumnElement[bool]:
    """Return the condition that the odometer of a check waits for a decision or is void."""
    return readings.is_unused(ReadingSource.CHECK, check_id)


def standings(reg_keys: Collection[str]) -> Mapping[str, Standing]:
    """Return whether vehicles may be used."""
    return off_road_queries.standings(reg_keys)


def is_off_road(reg_key: ColumnElement[str] | InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that a vehicle is off the road now."""
    return off_road_queries.is_off_road(reg_key)


def vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """Close what is open of vehicles that are in no list any more."""
    defect_decisions.close_for_vehicles_left(reg_keys, by=by)
    off_road_services.close_for_vehicles_left(reg_keys, by=by)
    due_services.close_for_vehicles_left(reg_keys, by=by)
