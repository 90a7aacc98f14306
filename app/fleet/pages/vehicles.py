"""The list of vehicles, the page of one vehicle, and the forms that add and edit one."""

from functools import partial
from typing import Any

from flask import current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.errors import EditConflict
from app.fleet.forms import AddVehicleForm, EditVehicleForm
from app.fleet.models import Check, Vehicle
from app.fleet.pages.scope import DIVISIONS, bp, for_fleet
from app.fleet.queries import overview, vehicle_history
from app.fleet.queries import vehicles as queries
from app.fleet.queries.checks import CheckFilters, count_of_vehicle, latest_checks
from app.fleet.queries.vehicles import VehicleFilters
from app.fleet.rules.charts import odometer_chart
from app.fleet.rules.sorting import VEHICLE_ORDERS
from app.fleet.rules.vehicles import STATUSES, FleetList, status_tone
from app.fleet.rules.versions import UPKEEP
from app.fleet.services import vehicles as services
from app.fleet.services.upkeep import upkeep
from app.fleet.services.vehicles import VehicleChange
from app.names import merge_names
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_with_page
from app.web.htmx import is_htmx_for
from app.web.list_query import SORT, ListQuery, typed_values
from app.web.navigation import Screen, back_link
from app.web.paging import requested_page
from app.web.remembered import remembers_filters
from app.web.sorting import Sorting

SCREENS = [Screen(division, "Vehicles", "fleet.vehicles") for division in DIVISIONS]

FILTERS = ("q", "status", "classification", "road")

OFF_ROAD = "off"
"""The value of the filter `road` for vehicles that are off the road."""

MAX_CHECKS = 10
"""The most checks on a vehicle's page."""

VEHICLE = "/vehicles/<int(max=2147483647):vehicle_id>"


@bp.get("/vehicles")
@for_fleet
@failure_message("Failed to load vehicles")
@remembers_filters(*FILTERS)
def vehicles() -> ResponseReturnValue:
    """Show a page of the vehicles by registration, or of the vans if there are no vehicles."""
    versions = (queries.list_version(FleetList.VEHICLES), version_of(UPKEEP))
    unchanged = caching.not_modified(*versions, dates.today())
    if unchanged is not None:
        return unchanged
    fleet_list = queries.current_list()
    query = _list_query()
    order = VEHICLE_ORDERS.parse(query.values.get(SORT, ""))
    page = queries.vehicle_page(fleet_list, query.filters, requested_page(), order)
    address = partial(url_for, "fleet.vehicles")
    context = {
        "query": query,
        "page": page,
        "sorting": Sorting(VEHICLE_ORDERS, order, page.total, address, query.without_order),
        "status_tone": status_tone,
        "standings": upkeep().standings([vehicle.reg_key for vehicle in page.rows]),
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


def _list_query() -> ListQuery[VehicleFilters]:
    values = typed_values(request.args, (*FILTERS, SORT))
    filters = VehicleFilters(
        values.get("q", ""),
        values.get("status", ""),
        values.get("classification", ""),
        upkeep().is_off_road(Vehicle.reg_key) if values.get("road") == OFF_ROAD else None,
    )
    return ListQuery(values, filters)


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
