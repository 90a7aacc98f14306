"""The list of vehicles, the page of one vehicle, and the forms that add and edit one."""

from typing import Any

from flask import current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.errors import EditConflict
from app.fleet.forms import AddVehicleForm, EditVehicleForm
from app.fleet.models import Check
from app.fleet.pages.scope import DIVISIONS, bp, for_fleet
from app.fleet.queries import overview, vehicle_history
from app.fleet.queries import vehicles as queries
from app.fleet.queries.checks import CheckFilters, count_of_vehicle, latest_checks
from app.fleet.rules.charts import odometer_chart
from app.fleet.rules.vehicles import STATUSES, status_tone
from app.fleet.schemas.lists import VEHICLE_LIST
from app.fleet.services import vehicles as services
from app.fleet.services.upkeep import upkeep
from app.fleet.services.vehicles import VehicleChange
from app.names import merge_names
from app.records.lists import list_view
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_with_page
from app.web.navigation import Screen, back_link
from app.web.paging import requested_page

SCREENS = [Screen(division, "Vehicles", "fleet.vehicles") for division in DIVISIONS]

MAX_CHECKS = 10
"""The most checks on a vehicle's page."""

VEHICLE = "/vehicles/<int(max=2147483647):vehicle_id>"


list_view(bp, for_fleet, VEHICLE_LIST, "/vehicles", status_tone=status_tone)


@bp.get(VEHICLE)
@for_fleet
@failure_message("Failed to load vehicles")
def vehicle(vehicle_id: int) -> ResponseReturnValue:
    """Show a vehicle with its history, checks, odometer and upkeep."""
    back = back_link("/vehicles") or url_for("fleet.vehicles")
    today = dates.today()
    unchanged = caching.not_modified(*overview.data_versions(), today, back)
    if unchanged is not None:
        return unchanged
    vehicle = queries.get_vehicle(vehicle_id)
    unused = upkeep().is_odometer_unused(Check.id)
    check_filters = CheckFilters(vehicle=vehicle.reg)
    return render_template(
        "fleet/vehicle.html",
        vehicle=vehicle,
        page=vehicle_history.event_page(vehicle, requested_page()),
        checks=latest_checks(check_filters, MAX_CHECKS),
        check_total=count_of_vehicle(vehicle.reg),
        odometer=odometer_chart(vehicle_history.odometer_readings(vehicle.reg_key, but=unused)),
        check_form_url=url_for("fleet.check_form", vehicle=vehicle.reg),
        checks_url=url_for("fleet.checks", vehicle=vehicle.reg),
        back=back,
        status_tone=status_tone,
        **current_app.extensions["vehicle_panels"](vehicle.reg_key),
    )


@bp.route("/vehicles/add", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def add_vehicle() -> ResponseReturnValue:
    """Add a vehicle to the current list."""
    form = AddVehicleForm()

    def action() -> VehicleChange:
        return services.add_vehicle(form.state(form.reg.data), by=current_user().user_id)

    def render() -> str:
        return _render_form("add_vehicle", form, default_back=url_for("fleet.vehicles"))

    return handle_form(
        form,
        VehicleChange,
        action,
        render=render,
        respond=lambda change: _respond_saved(change, f"Added {change.reg}."),
    )


@bp.route(f"{VEHICLE}/edit", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def edit_vehicle(vehicle_id: int) -> ResponseReturnValue:
    """Change a vehicle's make, model, classification, status or location."""
    is_new_form = request.method == "GET"
    form = EditVehicleForm(obj=queries.get_vehicle(vehicle_id) if is_new_form else None)

    def action() -> VehicleChange:
        revision = form.revision.sent
        by = current_user().user_id
        return services.edit_vehicle(vehicle_id, form.state(), revision=revision, by=by)

    def render() -> str:
        vehicle = queries.get_vehicle(vehicle_id)
        has_conflict = isinstance(form.refusal, EditConflict)
        if has_conflict:
            form.revision.data = vehicle.revision
        return _render_form(
            "edit_vehicle",
            form,
            default_back=url_for("fleet.vehicle", vehicle_id=vehicle_id),
            vehicle=vehicle,
            has_conflict=has_conflict,
        )

    return handle_form(
        form,
        VehicleChange,
        action,
        render=render,
        respond=lambda change: _respond_saved(change, f"Saved {change.reg}."),
    )


def _render_form(
    name: str, form: AddVehicleForm | EditVehicleForm, *, default_back: str, **context: Any
) -> str:
    fleet_list = queries.current_list()
    return render_dialog(
        f"fleet/{name}.html",
        form=form,
        default_back=default_back,
        statuses=merge_names(STATUSES, queries.statuses(fleet_list)),
        classifications=queries.classifications(fleet_list),
        locations=queries.locations(fleet_list),
        **context,
    )


def _respond_saved(change: VehicleChange, message: str) -> ResponseReturnValue:
    return respond_with_page(message, url_for("fleet.vehicle", vehicle_id=change.vehicle_id))
