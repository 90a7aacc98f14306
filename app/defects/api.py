"""The JSON calls about defects, repairs and times off the road."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from app.accounts.queries import usernames
from app.api.blueprint import text_in_path
from app.api.lists import ListPaging, list_response
from app.attachments.queries import attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import PreparedFile, attach_to_existing
from app.defects.acts import reverse_repair as reverse
from app.defects.models import Defect, Repair
from app.defects.queries import defects as queries
from app.defects.queries import off_road as off_road_queries
from app.defects.queries import repairs as repair_queries
from app.defects.queries.timeline import timeline
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing, RepairValues
from app.defects.schemas import defects as schemas
from app.defects.schemas import repairs as repair_schemas
from app.defects.schemas.defects import DefectReply
from app.defects.schemas.repairs import REPAIR_LIST, OffRoadReply, RecordedRepairReply, RepairReply
from app.defects.services import decisions, off_road, reports
from app.defects.services import repairs as repair_services
from app.defects.services.defects import SUBJECT, DefectReport, check_not_closed
from app.errors import Conflict, Forbidden, RoleRequired, existing
from app.fleet.acts import FLEET_AND_GPM, fleet_call, serves_upkeep, upkeep_calls
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules import vehicles as plates
from app.fleet.schemas.numbers import DEFECTS, REPAIRS
from app.idempotency import Stamp
from app.records import calls
from app.records.calls import RECORD_ETAG, Changes, Version
from app.stock.schemas.movements import NotEnoughReply
from app.web import rights
from app.web.access import current_user
from app.web.policies import may_change, why_not

Json = dict[str, Any]
Files = Sequence[PreparedFile]

MAX_HAPPENINGS = 100
"""The most that the reply of one defect has of what happened to it."""

DEFECT, REPAIR = "/defects/<number>", "/repairs/<number>"

_DEFECT, _REPAIR = [DEFECTS.parameter], [REPAIRS.parameter]

_REG = [text_in_path("reg", limit=plates.MAX_PLATE_LENGTH, example="LK19 VTE")]

bp = upkeep_calls("defects")

changes = Changes(bp, FLEET_AND_GPM, "defects")
repair_changes = Changes(bp, FLEET_AND_GPM, "repairs")
off_road_changes = Changes(bp, FLEET_AND_GPM, "off-road")

register_calls = serves_upkeep(bp)


@fleet_call(bp, "/defects", bp.lists(DefectReply, calls.parameters_of(schemas.DEFECT_LIST)))
def defects(requested: calls.ListRequest) -> Response:
    """List the defects in the order they were opened, with the list's ETag if it is whole."""
    return calls.list_response(requested, schemas.DEFECT_LIST, _json)


@changes("/defects", schemas.ReportedReply, schemas.DefectBody, status=201)
def report_defect(report: DefectReport, *, files: Files, by: int) -> Json:
    """Report a defect; one of a part that has an open defect is a sighting of that one."""
    result = reports.report_by_hand(report, files, by=by)
    return {**_reply(result.number), "isNew": result.is_new, "message": result.message}


@fleet_call(
    bp,
    DEFECT,
    bp.response(200, schemas.DefectItemReply, headers=RECORD_ETAG),
    parameters=_DEFECT,
)
def defect(number: str) -> tuple[Json, Mapping[str, str]]:
    """Return a defect by its number, such as D-0142, with what happened to it."""
    row = queries.get_defect(DEFECTS.parse_path(number))
    happened = schemas.HappeningReply.write_all(timeline(row)[:MAX_HAPPENINGS])
    return {**_json([row])[0], "timeline": happened}, _version(number).tag


def _version(number: str) -> Version:
    row = queries.get_defect(DEFECTS.parse_path(number))
    return Version(f"defect-{row.number}", row.revision)


def _open_version(number: str) -> Version:
    """Return the version of an open defect; who comes second reads who was first."""
    check_not_closed(queries.get_defect(DEFECTS.parse_path(number)))
    return _version(number)


@changes(
    DEFECT,
    DefectReply,
    schemas.DefectChangeBody,
    method="PATCH",
    version=_version,
    failures=(Conflict,),
    parameters=_DEFECT,
)
def change_defect(body: Json, number: str, *, revision: int, by: int) -> Json:
    """Assess a defect, which managers may, or book it in at a garage."""
    policy, user = FLEET_AND_GPM.by_managers, current_user()
    before = queries.get_defect(DEFECTS.parse_path(number))
    note, seen = body["note"], revision
    if "severity" in body:
        if not may_change(policy, user):
            raise RoleRequired(why_not(policy, user))
        decisions.assess_defect(before.number, body["severity"], note=note, revision=seen, by=by)
        seen, note = before.revision, ""
    if "garage" in body or "booked_for" in body:
        garage = body.get("garage", before.garage)
        day = body.get("booked_for", before.booked_for)
        decisions.book_defect(before.number, garage, day, note=note, revision=seen, by=by)
    return _reply(before.number)


@changes(f"{DEFECT}/notes", DefectReply, schemas.NoteBody, status=201, parameters=_DEFECT)
def note_defect(body: Json, number: str, *, files: Files, by: int) -> Json:
    """Add a note to a defect, files, or both; a note stays as it is written."""
    defect = DEFECTS.parse_path(number)
    return _reply(decisions.note_defect(defect, body["text"], files, by=by).number)


@changes(f"{DEFECT}/attachments", DefectReply, AttachingBody, status=201, parameters=_DEFECT)
def attach_to_defect(_: Json, number: str, *, files: Files, by: int) -> Json:
    """Attach photos and documents to a defect, open or closed."""
    row = queries.get_defect(DEFECTS.parse_path(number))
    attach_to_existing(SUBJECT, row.id, files, by=by)
    return _reply(row.number)


@changes.by_managers(
    f"{DEFECT}/close",
    DefectReply,
    schemas.ClosingBody,
    version=_open_version,
    failures=(Conflict, Forbidden),
    parameters=_DEFECT,
)
def close_defect(choice: ClosingChoice, number: str, *, revision: int, by: int) -> Json:
    """Close a defect with a reason, or sign its repair off; it is never opened again."""
    defect = DEFECTS.parse_path(number)
    if choice.closing is Closing.REPAIRED:
        decisions.sign_off_defect(defect, revision=revision, by=by)
    else:
        decisions.close_defect(defect, choice, revision=revision, by=by)
    return _reply(defect)


def _reply(number: int) -> Json:
    return _json([queries.get_defect(number)])[0]


def _json(defects: Sequence[Defect]) -> Sequence[Json]:
    ids = [row.id for row in defects]
    seen, attached = queries.seen_again(ids), attachments_of(SUBJECT, ids)
    people = {id_ for row in defects for id_ in (row.reported_by, row.assessed_by, row.closed_by)}
    users = usernames(people)
    linked = {id_ for row in defects for id_ in (row.repeat_of_id, row.duplicate_of_id)}
    references = queries.references(linked)
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


@fleet_call(bp, "/repairs", bp.lists(RepairReply, calls.parameters_of(REPAIR_LIST)))
def repairs(requested: calls.ListRequest) -> Response:
    """List the repairs, or those of a vehicle, the last recorded first."""
    return calls.list_response(requested, REPAIR_LIST, _repair_json)


def _recorded(row: Repair) -> Json:
    question = repair_services.mileage_question(row)
    return {**_repair_reply(row), "warnings": [question] if question else []}


@repair_changes(
    "/repairs",
    RecordedRepairReply,
    repair_schemas.RepairBody,
    status=201,
    failures=(Conflict, Forbidden),
    conflict=NotEnoughReply,
    rebuild=lambda repair_id: _recorded(repair_queries.repair_by_id(repair_id)),
)
def record_repair(values: RepairValues, *, files: Files, stamp: Stamp, by: int) -> Json:
    """Record a repair: its defects wait for a sign-off, and its parts leave the stock."""
    rights.check_works_in({part.store.division for part in values.stock_parts})
    result = repair_services.record_repair(values, files, by=by, stamp=stamp)
    return _recorded(repair_queries.get_repair(result.number))


@fleet_call(bp, REPAIR, bp.response(200, RepairReply), parameters=_REPAIR)
def repair(number: str) -> Json:
    """Return a repair by its number, such as R-0088."""
    return _repair_reply(repair_queries.get_repair(REPAIRS.parse_path(number)))


@repair_changes(f"{REPAIR}/attachments", RepairReply, AttachingBody, status=201, parameters=_REPAIR)
def attach_to_repair(_: Json, number: str, *, files: Files, by: int) -> Json:
    """Attach photos and documents to a repair, such as an invoice that came later."""
    row = repair_queries.get_repair(REPAIRS.parse_path(number))
    attach_to_existing(repair_services.SUBJECT, row.id, files, by=by)
    return _repair_reply(row)


@repair_changes.by_managers(
    f"{REPAIR}/reverse",
    RecordedRepairReply,
    status=201,
    failures=(Conflict, Forbidden),
    parameters=_REPAIR,
)
def reverse_repair(number: str, *, by: int) -> Json:
    """Take a repair back: its costs, its parts and its defects' repair.

    A defect that was signed off stays closed, which is among the warnings.
    """
    reversal = reverse(REPAIRS.parse_path(number), by=by).number
    (row,) = repair_queries.repair_rows([repair_queries.get_repair(reversal)])
    return {**_repair_json([row])[0], "warnings": repair_queries.signed_off(row.defects)}


def _repair_reply(repair: Repair) -> Json:
    (reply,) = _repair_json(repair_queries.repair_rows([repair]))
    return reply


def _repair_json(rows: Sequence[repair_queries.RepairRow]) -> Sequence[Json]:
    attached = attachments_of(repair_services.SUBJECT, [row.repair.id for row in rows])
    return [RepairReply.write(row, attachments=attached.get(row.repair.id, ())) for row in rows]


@fleet_call(bp, "/vehicles/<reg>/off-road", bp.lists(OffRoadReply), parameters=_REG)
def times_off_road(paging: ListPaging, reg: str) -> Response:
    """List when a vehicle was off the road, newest first; the list may be empty."""
    reg_key = _key_on_record(reg)
    times_of = off_road_queries.times_of
    return list_response(
        paging,
        plates.UPKEEP,
        rows=lambda: times_of(reg_key),
        rows_after=lambda after, limit: times_of(reg_key, limit, int(after or 0)),
        key=lambda row: str(row.time.id),
        write=OffRoadReply.write,
    )


@off_road_changes(
    "/vehicles/<reg>/off-road",
    OffRoadReply,
    repair_schemas.TakeOffRoadBody,
    status=201,
    parameters=_REG,
)
def take_off_road(body: Json, reg: str, *, by: int) -> Json:
    """Take a vehicle off the road; one that is off already gains the reason."""
    _listed_key(reg)
    return _time_reply(off_road.report_off_road(reg, **body, by=by))


@off_road_changes.by_managers(
    "/vehicles/<reg>/return",
    OffRoadReply,
    repair_schemas.ReturnBody,
    failures=(Conflict,),
    conflict=repair_schemas.NotRoadworthyReply,
    parameters=_REG,
)
def return_to_road(body: Json, reg: str, *, by: int) -> Json:
    """Put a vehicle back on the road, unless something stands against it."""
    _key_on_record(reg)
    return _time_reply(off_road.return_to_road(reg, **body, by=by))


def _time_reply(result: off_road.OffRoadResult) -> Json:
    return OffRoadReply.write(off_road_queries.time_row(result.time_id))


def _listed_key(reg: str) -> str:
    plate = plates.clean_plate(reg)
    key = plates.plate_key(plate)
    existing(stored_plate(key), plates.describe_missing(plate))
    return key


def _key_on_record(reg: str) -> str:
    """Return the key of a listed or formerly off-road vehicle; raises NotFound."""
    key = plates.plate_key(plates.clean_plate(reg))
    return key if off_road_queries.last_time(key) else _listed_key(reg)
