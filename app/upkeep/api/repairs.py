"""The calls for repairs."""

from collections.abc import Sequence
from typing import Any

from flask import Response

from app.api.numbers import REPAIRS
from app.attachments.queries import attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import PreparedFile, add_attachments, attach_to_existing
from app.errors import Conflict, Forbidden
from app.idempotency import Stamp
from app.records.calls import ListRequest, list_response, parameters_of
from app.records.changes import Changes
from app.stock.schemas.movements import NotEnoughReply
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.repairs import Repair
from app.upkeep.queries import repairs as queries
from app.upkeep.queries.repairs import RepairRow
from app.upkeep.rules.repairs import RepairValues
from app.upkeep.schemas import repairs as schemas
from app.upkeep.schemas.repairs import repair_json
from app.upkeep.services import repairs as services
from app.web import rights

changes = Changes(bp, FLEET_AND_GPM, "repairs")

REPAIR = "/repairs/<number>"

_NUMBER = [REPAIRS.parameter]


@bp.route("/repairs", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.RepairReply, parameters_of(schemas.REPAIR_LIST))
def repairs(requested: ListRequest) -> Response:
    """List the repairs, or those of a vehicle, the last recorded first."""
    return list_response(requested, schemas.REPAIR_LIST, _json)


def _recorded(repair_id: int) -> dict[str, Any]:
    question = services.mileage_question(queries.repair_by_id(repair_id))
    return {**_reply(repair_id), "warnings": [question] if question else []}


@changes(
    "/repairs",
    schemas.RecordedRepairReply,
    schemas.RepairBody,
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
    done = services.record_repair(values, by=by, stamp=stamp)
    add_attachments(services.SUBJECT, done.id, files, by=by)
    return _recorded(done.id)


@bp.route(REPAIR, methods=["GET"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.response(200, schemas.RepairReply)
def repair(number: str) -> dict[str, Any]:
    """Return a repair by its number, such as R-0088."""
    return _reply(_repair(number).id)


@changes(
    f"{REPAIR}/attachments", schemas.RepairReply, AttachingBody, status=201, parameters=_NUMBER
)
def attach_to_repair(
    _: dict[str, Any], number: str, *, files: Sequence[PreparedFile], by: int
) -> dict[str, Any]:
    """Attach photos and documents to a repair, such as an invoice that came later."""
    repair_id = _repair(number).id
    attach_to_existing(services.SUBJECT, repair_id, files, by=by)
    return _reply(repair_id)


@changes.by_managers(
    f"{REPAIR}/reverse",
    schemas.RecordedRepairReply,
    status=201,
    failures=(Conflict, Forbidden),
    parameters=_NUMBER,
)
def reverse_repair(number: str, *, by: int) -> dict[str, Any]:
    """Take a repair back: its costs, its parts and its defects' repair.

    A defect that was signed off stays closed, which is among the warnings.
    """
    taken_back = _repair(number)
    if not queries.why_not_reversed(taken_back):
        rights.check_works_in(queries.stock_divisions(taken_back))
    (row,) = queries.repair_rows([services.reverse_repair(taken_back.number, by=by)])
    return {**_json([row])[0], "warnings": queries.signed_off(row.defects)}


def _repair(number: str) -> Repair:
    return queries.get_repair(REPAIRS.parse_path(number))


def _reply(repair_id: int) -> dict[str, Any]:
    (reply,) = _json(queries.repair_rows([queries.repair_by_id(repair_id)]))
    return reply


def _json(rows: Sequence[RepairRow]) -> Sequence[dict[str, Any]]:
    attached = attachments_of(services.SUBJECT, [row.repair.id for row in rows])
    return [repair_json(row, attached.get(row.repair.id, ())) for row in rows]
