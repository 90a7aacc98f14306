"""The JSON call of stock's reports."""

from typing import Any

from flask import request

from app import dates
from app.api.blueprint import NOT_MODIFIED, Blueprint
from app.api.openapi import Api
from app.divisions import SITES, Division
from app.errors import Invalid
from app.stock.api import ABOUT, FOR_STOCK_DIVISIONS, TITLE, owner_of
from app.stock.queries import history
from app.stock.reports import REPORTS
from app.stock.rules.insight import Question
from app.stock.schemas.insight import InsightParameters, ReportReply, parse_insight
from app.web import caching

bp = Blueprint("stock_reports", TITLE, ABOUT, feature="stock", passes_division=True)


def register_calls(api: Api) -> None:
    """Serve the calls for both divisions that keep stock."""
    for division in (*SITES, None):
        api.register_prefixed(bp, division)


@bp.route(f"/reports/<any({', '.join(Question)}):question>", methods=["GET"])
@FOR_STOCK_DIVISIONS
@bp.arguments(InsightParameters, location="query")
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, ReportReply)
def report(_: Any, division: Division | None, question: str) -> Any:
    """Answer a question about stock by the rows of its CSV file."""
    owner, chosen = owner_of(division), Question(question)
    if unchanged := caching.not_modified(*history.list_versions(owner), dates.today()):
        return unchanged
    query = parse_insight(owner, chosen, request.args)
    for name, problem in query.problems.items():
        raise Invalid(problem, name)
    return ReportReply.write(query.filters, question=chosen, rows=REPORTS[chosen].json(query))
