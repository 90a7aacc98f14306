"""The calls for defects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Response

from app.accounts.queries import usernames
from app.api.blueprint import IfMatch, change, raises
from app.api.lists import list_response, record_tag
from app.api.numbers import DEFECTS
from app.attachments.queries import AttachmentRow, attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import attach_to_existing
from app.errors import Conflict, Forbidden, RoleRequired
from app.fleet.rules.findings import Severity
from app.fleet.rules.versions import UPKEEP
from app.sent_files import SentFile
from app.upkeep.api.records import RECORD_ETAG, matched_revision, preparation_of, run_change
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.defects import Defect
from app.upkeep.queries import defect_list
from app.upkeep.queries import defects as queries
from app.upkeep.queries.defect_list import SeenAgain
from app.upkeep.queries.defect_timeline import timeline
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing
from app.upkeep.schemas import defects as schemas
from app.upkeep.schemas.defect_timeline import DefectItemReply, happening_json
from app.upkeep.schemas.defects import DefectPart, defect_json
from app.upkeep.services import defect_decisions as services
from app.upkeep.services import defect_reports
from app.upkeep.services.defect_decisions import Booking
from app.upkeep.services.defect_reports import ReportedByHand
from app.upkeep.services.defects import SUBJECT
from app.web.access import current_user
from app.web.policies import may_change, why_not

LIST_NAME = "defects"

DEFECT = "/defects/<number>"

MAX_HAPPENINGS = 100
"""The most that the reply of one defect has of what happened to it."""

_NUMBER = [DEFECTS.parameter]

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
        UPKEEP,
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

    def action() -> dict[str, Any]:
        result = defect_reports.report_by_hand(report, prepared, by=current_user().user_id)
        return {**_reply(result.number), "isNew": result.is_new, "message": result.message}

    return run_change(action, list_name=LIST_NAME, prepare=prepare)


@bp.route(DEFECT, methods=["GET"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.response(200, DefectItemReply, headers=RECORD_ETAG)
def defect(number: str) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a defect by its number, such as D-0142, with what happened to it."""
    row = queries.get_defect(DEFECTS.parse_path(number))
    happened = [happening_json(entry) for entry in timeline(row)[:MAX_HAPPENINGS]]
    tag = record_tag(_tag_name(row.number), row.revision)
    return {**_reply(row.number), "timeline": happened}, tag


@bp.route(DEFECT, methods=["PATCH"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.arguments(schemas.DefectChangeBody)
@bp.response(200, schemas.DefectReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def change_defect(body: dict[str, Any], number: str) -> dict[str, Any]:
    """Assess a defect, which managers may, or book it in at a garage."""
    policy, user = FLEET_AND_GPM.by_managers, current_user()
    if "severity" in body and not may_change(policy, user):
        raise RoleRequired(why_not(policy, user))

    def action(number: int) -> None:
        revision: int | None = _match_revision(number)
        before, note = queries.get_defect(number), body["note"]
        if "severity" in body:
            severity = Severity(body["severity"])
            services.assess_defect(number, severity, note=note, revision=revision, by=user.user_id)
            revision, note = None, ""
        if "garage" in body or "bookedFor" in body:
            booking = Booking(
                body.get("garage", before.garage), body.get("bookedFor", before.booked_for)
            )
            services.book_defect(number, booking, note=note, revision=revision, by=user.user_id)

    return _run_once(number, action)


@bp.route(f"{DEFECT}/notes", methods=["POST"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.arguments(schemas.NoteBody)
@bp.response(201, schemas.DefectReply)
@change()
def note_defect(body: dict[str, Any], number: str) -> dict[str, Any]:
    """Add a note to a defect, files, or both; a note stays as it is written."""
    text, by = body["text"], current_user().user_id
    prepared, prepare = preparation_of(body["attachments"])
    return _run_once(
        number, lambda number: services.note_defect(number, text, prepared, by=by), prepare
    )


@bp.route(f"{DEFECT}/attachments", methods=["POST"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.arguments(AttachingBody)
@bp.response(201, schemas.DefectReply)
@change()
def attach_to_defect(body: dict[str, Any], number: str) -> dict[str, Any]:
    """Attach photos and documents to a defect, open or closed."""
    by = current_user().user_id
    prepared, prepare = preparation_of(body["attachments"])

    def action(number: int) -> None:
        attach_to_existing(SUBJECT, queries.get_defect(number).id, prepared, by=by)

    return _run_once(number, action, prepare)


@bp.route(f"{DEFECT}/close", methods=["POST"], parameters=_NUMBER)
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.ClosingBody)
@bp.response(200, schemas.DefectReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict, Forbidden)
def close_defect(choice: ClosingChoice, number: str) -> dict[str, Any]:
    """Close a defect with a reason, or sign its repair off; it is never opened again."""
    by = current_user().user_id

    def action(number: int) -> None:
        # Who comes second reads who was first, whichever version they have seen.
        message = queries.closed_message(queries.get_defect(number))
        if message:
            raise Conflict(message)
        revision = _match_revision(number)
        if choice.closing is Closing.REPAIRED:
            services.sign_off_defect(number, revision=revision, by=by)
        else:
            services.close_defect(number, choice, revision=revision, by=by)

    return _run_once(number, action)


def _run_once(
    path_number: str, action: Callable[[int], Any], prepare: Callable[[], None] | None = None
) -> dict[str, Any]:
    """Run an action on the defect of a path once; return the defect as it left it."""
    number = DEFECTS.parse_path(path_number)

    def run() -> dict[str, Any]:
        action(number)
        return _reply(number)

    return run_change(run, list_name=LIST_NAME, prepare=prepare)


def _match_revision(number: int) -> int:
    return matched_revision(_tag_name(number), queries.get_defect(number).revision)


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
    return [(row, seen[row.id], users, references, attached.get(row.id, ())) for row in defects]
