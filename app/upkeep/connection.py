"""Upkeep's side of the interface with fleet and accounts; `create_app` connects it."""

from collections.abc import Collection, Mapping
from functools import partial

from app.accounts.services.users import account_disabled
from app.fleet.models import Check
from app.fleet.rules.findings import LastReading
from app.upkeep.queries import readings
from app.upkeep.queries.defects import open_defects
from app.upkeep.queries.due import due_notices
from app.upkeep.queries.off_road import is_off_road, standings
from app.upkeep.rules.kinds import ReadingSource
from app.upkeep.services import calendar, defect_decisions
from app.upkeep.services import due as due_services
from app.upkeep.services import off_road as off_road_services
from app.upkeep.services.defect_reports import check_answers, check_submitted

__all__ = [
    "check_answers",
    "check_submitted",
    "due_notices",
    "is_odometer_unused",
    "is_off_road",
    "last_readings",
    "open_defects",
    "reading_before",
    "standings",
    "vehicles_left",
]

account_disabled.connect(calendar.end_for_disabled)


def last_readings(reg_keys: Collection[str] | None) -> Mapping[str, LastReading]:
    """Return the newest accepted odometer reading by vehicle."""
    found = readings.current_mileages(reg_keys)
    return {key: LastReading(row.miles, row.day) for key, row in found.items()}


def reading_before(check: Check) -> LastReading | None:
    """Return the newest accepted odometer reading up to a check's day, without its own."""
    own = readings.reading_of(ReadingSource.CHECK, check.id)
    row = readings.reading_up_to(check.reg_key, check.day, but=own.id if own else None)
    return LastReading(row.miles, row.day) if row else None


is_odometer_unused = partial(readings.is_unused, ReadingSource.CHECK)
"""Returns the condition that the odometer of a check waits for a decision or is void."""


def vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    """Close the open records of vehicles that are in no list any more."""
    defect_decisions.close_for_vehicles_left(reg_keys, by=by)
    off_road_services.close_for_vehicles_left(reg_keys, by=by)
    due_services.close_for_vehicles_left(reg_keys, by=by)
