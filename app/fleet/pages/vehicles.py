"""The list of vehicles, a vehicle's own page, adding and editing."""

from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.errors import EditConflict
from app.fleet.forms import AddVehicleForm, EditVehicleForm
from app.fleet.pages.addresses import OWNERS, bp, for_owners
from app.fleet.queries import overview, vehicle_history
from app.fleet.queries import vehicles as queries
from app.fleet.queries.checks import CheckFilter, check_count, check_part
from app.fleet.queries.vehicles import VehicleFilter
from app.fleet.rules.charts import cost_chart, odometer_chart
from app.fleet.rules.vehicles import STATUSES, FleetList, tone
from app.fleet.services import vehicles as services
from app.fleet.services.vehicles import VehicleChange
from app.names import merge_names
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form
from app.web.htmx import is_htmx, is_htmx_for
from app.web.navigation import Screen, back_link
from app.web.paging import requested_page

SCREENS = [Screen(division, "Vehicles", "fleet.vehicles") for division in OWNERS]

CHECKS_SHOWN = 10

VEHICLE = "/vehicles/<int(max=2147483647):vehicle_id>"


@bp.get("/vehicles")
@for_owners
@failure_message("Failed to load vehicles")
def vehicles() -> ResponseReturnValue:
    """Show the vehicles, or vans where there are none, 25 at a time by registration."""
    same = caching.not_modified(queries.list_version(FleetList.VEHICLES))
    if same is not None:
        return same
    fleet_list = queries.shown_list()
    shown = VehicleFilter(
        *(request.args.get(name, "").strip() for name in ("q", "status", "classification"))
    )
    asked = {"q": shown.search, "status": shown.status, "classification": shown.classification}
    context = {
        "page": queries.vehicle_page(fleet_list, shown, requested_page()),
        "shown": shown,
        "asked": {name: value for name, value in asked.items() if value},
        "tone": tone,
    }
    if is_htmx_for("list"):
        return render_template("fleet/_vehicles_list.html", is_fragment=True, **context)
    return render_template(
        "fleet/vehicles.html",
        statuses=queries.statuses(fleet_list),
        classifications=queries.classifications(fleet_list),
        **context,
    )


@bp.get(VEHICLE)
@for_owners
@failure_message("Failed to load vehicles")
def vehicle(vehicle_id: int) -> ResponseReturnValue:
    """Show what a vehicle is, what happened to it, its checks, odometer and costs."""
    back = back_link("/vehicles") or url_for("fleet.vehicles")
    today = dates.today()
    same = caching.not_modified(*overview.data_versions(), today, back)
    if same is not None:
        return same
    found = queries.vehicle(vehicle_id)
    its_own = CheckFilter(vehicle=found.reg)
    return render_template(
        "fleet/vehicle.html",
        vehicle=found,
        page=vehicle_history.event_page(found, requested_page()),
        checks=check_part(its_own, CHECKS_SHOWN),
        check_total=check_count(its_own),
        odometer=odometer_chart(vehicle_history.readings(found.reg_key)),
        costs=cost_chart(vehicle_history.repair_costs(found.reg_key, today), today),
        new_check=url_for("fleet.check_form", vehicle=found.reg),
        all_checks=url_for("fleet.checks", vehicle=found.reg),
        back=back,
        tone=tone,
    )


@bp.route("/vehicles/add", methods=["GET", "POST"])
@for_owners
@access.redisplays_form
@failure_message("Update failed")
def add_vehicle() -> ResponseReturnValue:
    """Add a vehicle to the list that is shown."""
    form = AddVehicleForm()

    def work() -> VehicleChange:
        return services.add_vehicle(form.state(form.reg.data), by=current_user().user_id)

    def ask() -> str:
        return _form("add_vehicle", form=form, back=form.back_to or url_for("fleet.vehicles"))

    return handle_form(
        form, VehicleChange, work, render=ask, respond=lambda done: _done(done, "Added")
    )


@bp.route(f"{VEHICLE}/edit", methods=["GET", "POST"])
@for_owners
@access.redisplays_form
@failure_message("Update failed")
def edit_vehicle(vehicle_id: int) -> ResponseReturnValue:
    """Change a vehicle's make, model, classification, status or location."""
    form = EditVehicleForm(obj=queries.vehicle(vehicle_id) if request.method == "GET" else None)

    def work() -> VehicleChange:
        revision = -1 if form.revision.data is None else form.revision.data
        by = current_user().user_id
        return services.edit_vehicle(vehicle_id, form.state(), revision=revision, by=by)

    def ask() -> str:
        found = queries.vehicle(vehicle_id)
        clash = isinstance(form.refusal, EditConflict)
        if clash:
            form.revision.data = found.revision
        back = url_for("fleet.vehicle", vehicle_id=vehicle_id)
        return _form("edit_vehicle", form=form, back=back, vehicle=found, clash=clash)

    return handle_form(
        form, VehicleChange, work, render=ask, respond=lambda done: _done(done, "Saved")
    )


def _form(name: str, **context: Any) -> str:
    """Render a form: the fragment for htmx, a page of its own without a script."""
    fleet_list = queries.shown_list()
    fragment = "_" if is_htmx() else ""
    return render_template(
        f"fleet/{fragment}{name}.html",
        statuses=merge_names(STATUSES, queries.statuses(fleet_list)),
        classifications=queries.classifications(fleet_list),
        locations=queries.locations(fleet_list),
        **context,
    )


def _done(change: VehicleChange, said: str) -> ResponseReturnValue:
    flash(f"{said} {change.reg}.")
    page = url_for("fleet.vehicle", vehicle_id=change.vehicle_id)
    if is_htmx():
        return "", 200, {"HX-Redirect": page}
    return redirect(page, 303)
