"""JSON calls of the maintenance file, and costs."""

from collections.abc import Mapping
from datetime import date
from itertools import islice
from typing import Any

from flask import Response, current_app

from app import dates
from app.api.blueprint import NOT_MODIFIED
from app.api.lists import ListPaging, list_response
from app.config import Settings
from app.due.rules.next_due import add_months
from app.errors import RoleRequired
from app.fleet.acts import FLEET_AND_GPM, serves_upkeep, upkeep_calls
from app.vehicle_file import schemas
from app.vehicle_file.queries import costs as cost_queries
from app.vehicle_file.queries import record as record_queries
from app.vehicle_file.queries.cost_sources import CostFilters
from app.vehicle_file.queries.reader import RecordFilters
from app.vehicle_file.rules import MAX_MONTHS, kind_costs
from app.versions import versions_of
from app.web import caching
from app.web.access import current_user
from app.web.policies import may_change

bp = upkeep_calls("vehicle_file")
register_calls = serves_upkeep(bp)


@bp.route("/record", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.RecordEntryReply, schemas.RecordPaging)
def vehicle_record(part: tuple[ListPaging, Mapping[str, Any]]) -> Response:
    """List all that is on record about a vehicle, by day, also about one that left the lists.

    Without a vehicle it is about the whole fleet, by registration, which managers may read.
    """
    paging, (reg_key, months) = part[0], (part[1]["vehicle"], part[1]["months"])
    if not reg_key and not may_change(FLEET_AND_GPM.by_managers, current_user()):
        raise RoleRequired("Name a vehicle: the record of the whole fleet is for managers.")
    settings: Settings = current_app.config["QUARTERMASTER"]
    months = months or min(settings.retention_months, MAX_MONTHS)
    today = dates.today()
    filters = RecordFilters(add_months(today, -months), today, reg_key)
    return list_response(
        paging,
        "record",
        rows=lambda: record_queries.placed_entries(filters),
        rows_after=lambda after, limit: list(
            islice(record_queries.placed_entries(filters, _read_place(after)), limit)
        ),
        key=lambda row: f"{row[0][2]} {row[0][1]} {row[0][0]}",
        write=lambda row: schemas.RecordEntryReply.write(row[1]),
        version=lambda: ".".join(
            map(str, (*versions_of(record_queries.VERSIONS), today.toordinal()))
        ),
    )


def _read_place(text: str) -> record_queries.RecordPlace | None:
    if not text:
        return None
    number, day, reg_key = text.split(" ", 2)
    return reg_key, date.fromisoformat(day), int(number)


@bp.route("/costs", methods=["GET"])
@FLEET_AND_GPM
@bp.arguments(schemas.CostQuery, location="query")
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, schemas.CostReply)
@caching.by_versions(*cost_queries.VERSIONS)
def costs(filters: CostFilters) -> dict[str, Any]:
    """Return what vehicles cost by kind, month, vehicle and mile, without reversed repairs."""
    report = cost_queries.cost_report(filters)
    kinds = [schemas.KindCostReply.write(kind=k, pence=p) for k, p in kind_costs(report.months)]
    return schemas.CostReply.write(report, start=filters.start, end=filters.end, kinds=kinds)
