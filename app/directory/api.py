"""The JSON calls of the directory, under /api/gpm and /api."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.api.replies import Reply
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
from app.records.record import Record
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


def _list(path: str, record: Record[Any], reply: type[Reply], about: str, name: str = "") -> None:
    def call(requested: ListRequest) -> Response:
        return list_response(requested, record, reply.write_all)

    call.__doc__ = f"List {about}, with the list's ETag if it is whole."
    served = GPM(bp.lists(reply, parameters_of(record))(call))
    bp.route(path, endpoint=name or record.plural, methods=["GET"])(served)


_list("/teams", schemas.TEAM_LIST, schemas.NameReply, "the teams by name")
_list("/suppliers", schemas.SUPPLIER_LIST, schemas.NameReply, "the suppliers by name")
_list("/services", schemas.SERVICE_LIST, schemas.ServiceReply, "the services by name")
_list("/keys", schemas.KEY_LIST, schemas.KeyReply, "the keys by code or name")
HISTORY = "who had which key, newest first"
_list("/keys/history", schemas.HANDOVER_LIST, schemas.HandoverReply, HISTORY, "key_history")


@of_teams("/teams", schemas.NameReply, schemas.NameBody, **_ADD)
def add_team(new: NameState) -> EntryChange:
    """Add a team; 409 if the name is taken."""
    return name_services.add(DirectoryList.TEAMS, new)


@of_teams("/teams/rename", schemas.NameReply, schemas.RenameBody, **_RENAME)
def rename_team(body: dict[str, str]) -> EntryChange:
    """Rename a team; 404 if there is none of the old name, 409 if the new one is taken."""
    return name_services.rename(DirectoryList.TEAMS, body["old_name"], body["new_name"])


@of_suppliers("/suppliers", schemas.NameReply, schemas.NameBody, **_ADD)
def add_supplier(new: NameState) -> EntryChange:
    """Add a supplier; 409 if the name is taken."""
    return name_services.add(DirectoryList.SUPPLIERS, new)


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


@changes("/keys", ListChangeReply, schemas.KeyBody(many=True), replaces=True)
def replace_keys(
    new: list[key_services.ListedKey], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of keys by this one; new holders are noted in the history."""
    return key_services.replace_keys(new, versions=versions, by=by)


@changes.of(key_services.HANDOVERS)(
    "/keys/history", AddedReply, schemas.HandoverBody, status=201, takes_several=True
)
def record_handovers(handovers: list[key_services.PastHandover], *, by: int) -> Added:
    """Add an entry or a list of them to the history; the keys' current holders stay."""
    return key_services.record_handovers(handovers, by=by)
