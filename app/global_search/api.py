"""The JSON call that searches everything."""

from typing import Any

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.errors import Invalid
from app.global_search import queries
from app.global_search.schemas import KINDS, SearchQuery, SearchReply
from app.web import access
from app.web.access import current_user

bp = Blueprint("search", "Search", "One search for what all lists have.", url_prefix="/api")


def register_calls(api: Api) -> None:
    """Serve the call, without a prefix: it takes all divisions."""
    api.register_blueprint(bp)


@bp.route("/search", methods=["GET"])
@access.signed_in
@bp.arguments(SearchQuery, location="query")
@bp.response(200, SearchReply)
def search(query: dict[str, str]) -> dict[str, Any]:
    """Find records of all divisions that the user has by their keys, names and words."""
    found = queries.find(KINDS, query["q"], current_user())
    if found.problem:
        raise Invalid(found.problem, "q")
    return SearchReply.write(found)
