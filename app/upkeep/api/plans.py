"""The calls for plans."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response

from app.api.lists import ListPaging, list_response
from app.errors import Conflict
from app.fleet.rules.versions import UPKEEP
from app.records.changes import RECORD_ETAG, Changes, Version
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import plans as queries
from app.upkeep.queries.plans import PlanRow
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.schemas import plans as schemas
from app.upkeep.schemas.plans import plan_json
from app.upkeep.services import plans as services
from app.upkeep.services.plans import PlanChange

changes = Changes(bp, FLEET_AND_GPM, "plans")

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


@changes.by_managers(
    "/plans", schemas.PlanChangeReply, schemas.PlanBody, status=201, failures=(Conflict,)
)
def add_due_plan(draft: PlanDraft, *, by: int) -> dict[str, Any]:
    """Add a plan, and the items that it makes."""
    return _changed(services.save_plan(draft, confirmed=None, by=by))


def _version(plan_id: int) -> Version:
    return Version(f"plan-{plan_id}", queries.get_plan(plan_id).revision)


@bp.route(PLAN, methods=["GET"])
@FLEET_AND_GPM
@bp.response(200, schemas.PlanReply, headers=RECORD_ETAG)
def due_plan(plan_id: int) -> tuple[dict[str, Any], Mapping[str, str]]:
    """Return a plan, also one that was withdrawn."""
    return _reply(plan_id), _version(plan_id).tag


@changes.by_managers(
    PLAN,
    schemas.PlanChangeReply,
    schemas.PlanChangeBody(partial=True),
    method="PATCH",
    version=_version,
    failures=(Conflict,),
)
def change_due_plan(
    body: dict[str, Any], plan_id: int, *, revision: int, by: int
) -> dict[str, Any]:
    """Change a plan, and the open items that follow from something done."""
    draft = replace(queries.draft_of(queries.get_plan(plan_id)), **body)
    return _changed(
        services.save_plan(draft, plan_id=plan_id, revision=revision, confirmed=None, by=by)
    )


@changes.by_managers(
    f"{PLAN}/withdraw", schemas.PlanChangeReply, version=_version, failures=(Conflict,)
)
def withdraw_due_plan(plan_id: int, *, revision: int, by: int) -> dict[str, Any]:
    """Withdraw a plan with its open items; both stay readable."""
    return _changed(services.withdraw_plan(plan_id, revision=revision, by=by))


def _changed(change: PlanChange) -> dict[str, Any]:
    return _reply(change.plan_id) | {"effects": change.summary}


def _reply(plan_id: int) -> dict[str, Any]:
    (row,) = _with_vehicles([queries.plan_row(queries.get_plan(plan_id))])
    return plan_json(*row)


def _with_vehicles(rows: Sequence[PlanRow]) -> Sequence[tuple[PlanRow, Collection[str]]]:
    chosen = queries.chosen_vehicles([row.plan.id for row in rows])
    return [(row, chosen.get(row.plan.id, {}).values()) for row in rows]
