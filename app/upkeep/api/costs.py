"""The call for vehicles' costs."""

from typing import Any

from flask import Response

from app import dates
from app.api.blueprint import NOT_MODIFIED
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import costs as queries
from app.upkeep.queries.cost_sources import CostFilters
from app.upkeep.schemas.costs import CostQuery, CostReply, report_json
from app.web import caching


@bp.route("/costs", methods=["GET"])
@FLEET_AND_GPM
@bp.arguments(CostQuery, location="query")
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, CostReply)
def costs(filters: CostFilters) -> dict[str, Any] | Response:
    """Return what vehicles cost by kind, month, vehicle and mile, without reversed repairs."""
    not_modified = caching.not_modified(*queries.data_versions(), dates.today())
    if not_modified is not None:
        return not_modified
    return report_json(queries.cost_report(filters), filters)
