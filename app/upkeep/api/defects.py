"""The calls for defects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Response

from app.api.blueprint import IfMatch, change, raises
from app.api.changes import StoredReply, run_once
from app.api.lists import check_record, list_response, record_tag
from app.attachments.queries import AttachmentRow, attachments_of
from app.errors import (
    Conflict,
    EditConflict,
    Forbidden,
    PreconditionFailed,
    RoleRequired,
    rename_fields,
)
from app.fleet.queries.people import usernames
from app.fleet.rules.findings import Severity
from app.sent_files import SentFile
from app.upkeep.api.files import JSON_NAMES, preparation_of
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.defects import Defect
from app.upkeep.queries import defect_list
from app.upkeep.queries import defects as queries
from app.upkeep.queries.defect_list import SeenAgain
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing
from app.upkeep.schemas import defects as schemas
from app.upkeep.schemas.defects import DefectPart, defect_json
from app.upkeep.services import defect_decisions as services
from app.upkeep.services import defect_reports
from app.upkeep.services.defect_decisions import Booking
from app.upkeep.services.defect_reports import ReportedByHand
from app.upkeep.services.defects import SUBJECT
from app.upkeep.services.readings import LIST
from app.web.access import current_user
from app.web.policies import may_change, why_not

LIST_NAME = "defects"

DEFECT = "/defects/<row_id:number>"

_ETAG = {
    "ETag": {"schema": {"type": "string"}, "description": "Version of the defect, for If-Match"}
}
_JSON_NAMES = {
    "duplicate_of": "duplicateOf",
    "accepted_until": "acceptedUntil",
    "booked_for": "bookedFor",
    **JSON_NAMES,
}

Row = tuple[
    Defect,
    SeenAgain,
    Mapping[int | None, str],
    Mapping[int | None, str | None],
    Sequence[AttachmentRow],
]


@bp.route("/defects", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.DefectReply, schemas.DefectPaging)
def defects(part: DefectPart) -> Response:
    """List the defects in the order they were opened, with the list's ETag if it is whole."""
    return list_response(
        part.paging,
        LIST,
        # Read at once, so that a slow client doesn't occupy a connection to the database.
        rows=lambda: _rows(defect_list.defects_after(part.filters)),
        rows_after=lambda after, limit: _rows(
            defect_list.defects_after(part.filters, limit, int(after or 0))
        ),
        key=lambda row: str(row[0].id),
        write=lambda row: defect_json(*row),
    )


@bp.route("/defects", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.DefectBody)
@bp.response(201, schemas.ReportedReply)
@change()
def report_defect(body: tuple[ReportedByHand, Sequence[SentFile]]) -> dict[str, Any]:
    """Report a defect; one of a part that has an open defect is a sighting of that one."""
    report, files = body
    prepared, prepare = preparation_of(files)

    def action() -> StoredReply:
        result = defect_reports.report_by_hand(report, prepared, by=current_user().user_id)
        reply = {**_reply(result.number), "isNew": result.is_new, "message": result.message}
        return StoredReply(reply)

    with rename_fields(_JSON_NAMES):
        return run_once(StoredReply, action, list_name=LIST_NAME, prepare=prepare).values


@bp.route(DEFECT, methods=["GET"])
@FLEET_AND_GPM
@bp.response(200, schemas.DefectReply, headers=_ETAG)
def defect(number: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a defect by its number, such as 142 for D-0142."""
    row = queries.get_defect(number)
    return _reply(number), record_tag(_tag_name(number), row.revision)


@bp.route(DEFECT, methods=["PATCH"])
@FLEET_AND_GPM
@bp.arguments(schemas.DefectChangeBody)
@bp.response(200, schemas.DefectReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def change_defect(body: dict[str, Any], number: int) -> dict[str, Any]:
    """Assess a defect, which managers may, or book it in at a garage."""
    policy, user = FLEET_AND_GPM.by_managers, current_user()
    if "severity" in body and not may_change(policy, user):
        raise RoleRequired(why_not(policy, user))

    def action() -> None:
        revision: int | None = _check_match(number)
        note = body["note"]
        if "severity" in body:
            severity = Severity(body["severity"])
            services.assess_defect(number, severity, note=note, revision=revision, by=user.user_id)
            revision, note = None, ""
        if body["garage"] is not None:
            booking = Booking(body["garage"], body["bookedFor"])
            services.book_defect(number, booking, note=note, revision=revision, by=user.user_id)

    return _run_once(number, action)


@bp.route(f"{DEFECT}/notes", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.NoteBody)
@bp.response(201, schemas.DefectReply)
@change()
def note_defect(body: dict[str, Any], number: int) -> dict[str, Any]:
    """Add a note to a defect; it stays as it is written."""
    by = current_user().user_id
    prepared, prepare = preparation_of(body["attachments"])
    return _run_once(
        number, lambda: services.note_defect(number, body["text"], prepared, by=by), prepare
    )


@bp.route(f"{DEFECT}/close", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.ClosingBody)
@bp.response(200, schemas.DefectReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict, Forbidden)
def close_defect(choice: ClosingChoice, number: int) -> dict[str, Any]:
    """Close a defect with a reason, or sign its repair off; it is never opened again."""
    by = current_user().user_id

    def action() -> None:
        # Who comes second reads who was first, whichever version they have seen.
        message = queries.closed_message(queries.get_defect(number))
        if message:
            raise Conflict(message)
        revision = _check_match(number)
        if choice.closing is Closing.REPAIRED:
            services.sign_off_defect(number, revision=revision, by=by)
        else:
            services.close_defect(number, choice, revision=revision, by=by)

    return _run_once(number, action)


def _run_once(
    number: int, action: Any, prepare: Callable[[], None] | None = None
) -> dict[str, Any]:
    """Run an action on a defect once; return the defect as it left it."""

    def run() -> StoredReply:
        try:
            action()
        except EditConflict:
            raise PreconditionFailed("It has changed since. Load it again.") from None
        return StoredReply(_reply(number))

    with rename_fields(_JSON_NAMES):
        return run_once(StoredReply, run, list_name=LIST_NAME, prepare=prepare).values


def _check_match(number: int) -> int:
    """Return the revision of a defect, which If-Match has to name."""
    revision = queries.get_defect(number).revision
    check_record(_tag_name(number), revision)
    return revision


def _tag_name(number: int) -> str:
    return f"defect-{number}"


def _reply(number: int) -> dict[str, Any]:
    (row,) = _rows([queries.get_defect(number)])
    return defect_json(*row)


def _rows(defects: Sequence[Defect]) -> list[Row]:
    seen = defect_list.seen_again([row.id for row in defects])
    people = {id_ for row in defects for id_ in (row.reported_by, row.assessed_by, row.closed_by)}
    users = usernames(people)
    linked = {id_ for row in defects for id_ in (row.repeat_of_id, row.duplicate_of_id)}
    references = queries.references(linked)
    attached = attachments_of(SUBJECT, [row.id for row in defects])
    return [
        (row, seen.get(row.id, SeenAgain()), users, references, attached.get(row.id, ()))
        for row in defects
    ]
