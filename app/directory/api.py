"""The JSON calls of the directory, under /api/gpm and /api."""

from typing import Any

from flask import Response

from app.api.blueprint import Blueprint, IfMatch, change, raises
from app.api.changes import run_once
from app.api.fields import rename_fields
from app.api.lists import ListPaging, if_match_versions, list_response
from app.api.openapi import Api
from app.api.schemas import AddedReply, ListChangeReply
from app.directory import queries
from app.directory.models import NamedEntry
from app.directory.rules import DirectoryList, NameState
from app.directory.schemas import bodies
from app.directory.schemas.lists import HANDOVER_LIST, KEY_LIST, SERVICE_LIST
from app.directory.services import keys as key_services
from app.directory.services import names as name_services
from app.directory.services.keys import HANDOVERS, ListedKey, PastHandover
from app.directory.services.names import AddedEntry, RenamedEntry
from app.divisions import Division
from app.errors import Conflict, NotFound
from app.lists import Added, ListChange
from app.records import calls as records
from app.records.calls import ListRequest, parameters_of
from app.web import access
from app.web.access import current_user

GPM = access.api_call(Division.GPM)

bp = Blueprint("directory", "Directory", "Teams, suppliers, services and keys of GPM.")


def register_calls(api: Api) -> None:
    """Serve the calls under /api/gpm and /api."""
    api.register_prefixed(bp, Division.GPM)
    api.register_prefixed(bp, None)


@bp.route("/teams", methods=["GET"])
@GPM
@bp.lists(bodies.NameReply)
def teams(paging: ListPaging) -> Response:
    """List the teams by name, with the list's ETag if it is whole."""
    return _list_names(DirectoryList.TEAMS, paging)


@bp.route("/teams", methods=["POST"])
@GPM
@bp.arguments(bodies.NameBody)
@bp.response(201, bodies.NameReply)
@change()
@raises(Conflict)
def add_team(new: NameState) -> AddedEntry:
    """Add a team; 409 if the name is taken."""
    return _add(DirectoryList.TEAMS, new)


@bp.route("/teams/rename", methods=["PUT"])
@GPM
@bp.arguments(bodies.RenameBody)
@bp.response(200, bodies.NameReply)
@change()
@raises(Conflict, NotFound)
def rename_team(body: dict[str, str]) -> RenamedEntry:
    """Rename a team; 404 if there is none of the old name, 409 if the new one is taken."""
    return _rename(DirectoryList.TEAMS, body)


@bp.route("/suppliers", methods=["GET"])
@GPM
@bp.lists(bodies.NameReply)
def suppliers(paging: ListPaging) -> Response:
    """List the suppliers by name, with the list's ETag if it is whole."""
    return _list_names(DirectoryList.SUPPLIERS, paging)


@bp.route("/suppliers", methods=["POST"])
@GPM
@bp.arguments(bodies.NameBody)
@bp.response(201, bodies.NameReply)
@change()
@raises(Conflict)
def add_supplier(new: NameState) -> AddedEntry:
    """Add a supplier; 409 if the name is taken."""
    return _add(DirectoryList.SUPPLIERS, new)


@bp.route("/services", methods=["GET"])
@GPM
@bp.lists(bodies.ServiceReply, parameters_of(SERVICE_LIST))
def services(requested: ListRequest) -> Response:
    """List the services by name, with the list's ETag if it is whole."""
    return records.list_response(requested, SERVICE_LIST, lambda rows: map(bodies.name_json, rows))


@bp.route("/services", methods=["POST"])
@GPM
@bp.arguments(bodies.ServiceBody)
@bp.response(201, bodies.ServiceReply)
@change()
@raises(Conflict)
def add_service(new: NameState) -> AddedEntry:
    """Add a service; 409 if the name is taken."""
    with rename_fields({"name": "service"}):
        return _add(DirectoryList.SERVICES, new)


@bp.route("/services/rename", methods=["PUT"])
@GPM
@bp.arguments(bodies.RenameBody)
@bp.response(200, bodies.ServiceReply)
@change()
@raises(Conflict, NotFound)
def rename_service(body: dict[str, str]) -> RenamedEntry:
    """Rename a service; 404 if there is none of the old name, 409 if the new one is taken."""
    return _rename(DirectoryList.SERVICES, body)


@bp.route("/keys", methods=["GET"])
@GPM
@bp.lists(bodies.KeyReply, parameters_of(KEY_LIST))
def keys(requested: ListRequest) -> Response:
    """List the keys by code or name, with the list's ETag if it is whole."""
    return records.list_response(requested, KEY_LIST, lambda rows: map(bodies.key_json, rows))


@bp.route("/keys", methods=["POST"])
@GPM
@bp.arguments(bodies.KeyBody(many=True))
@bp.response(200, ListChangeReply)
@change(if_match=IfMatch.REQUIRED)
def replace_keys(new: list[ListedKey]) -> ListChange:
    """Replace the list of keys by this one; new holders are noted in the history."""
    versions = if_match_versions(DirectoryList.KEYS)
    by = current_user().user_id
    return run_once(
        ListChange,
        lambda: key_services.replace_keys(new, versions=versions, by=by),
        list_name=DirectoryList.KEYS,
    )


@bp.route("/keys/history", methods=["GET"])
@GPM
@bp.lists(bodies.HandoverReply, parameters_of(HANDOVER_LIST))
def key_history(requested: ListRequest) -> Response:
    """List who had which key, newest first, with the list's ETag if it is whole."""
    return records.list_response(
        requested, HANDOVER_LIST, lambda rows: map(bodies.handover_json, rows)
    )


@bp.route("/keys/history", methods=["POST"])
@GPM
@bp.one_or_many(bodies.HandoverBody)
@bp.response(201, AddedReply)
@change()
def record_handovers(handovers: list[PastHandover]) -> Added:
    """Add an entry or a list of them to the history; the keys' current holders stay."""
    by = current_user().user_id
    return run_once(
        Added, lambda: key_services.record_handovers(handovers, by=by), list_name=HANDOVERS
    )


def _list_names(list_name: DirectoryList, paging: ListPaging) -> Response:
    return list_response(
        paging,
        list_name,
        rows=lambda: queries.entries(list_name),
        rows_after=lambda after, limit: queries.entries_after(list_name, after, limit),
        key=_name_key,
        write=bodies.name_json,
    )


def _add(list_name: DirectoryList, new: NameState) -> AddedEntry:
    return run_once(AddedEntry, lambda: name_services.add(list_name, new), list_name=list_name)


def _rename(list_name: DirectoryList, body: dict[str, Any]) -> RenamedEntry:
    with rename_fields():
        return run_once(
            RenamedEntry,
            lambda: name_services.rename(list_name, body["oldName"], body["newName"]),
            list_name=list_name,
        )


def _name_key(row: NamedEntry) -> str:
    return row.name_key
