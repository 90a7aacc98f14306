"""The JSON calls of the directory, under /api/gpm and /api."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.api.replies import Reply
from app.api.schemas import AddedReply, Body, ListChangeReply
from app.directory import schemas
from app.directory.rules import DirectoryList, NameState
from app.directory.services import keys as key_services
from app.directory.services import names
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
_HISTORY = "who had which key, newest first"
_list("/keys/history", schemas.HANDOVER_LIST, schemas.HandoverReply, _HISTORY, "key_history")


def _changes_of(
    list_name: DirectoryList, reply: type[Reply], body: type[Body], **json: str
) -> None:
    of_list, noun = replace(changes, list_name=list_name, names=json), list_name.noun

    def add(new: NameState) -> EntryChange:
        return names.add(list_name, new)

    def rename(sent: dict[str, str]) -> EntryChange:
        return names.rename(list_name, sent["old_name"], sent["new_name"])

    add.__name__, rename.__name__ = f"add_{noun}", f"rename_{noun}"
    add.__doc__ = f"Add a {noun}; 409 if the name is taken."
    missing = "404 if there is none of the old name, 409 if the new one is taken"
    rename.__doc__ = f"Rename a {noun}; {missing}."
    of_list(f"/{list_name}", reply, body, status=201, failures=[Conflict])(add)
    if list_name is not DirectoryList.SUPPLIERS:
        put = partial(of_list, method="PUT", failures=[Conflict, NotFound])
        put(f"/{list_name}/rename", reply, schemas.RenameBody)(rename)


_changes_of(DirectoryList.TEAMS, schemas.NameReply, schemas.NameBody)
_changes_of(DirectoryList.SUPPLIERS, schemas.NameReply, schemas.NameBody)
_changes_of(DirectoryList.SERVICES, schemas.ServiceReply, schemas.ServiceBody, name="service")


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
