"""The JSON calls of directory, under /api/gpm and /api (design §5)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flask import Response

from app.api.calls import AddedReply, Blueprint, ListChangeReply, run_once
from app.api.description import KEYED, MATCHED, one_or_more, raises
from app.api.lists import if_match_versions, list_part, whole_list
from app.directory import queries
from app.directory.models import Key, Named
from app.directory.rules import Kind, ListChange, NameState
from app.directory.schemas import bodies
from app.directory.services import keys as key_services
from app.directory.services import names as name_services
from app.directory.services.keys import HANDOVERS, ListedKey, PastHandover, Recorded
from app.directory.services.names import Added, Renamed
from app.divisions import Division
from app.errors import Conflict, NotFound, rename_fields
from app.versions import version_of
from app.web import access
from app.web.access import current_user

GPM = access.api_call(Division.GPM)

NEW_NAMES = {
    Kind.TEAMS: bodies.NameBody,
    Kind.SUPPLIERS: bodies.NameBody,
    Kind.SERVICES: bodies.ServiceBody,
}
REPLIES = {
    Kind.TEAMS: bodies.NameReply,
    Kind.SUPPLIERS: bodies.NameReply,
    Kind.SERVICES: bodies.ServiceReply,
}
RENAMED = (Kind.TEAMS, Kind.SERVICES)


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gpm and /api."""
    made = []
    for prefix in (Division.GPM.value, ""):
        blueprint = Blueprint(
            f"directory_{prefix or 'any'}",
            "Directory",
            "Teams, suppliers, services and keys of GPM.",
            url_prefix=f"/api/{prefix}".rstrip("/"),
        )
        for kind in NEW_NAMES:
            _add_names(blueprint, kind)
        for kind in RENAMED:
            _add_renaming(blueprint, kind)
        _add_keys(blueprint)
        _add_handovers(blueprint)
        made.append(blueprint)
    return made


def _add_names(blueprint: Blueprint, kind: Kind) -> None:
    @blueprint.route(f"/{kind}", methods=["GET"], endpoint=kind.value)
    @GPM
    @blueprint.lists(REPLIES[kind])
    @blueprint.doc(summary=f"List the {kind} by name, with the list's ETag where it is whole.")
    def list_names(paging: dict[str, Any]) -> Response:
        def part(after: str, limit: int) -> Sequence[Named]:
            return queries.entries_after(kind, after, limit)

        return _list(kind, paging, lambda: queries.entries(kind), part, bodies.name_json)

    @blueprint.route(f"/{kind}", methods=["POST"], endpoint=f"add_{kind.noun}")
    @GPM
    @blueprint.arguments(NEW_NAMES[kind])
    @blueprint.response(201, REPLIES[kind])
    @blueprint.doc(summary=f"Add a {kind.noun}; 409 when its name exists.", **KEYED)
    @raises(Conflict)
    def add_name(new: NameState) -> Added:
        with rename_fields({"name": "service"} if kind is Kind.SERVICES else {}):
            return run_once(Added, lambda: name_services.add(kind, new), of=kind)


def _add_renaming(blueprint: Blueprint, kind: Kind) -> None:
    @blueprint.route(f"/{kind}/rename", methods=["PUT"], endpoint=f"rename_{kind.noun}")
    @GPM
    @blueprint.arguments(bodies.RenameBody)
    @blueprint.response(200, REPLIES[kind])
    @blueprint.doc(
        summary=f"Rename a {kind.noun}; 404 when there is none, 409 when the name is another's.",
        **KEYED,
    )
    @raises(Conflict, NotFound)
    def rename(body: dict[str, str]) -> Renamed:
        old_name, new_name = body["oldName"], body["newName"]
        with rename_fields({"old_name": "oldName", "new_name": "newName"}):
            return run_once(
                Renamed, lambda: name_services.rename(kind, old_name, new_name), of=kind
            )


def _add_keys(blueprint: Blueprint) -> None:
    @blueprint.route("/keys", methods=["GET"])
    @GPM
    @blueprint.lists(bodies.KeyReply)
    def keys(paging: dict[str, Any]) -> Response:
        """List the keys by code or name, with the list's ETag where it is whole."""
        return _list(Kind.KEYS, paging, queries.all_keys, queries.keys_after, bodies.key_json)

    @blueprint.route("/keys", methods=["POST"])
    @GPM
    @blueprint.arguments(bodies.KeyBody(many=True))
    @blueprint.response(200, ListChangeReply)
    @blueprint.doc(**MATCHED)
    def replace_keys(wanted: list[ListedKey]) -> ListChange:
        """Make the list hold exactly these keys; a new holder is noted in the history."""
        versions = if_match_versions(Kind.KEYS)
        by = current_user().user_id
        return run_once(
            ListChange,
            lambda: key_services.replace_keys(wanted, versions=versions, by=by),
            of=Kind.KEYS,
            reads_match=True,
        )


def _add_handovers(blueprint: Blueprint) -> None:
    @blueprint.route("/keys/history", methods=["GET"])
    @GPM
    @blueprint.lists(bodies.HandoverReply)
    def key_history(paging: dict[str, Any]) -> Response:
        """List who held which key, newest first, with the list's ETag where it is whole."""
        if "limit" not in paging:

            def rows() -> Iterator[dict[str, Any]]:
                return map(bodies.handover_json, queries.all_handovers())

            return whole_list(HANDOVERS, version_of(HANDOVERS), rows)
        limit = paging["limit"]
        found = queries.handovers_part(limit + 1, int(paging["cursor"] or 0))
        following = str(found[limit - 1].id) if len(found) > limit else None
        return list_part(map(bodies.handover_json, found[:limit]), limit, following)

    @blueprint.route("/keys/history", methods=["POST"])
    @GPM
    @blueprint.arguments(bodies.HandoverBody(many=True))
    @blueprint.response(201, AddedReply)
    @blueprint.doc(**one_or_more(bodies.HandoverBody))
    def record_handovers(told: list[PastHandover]) -> Recorded:
        """Add an entry or a list of them to the history; who holds the keys now stays."""
        by = current_user().user_id
        return run_once(Recorded, lambda: key_services.record_handovers(told, by=by), of=HANDOVERS)


def _list(
    kind: Kind,
    paging: dict[str, Any],
    whole: Callable[[], Sequence[Any]],
    part: Callable[[str, int], Sequence[Any]],
    write: Callable[[Any], dict[str, Any]],
) -> Response:
    """Answer with a whole list, or with the part that follows a name's key."""
    if "limit" not in paging:
        return whole_list(kind, version_of(kind), lambda: map(write, whole()))
    limit = paging["limit"]
    found = part(paging["cursor"], limit + 1)
    following = _key_of(found[limit - 1]) if len(found) > limit else None
    return list_part(map(write, found[:limit]), limit, following)


def _key_of(row: Named | Key) -> str:
    return row.label_key if isinstance(row, Key) else row.name_key
