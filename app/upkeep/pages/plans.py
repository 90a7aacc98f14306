"""The plans of what is due, and their editor, which shows what saving does before it is done."""

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.accounts.history import last_change
from app.errors import EditConflict, QuartermasterError
from app.fleet.queries import vehicles
from app.fleet.rules.versions import UPKEEP
from app.upkeep.forms.due import WithdrawForm
from app.upkeep.forms.plans import APPLIES_LABELS, PlanForm
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.pages.due_changes import plates
from app.upkeep.queries import due as due_queries
from app.upkeep.queries import plans as queries
from app.upkeep.rules.due_kinds import BLOCKS_LABELS, KINDS
from app.upkeep.rules.plans import PlanEffects, describe_due
from app.upkeep.services import plans as services
from app.upkeep.services.plans import NeedsConfirmation, PlanChange
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done
from app.web.forms import Form, UndoForm

ONE_PLAN = "/fleet/plans/<int(max=2147483647):plan_id>"
SAMPLE = 12
"""How many items of each kind of effect the editor lists."""


@bp.get("/fleet/plans")
@for_fleet
@failure_message("Failed to load plans")
def plans() -> ResponseReturnValue:
    """Show the plans with how many open items they have."""
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    return render_template(
        "upkeep/plans.html",
        rows=queries.plan_rows(),
        kinds=KINDS,
        applies=APPLIES_LABELS,
        blocks=BLOCKS_LABELS,
    )


@bp.route("/fleet/plans/add", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def add_plan() -> ResponseReturnValue:
    """Add a plan once its editor has seen which items it makes."""
    return _edit(PlanForm(), None, "Add a plan")


@bp.route(f"{ONE_PLAN}/edit", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def edit_plan(plan_id: int) -> ResponseReturnValue:
    """Change a plan once its editor has seen which items move."""
    plan = queries.get_plan(plan_id)
    form = PlanForm()
    if not form.is_submitted():
        form.fill(queries.draft_of(plan))
        form.revision.data = plan.revision
    return _edit(form, plan_id, f"Change {plan.label}")


@bp.route(f"{ONE_PLAN}/withdraw", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def withdraw_plan(plan_id: int) -> ResponseReturnValue:
    """Withdraw a plan and its open items, after a confirmation."""
    form = WithdrawForm()
    if not form.is_submitted():
        form.revision.data = queries.get_plan(plan_id).revision

    def action() -> PlanChange:
        revision = form.revision.sent
        return services.withdraw_plan(plan_id, revision=revision, by=current_user().user_id)

    def render() -> str:
        row = queries.plan_row(queries.get_plan(plan_id))
        if isinstance(form.refusal, EditConflict):
            form.revision.data = row.plan.revision
        items = due_queries.items_of_plan(plan_id)
        overdue = [each.regs for each in items if each.standing.is_overdue]
        return _render("withdraw_plan", form, row=row, overdue=overdue, sample=SAMPLE)

    return handle_form(
        form,
        PlanChange,
        action,
        render=render,
        respond=lambda change: _respond(f"Withdrew the plan {change.label}.", change),
    )


@bp.route(f"{ONE_PLAN}/items", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def make_items(plan_id: int) -> ResponseReturnValue:
    """Make the items of vehicles that a plan has none for, after a confirmation."""
    form = UndoForm()
    plan = queries.get_plan(plan_id)

    def render() -> str:
        effects = queries.effects_of(queries.draft_of(plan), plan, dates.today())
        made = PlanEffects(made=effects.made, without=effects.without)
        return _render("plan_items", form, plan=plan, effects=made, sample=SAMPLE)

    return handle_form(
        form,
        PlanChange,
        lambda: services.make_missing_items(plan_id, by=current_user().user_id),
        render=render,
        respond=lambda change: _respond(f"{change.label}:", change),
    )


def _edit(form: PlanForm, plan_id: int | None, title: str) -> ResponseReturnValue:
    """Handle the editor: what is typed is saved once its effects were shown and confirmed."""

    def action() -> PlanChange:
        return services.save_plan(
            form.draft(),
            plan_id=plan_id,
            revision=form.revision.sent,
            confirmed=form.confirmed.data or "",
            by=current_user().user_id,
        )

    def render(effects: PlanEffects | None = None) -> str:
        form.confirmed.data = effects.digest if effects else ""
        form.confirmed.raw_data = None
        changed_plan = None
        if plan_id is not None and isinstance(form.refusal, EditConflict):
            changed_plan = queries.plan_row(queries.get_plan(plan_id))
            form.revision.data = changed_plan.plan.revision
        return _render(
            "edit_plan",
            form,
            title=title,
            changed_plan=changed_plan,
            last_change=last_change,
            applies=APPLIES_LABELS,
            effects=effects,
            sample=SAMPLE,
            describe_due=describe_due,
            plates=plates(),
            classifications=vehicles.classifications(vehicles.current_list()),
        )

    def fail(error: QuartermasterError) -> ResponseReturnValue:
        if isinstance(error, NeedsConfirmation):
            return render(error.effects)
        form.refuse(error)
        return render(), error.status

    return handle_form(
        form,
        PlanChange,
        action,
        render=render,
        respond=lambda change: _respond(f"Saved the plan {change.label}.", change),
        fail=fail,
    )


def _render(name: str, form: Form, **context: object) -> str:
    back = url_for("upkeep.plans")
    return render_dialog(f"upkeep/{name}.html", form=form, default_back=back, **context)


def _respond(message: str, change: PlanChange) -> ResponseReturnValue:
    return respond_done(f"{message} {change.summary}", back=url_for("upkeep.plans"))
