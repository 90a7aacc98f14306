"""JSON calls of defects and repairs."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from app.accounts.queries import usernames
from app.attachments.queries import attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import PreparedFile, add_attachments, attach_to_existing
from app.defects.acts import defects as acts
from app.defects.api.scope import bp
from app.defects.models import Defect, Repair
from app.defects.queries import defects as defect_queries
from app.defects.queries import lists as defect_list
from app.defects.queries import repairs as repair_queries
from app.defects.queries.repairs import RepairRow
from app.defects.queries.timeline import timeline
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing
from app.defects.rules.repairs import RepairValues
from app.defects.schemas import defects as defect_schemas
from app.defects.schemas import repairs as repair_schemas
from app.defects.schemas.defects import DEFECT_LIST, DefectItemReply, DefectReply, HappeningReply
from app.defects.schemas.repairs import RepairReply
from app.defects.services import decisions
from app.defects.services import repairs as repair_services
from app.defects.services import reports as defect_reports
from app.defects.services.defects import SUBJECT, DefectReport
from app.errors import Conflict, Forbidden, RoleRequired
from app.fleet.acts import FLEET_AND_GPM
from app.fleet.schemas.numbers import DEFECTS, REPAIRS
from app.idempotency import Stamp
from app.records.calls import (
    RECORD_ETAG,
    Changes,
    ListRequest,
    Version,
    list_response,
    parameters_of,
)
from app.stock.schemas.movements import NotEnoughReply
from app.web import rights
from app.web.access import current_user
from app.web.policies import may_change, why_not

DEFECT = "/defects/<number>"

MAX_HAPPENINGS = 100
"""The most that the reply of one defect has of what happened to it."""

_NUMBER = [DEFECTS.parameter]

changes = Changes(bp, FLEET_AND_GPM, "defects")


@bp.route("/defects", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(defect_schemas.DefectReply, parameters_of(DEFECT_LIST))
def defects(requested: ListRequest) -> Response:
    """List the defects in the order they were opened, with the list's ETag if it is whole."""
    return list_response(requested, DEFECT_LIST, _json)


@changes("/defects", defect_schemas.ReportedReply, defect_schemas.DefectBody, status=201)
def report_defect(
    report: DefectReport, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Report a defect; one of a part that has an open defect is a sighting of that one."""
    result = defect_reports.report_by_hand(report, files, by=by)
    return {**_reply(result.number), "isNew": result.is_new, "message": result.message}


@bp.route(DEFECT, methods=["GET"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.response(200, DefectItemReply, headers=RECORD_ETAG)
def defect(number: str) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a defect by its number, such as D-0142, with what happened to it."""
    row = _defect(number)
    happened = HappeningReply.write_all(timeline(row)[:MAX_HAPPENINGS])
    return {**_json([row])[0], "timeline": happened}, _version(number).tag


def _defect(number: str) -> Defect:
    return defect_queries.get_defect(DEFECTS.parse_path(number))


def _version(number: str) -> Version:
    row = _defect(number)
    return Version(f"defect-{row.number}", row.revision)


def _open_version(number: str) -> Version:
    """Return the version of an open defect; who comes second reads who was first."""
    if message := defect_queries.closed_message(_defect(number)):
        raise Conflict(message)
    return _version(number)


@changes(
    DEFECT,
    defect_schemas.DefectReply,
    defect_schemas.DefectChangeBody,
    method="PATCH",
    version=_version,
    failures=(Conflict,),
    parameters=_NUMBER,
)
def change_defect(body: dict[str, Any], number: str, *, revision: int, by: int) -> dict[str, Any]:
    """Assess a defect, which managers may, or book it in at a garage."""
    policy, user, defect = FLEET_AND_GPM.by_managers, current_user(), DEFECTS.parse_path(number)
    before, note, seen = defect_queries.get_defect(defect), body["note"], revision
    if "severity" in body:
        if not may_change(policy, user):
            raise RoleRequired(why_not(policy, user))
        decisions.assess_defect(defect, body["severity"], note=note, revision=seen, by=by)
        seen, note = before.revision, ""
    if "garage" in body or "booked_for" in body:
        booked_for = body.get("booked_for", before.booked_for)
        garage = body.get("garage", before.garage)
        decisions.book_defect(defect, garage, booked_for, note=note, revision=seen, by=by)
    return _reply(defect)


@changes(
    f"{DEFECT}/notes",
    defect_schemas.DefectReply,
    defect_schemas.NoteBody,
    status=201,
    parameters=_NUMBER,
)
def note_defect(
    body: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Add a note to a defect, files, or both; a note stays as it is written."""
    decisions.note_defect(DEFECTS.parse_path(number), body["text"], files, by=by)
    return _reply(DEFECTS.parse_path(number))


@changes(
    f"{DEFECT}/attachments",
    defect_schemas.DefectReply,
    AttachingBody,
    status=201,
    parameters=_NUMBER,
)
def attach_to_defect(
    _: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Attach photos and documents to a defect, open or closed."""
    defect = _defect(number)
    attach_to_existing(SUBJECT, defect.id, files, by=by)
    return _reply(defect.number)


@changes.by_managers(
    f"{DEFECT}/close",
    defect_schemas.DefectReply,
    defect_schemas.ClosingBody,
    version=_open_version,
    failures=(Conflict, Forbidden),
    parameters=_NUMBER,
)
def close_defect(choice: ClosingChoice, number: str, *, revision: int, by: int) -> dict[str, Any]:
    """Close a defect with a reason, or sign its repair off; it is never opened again."""
    defect = DEFECTS.parse_path(number)
    if choice.closing is Closing.REPAIRED:
        decisions.sign_off_defect(defect, revision=revision, by=by)
    else:
        decisions.close_defect(defect, choice, revision=revision, by=by)
    return _reply(defect)


def _reply(number: int) -> dict[str, Any]:
    return _json([defect_queries.get_defect(number)])[0]


def _json(defects: Sequence[Defect]) -> Sequence[dict[str, Any]]:
    seen = defect_list.seen_again([row.id for row in defects])
    people = {id_ for row in defects for id_ in (row.reported_by, row.assessed_by, row.closed_by)}
    users = usernames(people)
    linked = {id_ for row in defects for id_ in (row.repeat_of_id, row.duplicate_of_id)}
    references = defect_queries.references(linked)
    attached = attachments_of(SUBJECT, [row.id for row in defects])
    return [
        DefectReply.write(
            row,
            reported_by=users[row.reported_by],
            times_seen=seen[row.id].times,
            last_seen=seen[row.id].last_seen(row.day),
            last_answer=seen[row.id].answer,
            assessed_by=users[row.assessed_by] if row.assessed_at else None,
            repeat_of=references[row.repeat_of_id],
            duplicate_of=references[row.duplicate_of_id],
            closed_by=users[row.closed_by] if row.closed_at else None,
            attachments=attached.get(row.id, ()),
        )
        for row in defects
    ]


repair_changes = Changes(bp, FLEET_AND_GPM, "repairs")

REPAIR = "/repairs/<number>"

_REPAIR_NUMBER = [REPAIRS.parameter]


@bp.route("/repairs", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(repair_schemas.RepairReply, parameters_of(repair_schemas.REPAIR_LIST))
def repairs(requested: ListRequest) -> Response:
    """List the repairs, or those of a vehicle, the last recorded first."""
    return list_response(requested, repair_schemas.REPAIR_LIST, _repair_json)


def _recorded(repair_id: int) -> dict[str, Any]:
    question = repair_services.mileage_question(repair_queries.repair_by_id(repair_id))
    return {**_repair_reply(repair_id), "warnings": [question] if question else []}


@repair_changes(
    "/repairs",
    repair_schemas.RecordedRepairReply,
    repair_schemas.RepairBody,
    status=201,
    failures=(Conflict, Forbidden),
    conflict=NotEnoughReply,
    rebuild=_recorded,
)
def record_repair(
    values: RepairValues, *, files: Sequence[PreparedFile], stamp: Stamp, by: int
) -> dict[str, Any]:
    """Record a repair: its defects wait for a sign-off, and its parts leave the stock."""
    rights.check_works_in({part.store.division for part in values.stock_parts})
    done = repair_services.record_repair(values, by=by, stamp=stamp)
    add_attachments(repair_services.SUBJECT, done.id, files, by=by)
    return _recorded(done.id)


@bp.route(REPAIR, methods=["GET"], parameters=_REPAIR_NUMBER)
@FLEET_AND_GPM
@bp.response(200, repair_schemas.RepairReply)
def repair(number: str) -> dict[str, Any]:
    """Return a repair by its number, such as R-0088."""
    return _repair_reply(_repair(number).id)


@repair_changes(
    f"{REPAIR}/attachments",
    repair_schemas.RepairReply,
    AttachingBody,
    status=201,
    parameters=_REPAIR_NUMBER,
)
def attach_to_repair(
    _: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Attach photos and documents to a repair, such as an invoice that came later."""
    repair_id = _repair(number).id
    attach_to_existing(repair_services.SUBJECT, repair_id, files, by=by)
    return _repair_reply(repair_id)


@repair_changes.by_managers(
    f"{REPAIR}/reverse",
    repair_schemas.RecordedRepairReply,
    status=201,
    failures=(Conflict, Forbidden),
    parameters=_REPAIR_NUMBER,
)
def reverse_repair(number: str, *, by: int) -> dict[str, Any]:
    """Take a repair back: its costs, its parts and its defects' repair.

    A defect that was signed off stays closed, which is among the warnings.
    """
    reversal = acts.reverse_repair(REPAIRS.parse_path(number), by=by)
    (row,) = repair_queries.repair_rows([reversal])
    return {**_repair_json([row])[0], "warnings": repair_queries.signed_off(row.defects)}


def _repair(number: str) -> Repair:
    return repair_queries.get_repair(REPAIRS.parse_path(number))


def _repair_reply(repair_id: int) -> dict[str, Any]:
    (reply,) = _repair_json(repair_queries.repair_rows([repair_queries.repair_by_id(repair_id)]))
    return reply


def _repair_json(rows: Sequence[RepairRow]) -> Sequence[dict[str, Any]]:
    attached = attachments_of(repair_services.SUBJECT, [row.repair.id for row in rows])
    return [RepairReply.write(row, attachments=attached.get(row.repair.id, ())) for row in rows]
