"""The calls for defects."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from app.accounts.queries import usernames
from app.api.numbers import DEFECTS
from app.attachments.queries import attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import PreparedFile, attach_to_existing
from app.errors import Conflict, Forbidden, RoleRequired
from app.fleet.rules.findings import Severity
from app.records.calls import ListRequest, list_response, parameters_of
from app.records.changes import RECORD_ETAG, Changes, Version
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.defects import Defect
from app.upkeep.queries import defect_list
from app.upkeep.queries import defects as queries
from app.upkeep.queries.defect_timeline import timeline
from app.upkeep.rules.defects import ClosingChoice
from app.upkeep.rules.kinds import Closing
from app.upkeep.schemas import defects as schemas
from app.upkeep.schemas.defect_timeline import DefectItemReply, happening_json
from app.upkeep.schemas.defects import DEFECT_LIST, defect_json
from app.upkeep.services import defect_decisions as services
from app.upkeep.services import defect_reports
from app.upkeep.services.defect_decisions import Booking
from app.upkeep.services.defect_reports import ReportedByHand
from app.upkeep.services.defects import SUBJECT
from app.web.access import current_user
from app.web.policies import may_change, why_not

DEFECT = "/defects/<number>"

MAX_HAPPENINGS = 100
"""The most that the reply of one defect has of what happened to it."""

_NUMBER = [DEFECTS.parameter]

changes = Changes(bp, FLEET_AND_GPM, "defects")


@bp.route("/defects", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.DefectReply, parameters_of(DEFECT_LIST))
def defects(requested: ListRequest) -> Response:
    """List the defects in the order they were opened, with the list's ETag if it is whole."""
    return list_response(requested, DEFECT_LIST, _json)


@changes("/defects", schemas.ReportedReply, schemas.DefectBody, status=201)
def report_defect(
    report: ReportedByHand, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Report a defect; one of a part that has an open defect is a sighting of that one."""
    result = defect_reports.report_by_hand(report, files, by=by)
    return {**_reply(result.number), "isNew": result.is_new, "message": result.message}


@bp.route(DEFECT, methods=["GET"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.response(200, DefectItemReply, headers=RECORD_ETAG)
def defect(number: str) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a defect by its number, such as D-0142, with what happened to it."""
    row = queries.get_defect(DEFECTS.parse_path(number))
    happened = [happening_json(entry) for entry in timeline(row)[:MAX_HAPPENINGS]]
    return {**_reply(row.number), "timeline": happened}, _version(number).tag


def _version(number: str) -> Version:
    row = queries.get_defect(DEFECTS.parse_path(number))
    return Version(f"defect-{row.number}", row.revision)


def _open_version(number: str) -> Version:
    """Return the version of an open defect; who comes second reads who was first."""
    if message := queries.closed_message(queries.get_defect(DEFECTS.parse_path(number))):
        raise Conflict(message)
    return _version(number)


@changes(
    DEFECT,
    schemas.DefectReply,
    schemas.DefectChangeBody,
    method="PATCH",
    version=_version,
    failures=(Conflict,),
    parameters=_NUMBER,
)
def change_defect(body: dict[str, Any], number: str, *, revision: int, by: int) -> dict[str, Any]:
    """Assess a defect, which managers may, or book it in at a garage."""
    policy, user, defect = FLEET_AND_GPM.by_managers, current_user(), DEFECTS.parse_path(number)
    before, note, seen = queries.get_defect(defect), body["note"], revision
    if "severity" in body:
        if not may_change(policy, user):
            raise RoleRequired(why_not(policy, user))
        severity = Severity(body["severity"])
        services.assess_defect(defect, severity, note=note, revision=seen, by=by)
        seen, note = before.revision, ""
    if "garage" in body or "bookedFor" in body:
        booked_for = body.get("bookedFor", before.booked_for)
        booking = Booking(body.get("garage", before.garage), booked_for)
        services.book_defect(defect, booking, note=note, revision=seen, by=by)
    return _reply(defect)


@changes(f"{DEFECT}/notes", schemas.DefectReply, schemas.NoteBody, status=201, parameters=_NUMBER)
def note_defect(
    body: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Add a note to a defect, files, or both; a note stays as it is written."""
    services.note_defect(DEFECTS.parse_path(number), body["text"], files, by=by)
    return _reply(DEFECTS.parse_path(number))


@changes(
    f"{DEFECT}/attachments", schemas.DefectReply, AttachingBody, status=201, parameters=_NUMBER
)
def attach_to_defect(
    _: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Attach photos and documents to a defect, open or closed."""
    defect = queries.get_defect(DEFECTS.parse_path(number))
    attach_to_existing(SUBJECT, defect.id, files, by=by)
    return _reply(defect.number)


@changes.by_managers(
    f"{DEFECT}/close",
    schemas.DefectReply,
    schemas.ClosingBody,
    version=_open_version,
    failures=(Conflict, Forbidden),
    parameters=_NUMBER,
)
def close_defect(choice: ClosingChoice, number: str, *, revision: int, by: int) -> dict[str, Any]:
    """Close a defect with a reason, or sign its repair off; it is never opened again."""
    defect = DEFECTS.parse_path(number)
    if choice.closing is Closing.REPAIRED:
        services.sign_off_defect(defect, revision=revision, by=by)
    else:
        services.close_defect(defect, choice, revision=revision, by=by)
    return _reply(defect)


def _reply(number: int) -> dict[str, Any]:
    return _json([queries.get_defect(number)])[0]


def _json(defects: Sequence[Defect]) -> Sequence[dict[str, Any]]:
    seen = defect_list.seen_again([row.id for row in defects])
    people = {id_ for row in defects for id_ in (row.reported_by, row.assessed_by, row.closed_by)}
    users = usernames(people)
    linked = {id_ for row in defects for id_ in (row.repeat_of_id, row.duplicate_of_id)}
    references = queries.references(linked)
    attached = attachments_of(SUBJECT, [row.id for row in defects])
    return [
        defect_json(row, seen[row.id], users, references, attached.get(row.id, ()))
        for row in defects
    ]
