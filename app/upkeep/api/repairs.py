"""The calls for repairs."""

from collections.abc import Sequence
from typing import Any

from flask import Response

from app.api.blueprint import change, raises
from app.api.changes import StoredReply, request_stamp
from app.api.numbers import REPAIRS
from app.attachments.queries import attachments_of
from app.attachments.schemas import AttachingBody
from app.attachments.services import add_attachments, attach_to_existing
from app.errors import Conflict, Forbidden
from app.records.calls import ListRequest, list_response, parameters_of
from app.sent_files import SentFile
from app.stock.schemas.movements import NotEnoughReply
from app.upkeep.api.records import preparation_of, run_change
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.models.repairs import Repair
from app.upkeep.queries import repairs as queries
from app.upkeep.queries.repairs import RepairRow
from app.upkeep.rules.repairs import RepairValues
from app.upkeep.schemas import repairs as schemas
from app.upkeep.schemas.repairs import repair_json
from app.upkeep.services import repairs as services
from app.web import rights
from app.web.access import current_user

LIST_NAME = "repairs"

REPAIR = "/repairs/<number>"

_NUMBER = [REPAIRS.parameter]


@bp.route("/repairs", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.RepairReply, parameters_of(schemas.REPAIR_LIST))
def repairs(requested: ListRequest) -> Response:
    """List the repairs, or those of a vehicle, the last recorded first."""
    return list_response(requested, schemas.REPAIR_LIST, _json)


@bp.route("/repairs", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.RepairBody)
@bp.response(201, schemas.RecordedRepairReply)
@bp.alt_response(409, schema=NotEnoughReply, description=NotEnoughReply.__doc__)
@change()
@raises(Conflict, Forbidden)
def record_repair(body: tuple[RepairValues, Sequence[SentFile]]) -> dict[str, Any]:
    """Record a repair: its defects wait for a sign-off, and its parts leave the stock."""
    values, files = body
    prepared, prepare = preparation_of(files)
    rights.check_works_in({part.store.division for part in values.stock_parts})

    def action() -> dict[str, Any]:
        by, stamp = current_user().user_id, request_stamp(LIST_NAME)
        done = services.record_repair(values, by=by, stamp=stamp)
        add_attachments(services.SUBJECT, done.id, prepared, by=by)
        return _recorded(done.id)

    return run_change(
        action,
        list_name=LIST_NAME,
        prepare=prepare,
        rebuild=lambda repair_id: StoredReply(_recorded(repair_id)),
    )


@bp.route(REPAIR, methods=["GET"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.response(200, schemas.RepairReply)
def repair(number: str) -> dict[str, Any]:
    """Return a repair by its number, such as R-0088."""
    return _reply(_repair(number).id)


@bp.route(f"{REPAIR}/attachments", methods=["POST"], parameters=_NUMBER)
@FLEET_AND_GPM
@bp.arguments(AttachingBody)
@bp.response(201, schemas.RepairReply)
@change()
def attach_to_repair(body: dict[str, Any], number: str) -> dict[str, Any]:
    """Attach photos and documents to a repair, such as an invoice that came later."""
    by, repair_id = current_user().user_id, _repair(number).id
    prepared, prepare = preparation_of(body["attachments"])

    def action() -> dict[str, Any]:
        attach_to_existing(services.SUBJECT, repair_id, prepared, by=by)
        return _reply(repair_id)

    return run_change(action, list_name=LIST_NAME, prepare=prepare)


@bp.route(f"{REPAIR}/reverse", methods=["POST"], parameters=_NUMBER)
@FLEET_AND_GPM.by_managers
@bp.response(201, schemas.RecordedRepairReply)
@change()
@raises(Conflict, Forbidden)
def reverse_repair(number: str) -> dict[str, Any]:
    """Take a repair back: its costs, its parts and its defects' repair.

    A defect that was signed off stays closed, which is among the warnings.
    """

    def action() -> dict[str, Any]:
        taken_back = _repair(number)
        if not queries.why_not_reversed(taken_back):
            rights.check_works_in(queries.stock_divisions(taken_back))
        reversal = services.reverse_repair(taken_back.number, by=current_user().user_id)
        (row,) = queries.repair_rows([reversal])
        return {**_json([row])[0], "warnings": queries.signed_off(row.defects)}

    return run_change(action, list_name=LIST_NAME)


def _repair(number: str) -> Repair:
    return queries.get_repair(REPAIRS.parse_path(number))


def _recorded(repair_id: int) -> dict[str, Any]:
    question = services.mileage_question(queries.repair_by_id(repair_id))
    return {**_reply(repair_id), "warnings": [question] if question else []}


def _reply(repair_id: int) -> dict[str, Any]:
    (reply,) = _json(queries.repair_rows([queries.repair_by_id(repair_id)]))
    return reply


def _json(rows: Sequence[RepairRow]) -> Sequence[dict[str, Any]]:
    attached = attachments_of(services.SUBJECT, [row.repair.id for row in rows])
    return [repair_json(row, attached.get(row.repair.id, ())) for row in rows]
