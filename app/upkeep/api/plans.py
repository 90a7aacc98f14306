"""The calls for plans."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response

from app.api.blueprint import IfMatch, change, raises
from app.api.lists import ListPaging, list_response, record_tag
from app.errors import Conflict
from app.fleet.rules.versions import UPKEEP
from app.upkeep.api.records import RECORD_ETAG, matched_revision, run_change
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import plans as queries
from app.upkeep.queries.plans import PlanRow
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.schemas import plans as schemas
from app.upkeep.schemas.plans import plan_json
from app.upkeep.services import plans as services
from app.upkeep.services.plans import PlanChange
from app.web.access import current_user

LIST_NAME = "plans"

PLAN = "/plans/<row_id:plan_id>"


@bp.route("/plans", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.PlanReply)
def due_plans(paging: ListPaging) -> Response:
    """List the plans with how many open items they have, withdrawn ones too."""
    return list_response(
        paging,
        UPKEEP,
        rows=lambda: _with_vehicles(queries.plan_rows()),
        rows_after=lambda after, limit: _with_vehicles(queries.plan_rows(int(after or 0), limit)),
        key=lambda row: str(row[0].plan.id),
        write=lambda row: plan_json(*row),
    )


@bp.route("/plans", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.PlanBody)
@bp.response(201, schemas.PlanChangeReply)
@change()
@raises(Conflict)
def add_due_plan(draft: PlanDraft) -> dict[str, Any]:
    """Add a plan, and the items that it makes."""
    by = current_user().user_id
    return _save(lambda: services.save_plan(draft, confirmed=None, by=by))


@bp.route(PLAN, methods=["GET"])
@FLEET_AND_GPM
@bp.response(200, schemas.PlanReply, headers=RECORD_ETAG)
def due_plan(plan_id: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a plan, also one that was withdrawn."""
    return _reply(plan_id), record_tag(_tag_name(plan_id), queries.get_plan(plan_id).revision)


@bp.route(PLAN, methods=["PATCH"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.PlanChangeBody(partial=True))
@bp.response(200, schemas.PlanChangeReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def change_due_plan(body: dict[str, Any], plan_id: int) -> dict[str, Any]:
    """Change a plan, and the open items that follow from something done."""
    by = current_user().user_id

    def action() -> PlanChange:
        plan = queries.get_plan(plan_id)
        revision = matched_revision(_tag_name(plan_id), plan.revision)
        draft = replace(queries.draft_of(plan), **body)
        return services.save_plan(draft, plan_id=plan_id, revision=revision, confirmed=None, by=by)

    return _save(action)


@bp.route(f"{PLAN}/withdraw", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.response(200, schemas.PlanChangeReply)
@change(if_match=IfMatch.RECORD)
@raises(Conflict)
def withdraw_due_plan(plan_id: int) -> dict[str, Any]:
    """Withdraw a plan with its open items; both stay readable."""
    by = current_user().user_id

    def action() -> PlanChange:
        revision = matched_revision(_tag_name(plan_id), queries.get_plan(plan_id).revision)
        return services.withdraw_plan(plan_id, revision=revision, by=by)

    return _save(action)


def _save(action: Callable[[], PlanChange]) -> dict[str, Any]:
    def saved() -> dict[str, Any]:
        change = action()
        return _reply(change.plan_id) | {"effects": change.summary}

    return run_change(saved, list_name=LIST_NAME)


def _tag_name(plan_id: int) -> str:
    return f"plan-{plan_id}"


def _reply(plan_id: int) -> dict[str, Any]:
    (row,) = _with_vehicles([queries.plan_row(queries.get_plan(plan_id))])
    return plan_json(*row)


def _with_vehicles(rows: Sequence[PlanRow]) -> Sequence[tuple[PlanRow, Collection[str]]]:
    chosen = queries.chosen_vehicles([row.plan.id for row in rows])
    return [(row, chosen.get(row.plan.id, {}).values()) for row in rows]
