"""The JSON calls of the register, its groups and its moves, under /api."""

from collections.abc import Collection
from typing import Any

from flask import Response, request

from app.api.blueprint import NOT_MODIFIED, Blueprint, text_in_path
from app.api.openapi import Api
from app.api.schemas import AddedReply, ListChangeReply
from app.assets.queries import groups as group_queries
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import ID, AssetState
from app.assets.schemas import register as schemas
from app.assets.schemas.groups import GroupsQuery, GroupsReply
from app.assets.services import moves as services
from app.assets.services import register
from app.divisions import Division
from app.errors import Conflict, NotFound
from app.idempotency import Stamp
from app.lists import Added, ListChange
from app.records import calls as records
from app.records.calls import Changes, ListRequest, parameters_of
from app.versions import version_of
from app.web import access, caching

ASSETS = access.api_call(Division.ASSETS)

bp = Blueprint(
    "assets",
    "Assets",
    "The register of what the company owns, and how it moved.",
    url_prefix="/api",
)

_ASSET_ID = text_in_path("asset_id", limit=ID.limit, example="A/0042")

changes = Changes(bp, ASSETS, queries.LIST)


def register_calls(api: Api) -> None:
    """Serve the calls under /api; the company has one register."""
    api.register_blueprint(bp)


@bp.route("/assets", methods=["GET"])
@ASSETS
@bp.lists(schemas.AssetReply, parameters_of(schemas.ASSET_LIST))
def assets(requested: ListRequest) -> Response:
    """List the assets by id, with the list's ETag if it is whole."""
    return records.list_response(
        requested, schemas.ASSET_LIST, lambda rows: map(schemas.asset_json, rows)
    )


@changes("/assets", ListChangeReply, schemas.AssetBody(many=True), replaces=True)
def replace_assets(
    states: list[AssetState], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the whole register; a changed location is recorded as a move."""
    return register.replace_assets(states, versions=versions, by=by)


@bp.route("/assets/groups", methods=["GET"])
@ASSETS
@bp.arguments(GroupsQuery, location="query")
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, GroupsReply)
def groups(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Group the assets by a field, with the number, quantity and value of each group."""
    if unchanged := caching.not_modified(version_of(queries.LIST)):
        return unchanged
    return GroupsReply.write(group_queries.group_assets(**query))


@bp.route("/assets/history", methods=["GET"])
@ASSETS
@bp.lists(schemas.AssetMoveReply, parameters_of(schemas.MOVE_LIST))
def asset_history(requested: ListRequest) -> Response:
    """List the moves of assets, newest first, with the list's ETag if it is whole."""
    return records.list_response(requested, schemas.MOVE_LIST, schemas.AssetMoveReply.write_all)


@changes.of(history.LIST)(
    "/assets/history",
    AddedReply,
    schemas.AssetMoveBody,
    status=201,
    takes_several=True,
    failures=(Conflict,),
)
def record_moves(moves: list[services.PastMove], *, stamp: Stamp, by: int) -> Added:
    """Record a move, or a list of them; an asset's latest move also sets its location."""
    return services.record_moves(moves, by=by, stamp=stamp)


def _rebuild(first_move: int) -> dict[str, Any] | None:
    moved = services.rebuild_move(first_move)
    asset = queries.find_asset((request.view_args or {})["asset_id"])
    return None if asset is None else schemas.asset_json(asset) | {"location": moved.destination}


@changes(
    "/assets/<any_text:asset_id>/move",
    schemas.AssetReply,
    schemas.DestinationBody,
    failures=(Conflict, NotFound),
    parameters=[_ASSET_ID],
    rebuild=_rebuild,
)
def move_asset(body: dict[str, str], asset_id: str, *, stamp: Stamp, by: int) -> dict[str, Any]:
    """Move an asset and record the move; 409 if it is at the destination already."""
    asset = queries.get_asset_by_id(asset_id)
    services.move_assets([asset.id], body["destination"], by=by, stamp=stamp)
    return schemas.asset_json(asset)
