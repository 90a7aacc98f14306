"""The JSON calls of saved views, under /api."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from flask import Response

from app.api.blueprint import Blueprint
from app.api.lists import ListPaging, list_response
from app.api.openapi import Api
from app.errors import Conflict, Forbidden, NotFound
from app.records.calls import RECORD_ETAG, Changes, Version
from app.views import acts
from app.views.acts import VIEW
from app.views.queries import ChosenView
from app.views.rules import VIEWS
from app.views.schemas import ViewBody, ViewChangeBody, ViewReply
from app.web import access

Json = dict[str, Any]

bp = Blueprint("views", "Views", "Saved views of lists, one's own and shared ones.")
changes = Changes(bp, access.signed_in, VIEWS, failures=(Conflict, Forbidden, NotFound))


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)


def _reply(view_id: int) -> Json:
    return ViewReply.write(acts.read_choice(view_id))


def _id(row: ChosenView) -> int:
    return row.view.id


def _version(view_id: int) -> Version:
    return Version(f"view-{view_id}", acts.read_view(view_id).revision)


@bp.route("/views", methods=["GET"])
@access.signed_in
@bp.lists(ViewReply)
def views(paging: ListPaging) -> Response:
    """List the views that the user sees in the order they were saved, with an ETag if whole."""
    rows = sorted((row for row, _ in acts.seen_views()), key=_id)
    state = [(_id(row), row.view.revision, row.is_default, row.is_starred) for row in rows]
    return list_response(
        paging,
        VIEWS,
        rows=lambda: rows,
        rows_after=lambda after, limit: [r for r in rows if _id(r) > int(after or 0)][:limit],
        key=lambda row: str(_id(row)),
        write=ViewReply.write,
        version=lambda: sha256(repr(state).encode()).hexdigest()[:16],
    )


@bp.route(VIEW, methods=["GET"])
@access.signed_in
@bp.response(200, ViewReply, headers=RECORD_ETAG)
def view(view_id: int) -> tuple[Json, Mapping[str, str]]:
    """Return a view with the ETag that changes need."""
    return _reply(view_id), _version(view_id).tag


@changes("/views", ViewReply, ViewBody, status=201)
def save_view(body: Json, *, by: int) -> Json:
    """Save an address of a list under a name; 409 if the user has a view of this name there."""
    return _reply(acts.save(**body, by=by).id)


@changes(VIEW, ViewReply, ViewChangeBody, method="PATCH", version=_version)
def edit_view(body: Json, view_id: int, *, revision: int, by: int) -> Json:
    """Rename a view, share it, or give it other filters; its owner and managers may."""
    acts.change(view_id, **body, revision=revision, by=by)
    return _reply(view_id)


@changes(VIEW, ViewReply, method="DELETE", version=_version)
def remove_view(view_id: int, *, revision: int, by: int) -> Json:
    """Delete a view; people whose list opens with it get the whole list."""
    removed = _reply(view_id)
    acts.remove(view_id, revision=revision, by=by)
    return removed
