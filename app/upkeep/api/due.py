"""The calls for what is due, plans and odometer readings."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Response

from app import dates
from app.api.blueprint import change, raises
from app.api.changes import StoredReply, run_once
from app.api.lists import ListPaging, list_response
from app.errors import Conflict, rename_fields
from app.fleet.rules.plates import plate_key
from app.sent_files import SentFile
from app.upkeep.api.files import JSON_NAMES, preparation_of
from app.upkeep.api.scope import FLEET_AND_GPM, bp
from app.upkeep.queries import due as queries
from app.upkeep.queries import plans as plan_queries
from app.upkeep.queries import readings as reading_queries
from app.upkeep.queries.due import LIST
from app.upkeep.queries.reading_lists import readings_part
from app.upkeep.rules.kinds import Anchor, Applies, Blocks, DueKind
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.schemas import due as schemas
from app.upkeep.schemas.due import done_json, due_json, plan_json, reading_json
from app.upkeep.services import done as done_services
from app.upkeep.services import due as services
from app.upkeep.services import plans as plan_services
from app.upkeep.services import readings as reading_services
from app.upkeep.services.done import DoneValues
from app.upkeep.services.due import DueValues
from app.versions import version_of
from app.web.access import current_user

DUE, PLANS, READINGS = "due", "plans", "readings"

_JSON_NAMES = {
    **JSON_NAMES,
    "due_on": "dueOn",
    "due_miles": "dueMiles",
    "next_due_on": "nextDueOn",
    "next_due_miles": "nextDueMiles",
    "every_months": "everyMonths",
    "early_window_days": "earlyWindowDays",
    "vehicles": "regs",
    "void_others": "voidOthers",
}


@bp.route("/due", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.DueReply)
def due_items(paging: ListPaging) -> Response:
    """List the open items as they stand today, the oldest first."""
    today = dates.today()

    def rows(after: int = 0) -> list[queries.DueRow]:
        found = (row for row in queries.open_items(today) if row.id > after)
        return sorted(found, key=lambda row: row.id)

    return list_response(
        paging,
        LIST,
        rows=rows,
        rows_after=lambda after, limit: rows(int(after or 0))[:limit],
        write=due_json,
        # How items stand changes with the day as well.
        version=lambda: version_of(LIST) * 10_000_000 + today.toordinal(),
    )


@bp.route("/due", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.DueBody)
@bp.response(201, schemas.DueReply)
@change()
@raises(Conflict)
def add_due_item(values: DueValues) -> dict[str, Any]:
    """Add an item of a vehicle, or one that several share."""

    def action() -> StoredReply:
        item_id = services.add_item(values, by=_by()).item_id
        return StoredReply(due_json(queries.get_row(item_id)))

    return _run(action, DUE)


@bp.route("/due/<row_id:item_id>/done", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.DoneBody)
@bp.response(201, schemas.DoneReply)
@change()
@raises(Conflict)
def mark_item_done(
    body: tuple[DoneValues, int, Sequence[SentFile]], item_id: int
) -> dict[str, Any]:
    """Say what was done: cost, mileage and the next item are kept with it, all or nothing."""
    values, revision, files = body
    prepared, prepare = preparation_of(files)

    def action() -> StoredReply:
        done = done_services.mark_done(item_id, values, prepared, revision=revision, by=_by())
        return StoredReply(done_json(done))

    return _run(action, DUE, prepare)


@bp.route("/due/<row_id:item_id>/snooze", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.SnoozeBody)
@bp.response(200, schemas.DueReply)
@change()
@raises(Conflict)
def snooze_item(body: dict[str, Any], item_id: int) -> dict[str, Any]:
    """Keep an item quiet until a day; MOT, tax and insurance can't be."""

    def action() -> StoredReply:
        services.snooze_item(
            item_id, body["until"], reason=body["reason"], revision=body["revision"], by=_by()
        )
        return StoredReply(due_json(queries.get_row(item_id)))

    return _run(action, DUE)


@bp.route("/plans", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.PlanReply)
def due_plans(paging: ListPaging) -> Response:
    """List the plans with how many open items they have, withdrawn ones too."""
    return list_response(
        paging,
        LIST,
        rows=plan_queries.plan_rows,
        rows_after=lambda after, limit: plan_queries.plan_rows(int(after or 0), limit),
        key=lambda row: str(row.plan.id),
        write=plan_json,
    )


@bp.route("/plans", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.PlanBody)
@bp.response(201, schemas.PlanReply)
@change()
@raises(Conflict)
def add_due_plan(body: dict[str, Any]) -> dict[str, Any]:
    """Add a plan, and the items that it makes."""
    return _save_plan(body)


@bp.route("/plans/<row_id:plan_id>", methods=["PATCH"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.PlanChangeBody)
@bp.response(200, schemas.PlanReply)
@change()
@raises(Conflict)
def change_due_plan(body: dict[str, Any], plan_id: int) -> dict[str, Any]:
    """Change a plan as the body has it, and the open items that follow from something done."""
    return _save_plan(body, plan_id)


@bp.route("/readings", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.ReadingReply)
def odometer_readings(paging: ListPaging) -> Response:
    """List all odometer readings, in the order they were recorded."""
    return list_response(
        paging,
        LIST,
        rows=lambda: readings_part("", 0),
        rows_after=lambda after, limit: readings_part("", int(after or 0), limit),
        write=reading_json,
    )


@bp.route("/readings", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(schemas.ReadingBody)
@bp.response(201, schemas.ReadingReply)
@change()
def add_odometer_reading(body: dict[str, Any]) -> dict[str, Any]:
    """Add a reading; one that doesn't fit its neighbours is kept as doubtful."""

    def action() -> StoredReply:
        added = reading_services.add_reading(body["reg"], body["miles"], day=body["day"], by=_by())
        return _stored_reading(added.reading_id)

    return _run(action, READINGS)


@bp.route("/readings/<row_id:reading_id>/void", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.VoidBody)
@bp.response(200, schemas.ReadingReply)
@change()
@raises(Conflict)
def void_odometer_reading(body: dict[str, Any], reading_id: int) -> dict[str, Any]:
    """Stop using a reading; it stays with the reason."""

    def action() -> StoredReply:
        reading_services.void_reading(reading_id, reason=body["reason"], by=_by())
        return _stored_reading(reading_id)

    return _run(action, READINGS)


@bp.route("/readings/<row_id:reading_id>/accept", methods=["POST"])
@FLEET_AND_GPM.by_managers
@bp.arguments(schemas.AcceptBody)
@bp.response(200, schemas.ReadingReply)
@change()
@raises(Conflict)
def accept_odometer_reading(body: dict[str, Any], reading_id: int) -> dict[str, Any]:
    """Use a doubtful reading; those that contradict it must be void with it."""

    def action() -> StoredReply:
        reading_services.accept_reading(reading_id, void_others=body["voidOthers"], by=_by())
        return _stored_reading(reading_id)

    return _run(action, READINGS)


def _by() -> int:
    return current_user().user_id


def _run(action: Any, list_name: str, prepare: Callable[[], None] | None = None) -> dict[str, Any]:
    with rename_fields(_JSON_NAMES):
        return run_once(StoredReply, action, list_name=list_name, prepare=prepare).values


def _save_plan(body: dict[str, Any], plan_id: int | None = None) -> dict[str, Any]:
    draft = PlanDraft(
        label=body["label"],
        kind=DueKind(body["kind"]),
        applies=Applies(body["applies"]),
        classification=body["classification"],
        regs={plate_key(reg): reg for reg in body["regs"]},
        every_months=body["everyMonths"],
        every_days=body["everyDays"],
        every_miles=body["everyMiles"],
        anchor=Anchor(body["anchor"]),
        early_window_days=body["earlyWindowDays"],
        soon_days=body["soonDays"],
        soon_miles=body["soonMiles"],
        blocks=Blocks(body["blocks"]),
        first_due_on=body["firstDueOn"],
    )

    def action() -> StoredReply:
        saved = plan_services.save_plan(
            draft,
            plan_id=plan_id,
            revision=body.get("revision", 0),
            confirmed=None,
            by=_by(),
        )
        return StoredReply(plan_json(plan_queries.plan_row(plan_queries.get_plan(saved.plan_id))))

    return _run(action, PLANS)


def _stored_reading(reading_id: int) -> StoredReply:
    return StoredReply(reading_json(reading_queries.get_reading(reading_id)))
