"""The call for the DVSA file: the records of vehicles."""

from datetime import date

from flask import Response, current_app

from app import dates
from app.api.lists import list_response
from app.config import Settings
from app.errors import RoleRequired
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import record as queries
from app.upkeep.queries.record import RecordPlace
from app.upkeep.queries.record_reader import RecordFilters
from app.upkeep.rules.record import default_months, first_day
from app.upkeep.schemas import record as schemas
from app.upkeep.schemas.record import RecordPart, entry_json
from app.web.access import current_user
from app.web.policies import may_change


@bp.route("/record", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.RecordEntryReply, schemas.RecordPaging)
def vehicle_record(part: RecordPart) -> Response:
    """List all that is on record about a vehicle, by day, also about one that left the lists.

    Without a vehicle it is about the whole fleet, by registration, which managers may read.
    """
    if not part.reg_key and not may_change(FLEET_AND_GPM.by_managers, current_user()):
        raise RoleRequired("Name a vehicle: the record of the whole fleet is for managers.")
    settings: Settings = current_app.config["QUARTERMASTER"]
    months = part.months or default_months(settings.retention_months)
    today = dates.today()
    filters = RecordFilters(first_day(today, months), today, part.reg_key)
    return list_response(
        part.paging,
        "record",
        rows=lambda: queries.placed_entries(filters),
        rows_after=lambda after, limit: queries.entries_after(filters, _read_place(after), limit),
        key=lambda row: _write_place(row[0]),
        write=lambda row: entry_json(row[1]),
        version=lambda: ".".join(map(str, (*queries.data_versions(), today.toordinal()))),
    )


def _write_place(place: RecordPlace) -> str:
    return f"{place.number} {place.day.isoformat()} {place.reg_key}"


def _read_place(text: str) -> RecordPlace | None:
    if not text:
        return None
    number, day, reg_key = text.split(" ", 2)
    return RecordPlace(reg_key, date.fromisoformat(day), int(number))
