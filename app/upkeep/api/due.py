"""The calls for due items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from flask import Response

from app import dates
from app.accounts.queries import usernames
from app.api.lists import list_response
from app.attachments.queries import attachments_of
from app.attachments.services import PreparedFile
from app.errors import Conflict
from app.fleet.rules.versions import UPKEEP
from app.records.changes import RECORD_ETAG, Changes, Version
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

changes = Changes(bp, FLEET_AND_GPM, "due")

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


@changes("/due", schemas.DueReply, schemas.DueBody, status=201, failures=(Conflict,))
def add_due_item(values: DueValues, *, by: int) -> dict[str, Any]:
    """Add an item of a vehicle, or one that several share."""
    return due_json(queries.get_row(services.add_item(values, by=by).item_id))


@bp.route(DUE_ITEM, methods=["GET"])
@FLEET_AND_GPM
@bp.response(200, schemas.DueItemReply, headers=RECORD_ETAG)
def due_item(item_id: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return an item, open or closed, with what was done of its kind for its vehicle."""
    return _reply(item_id), _version(item_id).tag


def _version(item_id: int) -> Version:
    return Version(f"due-{item_id}", queries.get_item(item_id).revision)


def _open_version(item_id: int) -> Version:
    """Return the version of an open item; who comes second reads who was first."""
    services.check_open(queries.get_item(item_id))
    return _version(item_id)


@changes(
    f"{DUE_ITEM}/done",
    schemas.DoneReply,
    schemas.DoneBody,
    status=201,
    version=_open_version,
    failures=(Conflict,),
)
def mark_item_done(
    values: DoneValues, item_id: int, *, files: Sequence[PreparedFile], revision: int, by: int
) -> dict[str, Any]:
    """Say what was done: cost, mileage and the next item are kept with it, all or nothing."""
    return done_json(done_services.mark_done(item_id, values, files, revision=revision, by=by))


@changes(
    f"{DUE_ITEM}/snooze",
    schemas.DueReply,
    schemas.SnoozeBody,
    version=_open_version,
    failures=(Conflict,),
)
def snooze_item(body: dict[str, Any], item_id: int, *, revision: int, by: int) -> dict[str, Any]:
    """Keep an item quiet until a day; MOT, tax and insurance can't be."""
    services.snooze_item(item_id, **body, revision=revision, by=by)
    return due_json(queries.get_row(item_id))


@changes.by_managers(
    DUE_ITEM,
    schemas.DueReply,
    schemas.DueChangeBody,
    method="PATCH",
    version=_open_version,
    failures=(Conflict,),
)
def change_due_item(
    body: dict[str, Any], item_id: int, *, revision: int, by: int
) -> dict[str, Any]:
    """Change when an open item is due, its label, and which vehicles share it."""
    values = replace(services.values_of(queries.get_item(item_id)), **body)
    services.edit_item(item_id, values, revision=revision, by=by)
    return due_json(queries.get_row(item_id))


@changes.by_managers(
    f"{DUE_ITEM}/withdraw", schemas.DueItemReply, version=_open_version, failures=(Conflict,)
)
def withdraw_due_item(item_id: int, *, revision: int, by: int) -> dict[str, Any]:
    """Close an item that isn't due any more; it stays readable."""
    services.withdraw_item(item_id, revision=revision, by=by)
    return _reply(item_id)


@changes.by_managers(
    f"{DUE_ITEM}/done/<row_id:done_id>/undo", schemas.DueItemReply, failures=(Conflict,)
)
def undo_done(item_id: int, done_id: int, *, by: int) -> dict[str, Any]:
    """Take back what was done: the item is open again, and the one that followed is withdrawn."""
    if get_done(done_id).due_item_id != item_id:
        raise NothingDone
    done_services.undo_done(done_id, by=by)
    return _reply(item_id)


def _matching(part: DuePart, today: date) -> Iterable[queries.DueRow]:
    rows = queries.items_of([part.reg_key], today) if part.reg_key else queries.open_items(today)
    return (
        row
        for row in rows
        if part.kind in ("", row.terms.kind.value) and part.group in ("", row.standing.group.value)
    )


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
