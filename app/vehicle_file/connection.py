"""Connects the features of upkeep with fleet and accounts, which are below them."""

from collections.abc import Collection
from functools import partial

from app.accounts.services.users import account_disabled
from app.defects.queries.defects import open_defects
from app.defects.queries.off_road import OBJECTING, is_off_road, standings
from app.defects.services import decisions, off_road
from app.defects.services.repairs import refuse_undo_of_parts
from app.defects.services.reports import check_answers, check_submitted
from app.due.queries.due import due_notices, objections
from app.due.services import calendar, due
from app.fleet.services.upkeep import Upkeep
from app.mileage import queries as readings
from app.mileage.rules import ReadingSource
from app.stock.services.movements import undo_requested

account_disabled.connect(calendar.end_for_disabled)
undo_requested.connect(refuse_undo_of_parts)
OBJECTING.append(objections)


def _vehicles_left(reg_keys: Collection[str], *, by: int | None) -> None:
    for services in (decisions, off_road, due):
        services.close_for_vehicles_left(reg_keys, by=by)


UPKEEP = Upkeep(
    check_submitted=check_submitted,
    check_answers=check_answers,
    open_defects=open_defects,
    due_notices=due_notices,
    last_readings=readings.current_mileages,
    reading_before=readings.reading_before,
    is_odometer_unused=partial(readings.is_unused, ReadingSource.CHECK),
    standings=standings,
    is_off_road=is_off_road,
    vehicles_left=_vehicles_left,
)
