"""What groups of assets come to."""

from typing import Any

from flask import Response

from app.api.calls import Blueprint
from app.api.description import NOT_CHANGED
from app.assets.api.scope import policy
from app.assets.queries import groups as queries
from app.assets.queries import register
from app.assets.schemas import groups as schemas
from app.versions import version_of
from app.web import caching


def add_calls(blueprint: Blueprint) -> None:
    """Add the calls to a blueprint."""

    @blueprint.route("/assets/groups", methods=["GET"])
    @policy
    @blueprint.arguments(schemas.GroupsAsked, location="query")
    @blueprint.alt_response(304, description=NOT_CHANGED, success=True)
    @blueprint.response(200, schemas.GroupsReply)
    def groups(asked: dict[str, Any]) -> dict[str, Any] | Response:
        """Group the assets by what they share, with their number, quantity and value."""
        same = caching.not_modified(version_of(register.LIST))
        return schemas.groups_json(queries.groups(**asked)) if same is None else same
