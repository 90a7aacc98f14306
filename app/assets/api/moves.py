"""How assets moved, and moving one."""

from collections.abc import Iterator, Sequence
from typing import Any

from flask import Response

from app.api.calls import AddedReply, Blueprint, run_once
from app.api.description import KEYED, one_or_more, raises
from app.api.lists import list_part, whole_list
from app.assets.api.scope import policy
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.queries.moves import MoveFilter
from app.assets.rules.assets import LONGEST_ID
from app.assets.schemas import moves as schemas
from app.assets.schemas.assets import AssetRecord, AssetReply, asset_json
from app.assets.services import moves as services
from app.assets.services.moves import PastMove, Recorded
from app.errors import Conflict
from app.versions import version_of
from app.web.access import current_user

_ASSET_ID: dict[str, Any] = {
    "in": "path",
    "name": "asset_id",
    "required": True,
    "schema": {"type": "string", "format": "one-line", "minLength": 1, "maxLength": LONGEST_ID},
    "example": "A/0042",
}


def add_calls(blueprint: Blueprint) -> None:
    """Add the calls to a blueprint."""
    _add_history(blueprint)

    @blueprint.route("/assets/<any_text:asset_id>/move", methods=["POST"], parameters=[_ASSET_ID])
    @policy
    @blueprint.arguments(schemas.DestinationBody)
    @blueprint.response(200, AssetReply)
    @blueprint.doc(**KEYED)
    @raises(Conflict)
    def move_asset(body: dict[str, str], asset_id: str) -> dict[str, Any]:
        """Move an asset and note it in the history; 409 when it is there already."""
        by = current_user().user_id

        def work() -> AssetRecord:
            asset = queries.asset_called(asset_id)
            services.move_assets([asset.id], body["destination"], by=by)
            return AssetRecord(asset_json(asset))

        return run_once(AssetRecord, work, of=queries.LIST).values


def _add_history(blueprint: Blueprint) -> None:
    @blueprint.route("/assets/history", methods=["GET"])
    @policy
    @blueprint.lists(schemas.AssetMoveReply)
    def asset_history(paging: dict[str, Any]) -> Response:
        """List how assets moved, newest first, with the list's ETag where it is whole."""
        if "limit" in paging:
            limit = paging["limit"]
            found = history.move_part(limit + 1, int(paging["cursor"] or 0))
            following = str(found[limit - 1].id) if len(found) > limit else None
            return list_part(map(schemas.move_json, found[:limit]), limit, following)

        def rows() -> Iterator[dict[str, Any]]:
            return map(schemas.move_json, history.move_rows(MoveFilter()))

        return whole_list(history.LIST, version_of(history.LIST), rows)

    @blueprint.route("/assets/history", methods=["POST"])
    @policy
    @blueprint.arguments(schemas.AssetMoveBody(many=True))
    @blueprint.response(201, AddedReply)
    @blueprint.doc(**one_or_more(schemas.AssetMoveBody))
    def record_moves(told: Sequence[PastMove]) -> Recorded:
        """Add an entry, or a list of them; the latest also says where its asset is now."""
        by = current_user().user_id
        return run_once(Recorded, lambda: services.record_moves(told, by=by), of=history.LIST)
