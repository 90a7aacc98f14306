"""The JSON calls of reorder lists."""

from typing import Any

from app import dates
from app.api.blueprint import Blueprint, raises
from app.api.openapi import Api
from app.divisions import SITES, Division
from app.errors import Conflict, NotFound
from app.records.calls import Changes
from app.reorder import services
from app.reorder.acts import store_at
from app.reorder.queries import reorder_list
from app.reorder.schemas import MadeReply, ReorderBody, ReorderLineReply, ReorderQuery
from app.reorder.services import ReorderResult
from app.web import access

FOR_STOCK = access.api_call_by_prefix(*SITES)

bp = Blueprint("reorder", "Reorder", "What is low, from where it can come.", passes_division=True)
changes = Changes(bp, FOR_STOCK, "reorder", failures=(Conflict, NotFound))


def register_calls(api: Api) -> None:
    """Serve the calls under the divisions that keep stock."""
    api.register_prefixed(bp, *SITES)


@bp.route("/reorder", methods=["GET"])
@FOR_STOCK
@raises(NotFound)
@bp.arguments(ReorderQuery, location="query")
@bp.response(200, ReorderLineReply(many=True))
def reorder(query: dict[str, Any], division: Division) -> list[dict[str, Any]]:
    """List what to reorder for a site, the most urgent first, with why."""
    found = reorder_list(store_at(division, query["site"]), dates.today())
    return ReorderLineReply.write_all(found.proposals)


@changes("/reorder", MadeReply, ReorderBody, status=201)
def create_orders(body: dict[str, Any], division: Division, *, by: int) -> ReorderResult:
    """Make the orders and transfers of lines, all or none; 409 if an amount has moved since."""
    return services.create(store_at(division, body["site"]), body["lines"], by=by)
