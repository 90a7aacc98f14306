"""JSON calls of due items and plans."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from flask import Response

from app import dates
from app.accounts.queries import usernames
from app.api.lists import ListPaging, list_response
from app.attachments.queries import attachments_of
from app.attachments.services import PreparedFile
from app.defects.queries.defects import references
from app.due import schemas
from app.due.models import DueItem
from app.due.queries import due as due_queries
from app.due.queries import plans as plan_queries
from app.due.rules.plans import PlanDraft
from app.due.services import done as done_services
from app.due.services import due as due_services
from app.due.services import plans as plan_services
from app.errors import Conflict
from app.fleet.acts import FLEET_AND_GPM, fleet_call, serves_upkeep, upkeep_calls
from app.fleet.rules.vehicles import UPKEEP
from app.records import calls
from app.records.calls import RECORD_ETAG, Changes, Version
from app.versions import version_of

Json = dict[str, Any]
Files = Sequence[PreparedFile]

bp = upkeep_calls("due")
register_calls = serves_upkeep(bp)

changes = Changes(bp, FLEET_AND_GPM, "due", failures=(Conflict,))
decisions = changes.by_managers

DUE_ITEM = "/due/<row_id:item_id>"

MAX_DONE = 100
"""The most that the reply of one item has of what was done."""


@fleet_call(bp, "/due", bp.lists(schemas.DueReply, schemas.DuePaging))
def due_items(part: tuple[ListPaging, Mapping[str, Any]]) -> Response:
    """List the open items as they stand today, the oldest first."""
    today = dates.today()
    paging, filters = part
    return list_response(
        paging,
        UPKEEP,
        rows=lambda: _matching(filters, today),
        rows_after=lambda after, limit: _matching(filters, today, int(after or 0))[:limit],
        write=schemas.DueReply.write,
        # How items stand changes with the day as well.
        version=lambda: version_of(UPKEEP) * 10_000_000 + today.toordinal(),
    )


@changes("/due", schemas.DueReply, schemas.DueBody, status=201)
def add_due_item(values: due_services.DueValues, *, by: int) -> Json:
    """Add an item of a vehicle, or one that several share."""
    return schemas.DueReply.write(due_queries.get_row(due_services.add_item(values, by=by).item_id))


@fleet_call(bp, DUE_ITEM, bp.response(200, schemas.DueItemReply, headers=RECORD_ETAG))
def due_item(item_id: int) -> tuple[Json, Mapping[str, str]]:
    """Return an item, open or closed, with what was done of its kind for its vehicle."""
    return _reply(item_id), _version(item_id).tag


def _version(item_id: int) -> Version:
    return Version(f"due-{item_id}", due_queries.get_item(item_id).revision)


def _open_version(item_id: int) -> Version:
    """Return the version of an open item; who comes second reads who was first."""
    due_services.check_open(due_queries.get_item(item_id))
    return _version(item_id)


@changes(f"{DUE_ITEM}/done", schemas.DoneReply, schemas.DoneBody, status=201, version=_open_version)
def mark_item_done(
    values: done_services.DoneValues, item_id: int, *, files: Files, revision: int, by: int
) -> Json:
    """Say what was done: cost, mileage and the next item are kept with it, all or nothing."""
    change = done_services.mark_done(item_id, values, files, revision=revision, by=by)
    return schemas.DoneReply.write(change)


@changes(f"{DUE_ITEM}/snooze", schemas.DueReply, schemas.SnoozeBody, version=_open_version)
def snooze_item(body: Json, item_id: int, *, revision: int, by: int) -> Json:
    """Keep an item quiet until a day; MOT, tax and insurance can't be."""
    due_services.snooze_item(item_id, **body, revision=revision, by=by)
    return schemas.DueReply.write(due_queries.get_row(item_id))


@decisions(DUE_ITEM, schemas.DueReply, schemas.DueChangeBody, method="PATCH", version=_open_version)
def change_due_item(body: Json, item_id: int, *, revision: int, by: int) -> Json:
    """Change when an open item is due, its label, and which vehicles share it."""
    due_services.edit_item(item_id, **body, revision=revision, by=by)
    return schemas.DueReply.write(due_queries.get_row(item_id))


@decisions(f"{DUE_ITEM}/withdraw", schemas.DueItemReply, version=_open_version)
def withdraw_due_item(item_id: int, *, revision: int, by: int) -> Json:
    """Close an item that isn't due any more; it stays readable."""
    due_services.withdraw_item(item_id, revision=revision, by=by)
    return _reply(item_id)


@decisions(f"{DUE_ITEM}/done/<row_id:done_id>/undo", schemas.DueItemReply)
def undo_done(item_id: int, done_id: int, *, by: int) -> Json:
    """Take back what was done: the item is open again, and the one that followed is withdrawn."""
    due_queries.get_done(done_id, of=item_id)
    done_services.undo_done(done_id, by=by)
    return _reply(item_id)


def _matching(
    filters: Mapping[str, Any], today: date, after: int = 0
) -> Sequence[due_queries.DueRow]:
    key, kind, group = filters["vehicle"], filters.get("kind"), filters.get("group")
    rows = due_queries.items_of([key], today) if key else due_queries.open_items(today)
    found = (
        row
        for row in rows
        if kind in (None, row.terms.kind.value) and group in (None, row.standing.group.value)
    )
    return sorted((row for row in found if row.id > after), key=lambda row: row.id)


def _reply(item_id: int) -> Json:
    item = due_queries.get_item(item_id)
    is_open = item.closed_at is None
    # A closed item has no standing today.
    standing = {} if is_open else {"state": schemas.CLOSED, "expected_on": None, "miles_left": None}
    return schemas.DueItemReply.write(
        due_queries.get_row(item_id, also_closed=True),
        **standing,
        snooze_reason=item.snooze_reason,
        closing=item.closing,
        closed_by=usernames([item.closed_by])[item.closed_by],
        closed_at=item.closed_at,
        done=_done_of(item),
    )


def _done_of(item: DueItem) -> list[Json]:
    rows = due_queries.history_of(item, MAX_DONE)
    defects = references({row.done.defect_id for row in rows})
    attached = attachments_of(done_services.SUBJECT, [row.done.id for row in rows])
    return [
        schemas.DoneEntryReply.write(
            row, defect=defects[row.done.defect_id], attachments=attached.get(row.done.id, ())
        )
        for row in rows
    ]


plan_decisions = decisions.of("plans")

PLAN = "/plans/<row_id:plan_id>"

_PLAN_CHANGE = schemas.PlanChangeBody(partial=True)


@fleet_call(bp, "/plans", bp.lists(schemas.PlanReply, calls.parameters_of(schemas.PLAN_LIST)))
def due_plans(requested: calls.ListRequest) -> Response:
    """List the plans with how many open items they have, withdrawn ones too."""
    return calls.list_response(requested, schemas.PLAN_LIST, _with_vehicles)


@plan_decisions("/plans", schemas.PlanChangeReply, schemas.PlanBody, status=201)
def add_due_plan(draft: PlanDraft, *, by: int) -> Json:
    """Add a plan, and the items that it makes."""
    return _changed(plan_services.save_plan(draft, confirmed=None, by=by))


def _plan_version(plan_id: int) -> Version:
    return Version(f"plan-{plan_id}", plan_queries.get_plan(plan_id).revision)


@fleet_call(bp, PLAN, bp.response(200, schemas.PlanReply, headers=RECORD_ETAG))
def due_plan(plan_id: int) -> tuple[Json, Mapping[str, str]]:
    """Return a plan, also one that was withdrawn."""
    return _plan_reply(plan_id), _plan_version(plan_id).tag


@plan_decisions(PLAN, schemas.PlanChangeReply, _PLAN_CHANGE, method="PATCH", version=_plan_version)
def change_due_plan(body: Json, plan_id: int, *, revision: int, by: int) -> Json:
    """Change a plan, and the open items that follow from something done."""
    draft = replace(plan_queries.draft_of(plan_queries.get_plan(plan_id)), **body)
    kept = plan_services.save_plan(draft, plan_id=plan_id, revision=revision, confirmed=None, by=by)
    return _changed(kept)


@plan_decisions(f"{PLAN}/withdraw", schemas.PlanChangeReply, version=_plan_version)
def withdraw_due_plan(plan_id: int, *, revision: int, by: int) -> Json:
    """Withdraw a plan with its open items; both stay readable."""
    return _changed(plan_services.withdraw_plan(plan_id, revision=revision, by=by))


def _changed(change: plan_services.PlanChange) -> Json:
    return _plan_reply(change.plan_id) | {"effects": change.summary}


def _plan_reply(plan_id: int) -> Json:
    return _with_vehicles(plan_queries.plan_rows([plan_queries.get_plan(plan_id)]))[0]


def _with_vehicles(rows: Sequence[plan_queries.PlanRow]) -> Sequence[Json]:
    chosen = plan_queries.chosen_vehicles([row.plan.id for row in rows])
    return [schemas.PlanReply.write(row, regs=chosen[row.plan.id].values()) for row in rows]
