"""The acts on plans. Saving one asks to confirm its effects on items."""

from collections.abc import Mapping
from typing import Any

from flask import url_for

from app import dates
from app.accounts.history import last_change
from app.fleet.acts import for_fleet
from app.fleet.queries import vehicles
from app.records.acts import Act, Target, new_record
from app.upkeep.acts.due import plates
from app.upkeep.forms.due import PlanForm, WithdrawForm
from app.upkeep.models.due import DuePlan
from app.upkeep.queries import due as due_queries
from app.upkeep.queries import plans as queries
from app.upkeep.rules.plans import PlanEffects, describe_due
from app.upkeep.services import plans as services
from app.web.forms import UndoForm

PLAN = "/fleet/plans/<row_id:plan_id>"

SAMPLE = 12
"""How many items of each kind of effect are listed."""


def _current(_: Any, plan: DuePlan) -> str:
    row = queries.plan_row(plan)
    applies = plan.classification or plan.applies.label.lower()
    values = ", ".join([plan.label, row.interval.lower(), applies])
    return f"{last_change('due_plan', plan.id)}. It is now: {values}."


ON_PLAN = Target[DuePlan](
    read=queries.get_plan,
    page=lambda _: url_for("upkeep.plans"),
    current=_current,
    style="due.css",
)


def _fill_in(form: PlanForm, plan: DuePlan) -> None:
    form.fill(queries.draft_of(plan))


def _editor(*_: Any) -> Mapping[str, Any]:
    return {
        "sample": SAMPLE,
        "describe_due": describe_due,
        "classifications": vehicles.classifications(vehicles.current_list()),
        **plates(),
    }


def _overdue(_: Any, plan: DuePlan) -> Mapping[str, Any]:
    items = due_queries.items_of_plan(plan.id)
    overdue = [item.regs for item in items if item.standing.is_overdue]
    return {"plan": queries.plan_row(plan), "overdue": overdue, "sample": SAMPLE}


def _missing(_: Any, plan: DuePlan) -> Mapping[str, Any]:
    effects = queries.effects_of(queries.draft_of(plan), plan, dates.today())
    made = PlanEffects(made=effects.made, without=effects.without)
    return {"effects": made, "sample": SAMPLE}


ACTS = (
    Act(
        "add_plan",
        "/fleet/plans/add",
        for_fleet.by_managers,
        PlanForm,
        services.save_plan,
        "Saved the plan {r.label}. {r.summary}",
        new_record("upkeep.plans", style="due.css"),
        shows=_editor,
        template="edit_plan",
    ),
    Act(
        "edit_plan",
        f"{PLAN}/edit",
        for_fleet.by_managers,
        PlanForm,
        services.save_plan,
        "Saved the plan {r.label}. {r.summary}",
        ON_PLAN,
        offer=_fill_in,
        shows=_editor,
    ),
    Act(
        "withdraw_plan",
        f"{PLAN}/withdraw",
        for_fleet.by_managers,
        WithdrawForm,
        services.withdraw_plan,
        "Withdrew the plan {r.label}. {r.summary}",
        ON_PLAN,
        shows=_overdue,
    ),
    Act(
        "make_items",
        f"{PLAN}/items",
        for_fleet.by_managers,
        UndoForm,
        services.make_missing_items,
        "{r.label}: {r.summary}",
        ON_PLAN,
        shows=_missing,
    ),
)
