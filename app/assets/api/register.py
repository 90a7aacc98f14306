"""The whole register: read it, replace it."""

from collections.abc import Iterator
from typing import Any

from flask import Response

from app.api.calls import Blueprint, ListChangeReply, run_once
from app.api.description import MATCHED
from app.api.lists import if_match_versions, list_part, whole_list
from app.assets.api.scope import policy
from app.assets.queries import register as queries
from app.assets.rules.assets import AssetState
from app.assets.schemas import assets as schemas
from app.assets.services import lists
from app.assets.services.lists import ListChange
from app.versions import version_of
from app.web.access import current_user


def add_calls(blueprint: Blueprint) -> None:
    """Add the calls to a blueprint."""

    @blueprint.route("/assets", methods=["GET"])
    @policy
    @blueprint.lists(schemas.AssetReply)
    def assets(paging: dict[str, Any]) -> Response:
        """List the assets by id, with the list's ETag where it is whole."""
        if "limit" in paging:
            return _part(paging["limit"], paging["cursor"])

        def rows() -> Iterator[dict[str, Any]]:
            return map(schemas.asset_json, queries.all_assets())

        return whole_list(queries.LIST, version_of(queries.LIST), rows)

    @blueprint.route("/assets", methods=["POST"])
    @policy
    @blueprint.arguments(schemas.AssetBody(many=True))
    @blueprint.response(200, ListChangeReply)
    @blueprint.doc(**MATCHED)
    def replace_assets(wanted: list[AssetState]) -> ListChange:
        """Make the register hold exactly these assets; another location is noted as a move."""
        versions = if_match_versions(queries.LIST)
        by = current_user().user_id
        return run_once(
            ListChange,
            lambda: lists.replace_assets(wanted, versions=versions, by=by),
            of=queries.LIST,
            reads_match=True,
        )


def _part(limit: int, cursor: str) -> Response:
    found = queries.assets_after(cursor, limit + 1)
    following = found[limit - 1].asset_key if len(found) > limit else None
    return list_part(map(schemas.asset_json, found[:limit]), limit, following)
