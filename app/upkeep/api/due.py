"""The calls for due items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from flask import Response

from app import dates
from app.accounts.queries import usernames
from app.api.blueprint import IfMatch, change, raises
from app.api.lists import list_response, record_tag
from app.attachments.queries import attachments_of
from app.errors import Conflict
from app.fleet.rules.versions import UPKEEP
from app.sent_files import SentFile
from app.upkeep.api.records import RECORD_ETAG, matched_revision, preparation_of, run_change
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.due import DueItem
from app.upkeep.queries import due as queries
from app.upkeep.queries.defects import references
from app.upkeep.queries.done import NothingDone, get_done, history_of
from app.upkeep.schemas import due as schemas
from app.upkeep.schemas.due import DuePart, done_entry_json, done_json, due_item_json, due_json
from app.upkeep.services import done as done_services
from app.upkeep.services import due as services
from app.upkeep.services.done import DoneValues
from app.upkeep.services.due import DueValues
from app.versions import version_of
from app.web.access import current_user

LIST_NAME = "due"

DUE_ITEM = "/due/<row_id:item_id>"

MAX_DONE = 100
"""The most that the reply of one item has of what was done."""


@bp.route("/due", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.DueReply, schemas.DuePaging)
def due_items(part: DuePart) -> Response:
    """List the open items as they stand today, the oldest first."""
    today = dates.today()

    def rows(after: int = 0) -> list[queries.DueRow]:
        found = (row for row in _matching(part, today) if row.id > after)
        return sorted(found, key=lambda row: row.id)

    return list_response(
        part.paging,
        UPKEEP,
        rows=rows,
        rows_after=lambda after, limit: rows(int(after or 0))[:limit],
        write=due_json,
        # How items stand changes with the day as well.
        version=lambda: version_of(UPKEEP) * 10_000_000 + today.toordinal(),
    )


@bp.route("/due", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.DueBody)
@bp.response(201, schemas.DueReply)
@change()
@raises(Conflict)
def add_due_item(values: DueValues) -> dict[str, Any]:
    """Add an item of a vehicle, or one that several share."""

    def action() -> dict[str, Any]:
        item_id = services.add_item(values, by=current_user().user_id).item_id
        return due_json(queries.get_row(item_id))

    return run_change(action, list_name=LIST_NAME)


@bp.route(DUE_ITEM, methods=["GET"])
@FLEET_AND_GPM
@bp.response(200, schemas.DueItemReply, headers=RECORD_ETAG)
def due_item(item_id: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return an item, open or closed, with what was done of its kind for its vehicle."""
    return _reply(item_id), record_tag(_tag_name(item_id), queries.get_item(item_id).revision)


@bp.route(f"{DUE_ITEM}/done", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.DoneBody)
@bp.response(201, schemas.DoneReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def mark_item_done(body: tuple[DoneValues, Sequence[SentFile]], item_id: int) -> dict[str, Any]:
    """Say what was done: cost, mileage and the next item are kept with it, all or nothing."""
    values, files = body
    prepared, prepare = preparation_of(files)

    def action() -> dict[str, Any]:
        revision, by = _open_revision(item_id), current_user().user_id
        return done_json(
            done_services.mark_done(item_id, values, prepared, revision=revision, by=by)
        )

    return run_change(action, list_name=LIST_NAME, prepare=prepare)


@bp.route(f"{DUE_ITEM}/snooze", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.SnoozeBody)
@bp.response(200, schemas.DueReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def snooze_item(body: dict[str, Any], item_id: int) -> dict[str, Any]:
    """Keep an item quiet until a day; MOT, tax and insurance can't be."""

    def action() -> dict[str, Any]:
        revision, by = _open_revision(item_id), current_user().user_id
        services.snooze_item(item_id, **body, revision=revision, by=by)
        return due_json(queries.get_row(item_id))

    return run_change(action, list_name=LIST_NAME)


@bp.route(DUE_ITEM, methods=["PATCH"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.DueChangeBody)
@bp.response(200, schemas.DueReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def change_due_item(body: dict[str, Any], item_id: int) -> dict[str, Any]:
    """Change when an open item is due, its label, and which vehicles share it."""

    def action() -> dict[str, Any]:
        revision, by = _open_revision(item_id), current_user().user_id
        values = replace(services.values_of(queries.get_item(item_id)), **body)
        services.edit_item(item_id, values, revision=revision, by=by)
        return due_json(queries.get_row(item_id))

    return run_change(action, list_name=LIST_NAME)


@bp.route(f"{DUE_ITEM}/withdraw", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.response(200, schemas.DueItemReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def withdraw_due_item(item_id: int) -> dict[str, Any]:
    """Close an item that isn't due any more; it stays readable."""

    def action() -> dict[str, Any]:
        revision, by = _open_revision(item_id), current_user().user_id
        services.withdraw_item(item_id, revision=revision, by=by)
        return _reply(item_id)

    return run_change(action, list_name=LIST_NAME)


@bp.route(f"{DUE_ITEM}/done/<row_id:done_id>/undo", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.response(200, schemas.DueItemReply)
@change()
@raises(Conflict)
def undo_done(item_id: int, done_id: int) -> dict[str, Any]:
    """Take back what was done: the item is open again, and the one that followed is withdrawn."""

    def action() -> dict[str, Any]:
        if get_done(done_id).due_item_id != item_id:
            raise NothingDone
        done_services.undo_done(done_id, by=current_user().user_id)
        return _reply(item_id)

    return run_change(action, list_name=LIST_NAME)


def _open_revision(item_id: int) -> int:
    """Return the revision of an open item, which If-Match has to name.

    Who comes second reads who was first, whichever version they have seen.
    """
    item = queries.get_item(item_id)
    services.check_open(item)
    return matched_revision(_tag_name(item_id), item.revision)


def _matching(part: DuePart, today: date) -> Iterable[queries.DueRow]:
    rows = queries.items_of([part.reg_key], today) if part.reg_key else queries.open_items(today)
    return (row for row in rows if not part.kind or row.terms.kind.value == part.kind)


def _tag_name(item_id: int) -> str:
    return f"due-{item_id}"


def _reply(item_id: int) -> dict[str, Any]:
    item = queries.get_item(item_id)
    return due_item_json(
        item,
        queries.get_row(item_id, also_closed=True),
        closed_by=usernames([item.closed_by])[item.closed_by],
        done=_done_of(item),
    )


def _done_of(item: DueItem) -> list[dict[str, Any]]:
    rows = history_of(item, MAX_DONE)
    defects = references({row.done.defect_id for row in rows})
    attached = attachments_of(done_services.SUBJECT, [row.done.id for row in rows])
    return [
        done_entry_json(row, defects[row.done.defect_id], attached.get(row.done.id, ()))
        for row in rows
    ]
