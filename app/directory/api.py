"""The JSON calls of the directory, under /api/gpm and /api."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.api.schemas import AddedReply, ListChangeReply
from app.directory import schemas
from app.directory.rules import DirectoryList, NameState
from app.directory.services import keys as key_services
from app.directory.services import names as name_services
from app.directory.services.names import EntryChange
from app.divisions import Division
from app.errors import Conflict, NotFound
from app.lists import Added, ListChange
from app.records.calls import Changes, ListRequest, list_response, parameters_of
from app.web import access

GPM = access.api_call(Division.GPM)

bp = Blueprint("directory", "Directory", "Teams, suppliers, services and keys of GPM.")

changes = Changes(bp, GPM, DirectoryList.KEYS)
of_teams, of_suppliers, of_services = map(
    changes.of, (DirectoryList.TEAMS, DirectoryList.SUPPLIERS, DirectoryList.SERVICES)
)
_ADD: dict[str, Any] = {"status": 201, "failures": (Conflict,)}
_RENAME: dict[str, Any] = {"method": "PUT", "failures": (Conflict, NotFound)}


def register_calls(api: Api) -> None:
    """Serve the calls under /api/gpm and /api."""
    api.register_prefixed(bp, Division.GPM, None)


@bp.route("/teams", methods=["GET"])
@GPM
@bp.lists(schemas.NameReply, parameters_of(schemas.TEAM_LIST))
def teams(requested: ListRequest) -> Response:
    """List the teams by name, with the list's ETag if it is whole."""
    return list_response(requested, schemas.TEAM_LIST, schemas.NameReply.write_all)


@of_teams("/teams", schemas.NameReply, schemas.NameBody, **_ADD)
def add_team(new: NameState) -> EntryChange:
    """Add a team; 409 if the name is taken."""
    return name_services.add(DirectoryList.TEAMS, new)


@of_teams("/teams/rename", schemas.NameReply, schemas.RenameBody, **_RENAME)
def rename_team(body: dict[str, str]) -> EntryChange:
    """Rename a team; 404 if there is none of the old name, 409 if the new one is taken."""
    return name_services.rename(DirectoryList.TEAMS, body["old_name"], body["new_name"])


@bp.route("/suppliers", methods=["GET"])
@GPM
@bp.lists(schemas.NameReply, parameters_of(schemas.SUPPLIER_LIST))
def suppliers(requested: ListRequest) -> Response:
    """List the suppliers by name, with the list's ETag if it is whole."""
    return list_response(requested, schemas.SUPPLIER_LIST, schemas.NameReply.write_all)


@of_suppliers("/suppliers", schemas.NameReply, schemas.NameBody, **_ADD)
def add_supplier(new: NameState) -> EntryChange:
    """Add a supplier; 409 if the name is taken."""
    return name_services.add(DirectoryList.SUPPLIERS, new)


@bp.route("/services", methods=["GET"])
@GPM
@bp.lists(schemas.ServiceReply, parameters_of(schemas.SERVICE_LIST))
def services(requested: ListRequest) -> Response:
    """List the services by name, with the list's ETag if it is whole."""
    return list_response(requested, schemas.SERVICE_LIST, schemas.ServiceReply.write_all)


@replace(of_services, names={"name": "service"})(
    "/services", schemas.ServiceReply, schemas.ServiceBody, **_ADD
)
def add_service(new: NameState) -> EntryChange:
    """Add a service; 409 if the name is taken."""
    return name_services.add(DirectoryList.SERVICES, new)


@of_services("/services/rename", schemas.ServiceReply, schemas.RenameBody, **_RENAME)
def rename_service(body: dict[str, str]) -> EntryChange:
    """Rename a service; 404 if there is none of the old name, 409 if the new one is taken."""
    return name_services.rename(DirectoryList.SERVICES, body["old_name"], body["new_name"])


@bp.route("/keys", methods=["GET"])
@GPM
@bp.lists(schemas.KeyReply, parameters_of(schemas.KEY_LIST))
def keys(requested: ListRequest) -> Response:
    """List the keys by code or name, with the list's ETag if it is whole."""
    return list_response(requested, schemas.KEY_LIST, schemas.KeyReply.write_all)


@changes("/keys", ListChangeReply, schemas.KeyBody(many=True), replaces=True)
def replace_keys(
    new: list[key_services.ListedKey], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of keys by this one; new holders are noted in the history."""
    return key_services.replace_keys(new, versions=versions, by=by)


@bp.route("/keys/history", methods=["GET"])
@GPM
@bp.lists(schemas.HandoverReply, parameters_of(schemas.HANDOVER_LIST))
def key_history(requested: ListRequest) -> Response:
    """List who had which key, newest first, with the list's ETag if it is whole."""
    return list_response(requested, schemas.HANDOVER_LIST, schemas.HandoverReply.write_all)


@changes.of(key_services.HANDOVERS)(
    "/keys/history", AddedReply, schemas.HandoverBody, status=201, takes_several=True
)
def record_handovers(handovers: list[key_services.PastHandover], *, by: int) -> Added:
    """Add an entry or a list of them to the history; the keys' current holders stay."""
    return key_services.record_handovers(handovers, by=by)
