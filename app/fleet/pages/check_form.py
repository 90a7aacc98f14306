"""The check form: a widget, and a plain form for browsers without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response, current_app, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.errors import Invalid
from app.fleet.acts import DIVISIONS, fleet_page, for_fleet, prepare_check
from app.fleet.forms import PHOTOS, PlainCheckForm, booking_step, input_name, photo_name
from app.fleet.pages.vehicles import bp
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.queries.check_form import OwnChecks, check_templates, own_checks, suggestions
from app.fleet.rules.check_answers import (
    FieldRole,
    FindPlate,
    SubmittedCheck,
    field_roles,
    fill_check,
    person_values,
    unanswered_questions,
    with_notes,
)
from app.fleet.rules.checks import MAX_PHOTOS, TOO_MANY_PHOTOS
from app.fleet.rules.findings import STOP, BookingStep, DriveReason, SightingAnswer
from app.fleet.rules.templates import FieldType, Template
from app.fleet.rules.vehicles import (
    BOOKINGS,
    CHECK_TEMPLATES,
    CHECKS,
    MAX_PLATE_LENGTH,
    MAX_PLATES,
    UPKEEP,
    FleetList,
    plate_key,
)
from app.fleet.schemas.check_form import (
    CheckFormBooking,
    CheckFormProps,
    briefings_json,
    template_props,
)
from app.fleet.schemas.vehicles import VehicleReply
from app.fleet.services import checks as services
from app.fleet.services.checks import CheckPlan, SubmitCheckResult
from app.fleet.services.upkeep import briefing_of, briefings, upkeep
from app.versions import cached, versions_of
from app.web import access, caching
from app.web.access import current_user, view_only
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, respond_done
from app.web.limits import CostlyRequest, costly
from app.web.navigation import shared_screens

TOO_LARGE = (
    "The photos are too large together: at most 24 MB. Go back and choose fewer or smaller ones."
)

SCREENS = shared_screens(DIVISIONS, "Vehicle Checks", "fleet.check_form", is_more=True, key="w")


@for_fleet.to_change.route(bp, "/fleetChecks", "Failed to load checks")
def check_form() -> str:
    """Render the check form, whose input the browser keeps.

    With `plain` in the address, to which a browser without scripts is led, it is the plain form.
    """
    templates = check_templates()
    own = own_checks(current_user().user_id)
    vehicle = request.args.get("vehicle", "")[:MAX_PLATE_LENGTH]
    if "plain" not in request.args:
        booking = booking_step(request.args)
        props = _widget_props(templates, own, vehicle, booking)
        plain_url = url_for(
            "fleet.check_form",
            plain=1,
            vehicle=vehicle or None,
            booking=booking and booking.reference,
            step=booking and booking.step,
        )
        context = {"props": props, "plain_url": plain_url, **_doubt(booking)}
        return render_template("fleet/check_form.html", **context)
    template = _template_of(templates, request.args.get("form", own.form_type))
    vehicle = vehicle or own.usual_vehicle
    form = PlainCheckForm(template, _start(template, own, vehicle), vehicle)
    return _render_plain(templates, own, form)


@bp.post("/fleetChecks")
@for_fleet
@costly(CostlyRequest.PHOTOS)
@access.redisplays_form
@failure_message("Submit failed", too_large=TOO_LARGE)
def submit_check() -> ResponseReturnValue:
    """Submit the plain form, with its photos; or show the briefing of its vehicle."""
    templates = check_templates()
    by = current_user().user_id
    form = PlainCheckForm(_template_of(templates, request.form.get("form", "")), {})
    plans: list[CheckPlan] = []

    def respond(result: SubmitCheckResult) -> ResponseReturnValue:
        return respond_done(
            "Vehicle check submitted.",
            back=url_for("fleet.checks"),
            warnings=[*result.warnings, *form.ignored],
            alerts=[text for text in result.messages if text.startswith(STOP)],
            details=[text for text in result.messages if not text.startswith(STOP)],
        )

    return handle_form(
        form,
        SubmitCheckResult,
        lambda: services.submit_check(plans[0], by=by, stamp=form.stamp()),
        prepare=lambda: plans.append(prepare_check(_submitted_check(form), by=by)),
        rebuild=services.rebuild_check,
        render=lambda: _render_plain(templates, own_checks(by), form),
        respond=respond,
    )


def _doubt(booking: BookingStep | None) -> Mapping[str, str]:
    if booking is None:
        return {}
    return {"no_step": upkeep().why_no_step(booking), "step": booking.step.label.lower()}


def _template_of(templates: Sequence[Template], key: str) -> Template:
    found = (template for template in templates if template.key == key)
    return with_notes(next(found, templates[0]))


def _start(template: Template, own: OwnChecks, vehicle: str) -> Mapping[str, str]:
    by_role = {FieldRole.PLATE: vehicle, FieldRole.DATE: dates.today().isoformat()}
    roles = field_roles(template)
    of_roles = {name: by_role[role] for name, role in roles.items() if role in by_role}
    return person_values(own.items, [template], current_user().username) | of_roles


def _submitted_check(form: PlainCheckForm) -> SubmittedCheck:
    briefing = briefing_of(plate_key(form.reg))
    answers, drive_reason, booking = form.answers_about(form.reg)
    unanswered = unanswered_questions(
        briefing.defects,
        answers,
        form.day,
        off_road_since=briefing.off_road_since,
        drive_reason=drive_reason,
    )
    check = fill_check(form.template, form.texts, form.cost, _find_plate(), unanswered)
    photos = [replace(file, name=photo_name(file.name)) for file in form.photos.data]
    if len(photos) > MAX_PHOTOS:
        raise Invalid(TOO_MANY_PHOTOS, PHOTOS)
    return replace(
        check,
        photos=photos,
        answers=answers,
        drive_reason=drive_reason,
        booking=form.booking or booking,
    )


def _find_plate() -> FindPlate | None:
    fleet_list = vehicle_queries.current_list()
    if not vehicle_queries.plates(limit=1):
        return None

    def find(plate: str) -> str:
        vehicle = vehicle_queries.find_vehicle(fleet_list, plate)
        return vehicle.reg if vehicle else ""

    return find


@fleet_page(bp, "/fleetChecks/reference", "Failed to load checks")
@caching.by_versions(CHECKS, CHECK_TEMPLATES, UPKEEP, BOOKINGS, *FleetList)
def check_reference() -> ResponseReturnValue:
    """Send the data with which the check form opens without a connection, as JSON."""
    own = own_checks(current_user().user_id)
    vehicles = vehicle_queries.all_vehicles(vehicle_queries.current_list())
    return jsonify(
        props=_widget_props(check_templates(), own),
        viewOnly=view_only(),
        vehicles=[VehicleReply.write(vehicle) for vehicle in vehicles],
        briefings=briefings_json(briefings()),
    )


@fleet_page(bp, "/fleetChecks/briefings", "Failed to load checks")
def check_briefings() -> ResponseReturnValue:
    """Send the vehicles' briefings for drivers, as JSON."""
    version = (UPKEEP, dates.today(), *versions_of((*FleetList, UPKEEP, BOOKINGS)))
    if unchanged := caching.not_modified(*version):
        return unchanged
    text = cached(version, lambda: jsonify(briefings=briefings_json(briefings())).get_data())
    return Response(text, mimetype="application/json")


def _widget_props(
    templates: Sequence[Template],
    own: OwnChecks,
    vehicle: str = "",
    booking: BookingStep | None = None,
) -> dict[str, Any]:
    user = current_user()
    # A script's request doesn't switch the division, and may come while another one is chosen.
    division = user.chosen if user.chosen in DIVISIONS else min(user.divisions & {*DIVISIONS})
    values = {
        "user": user.user_id,
        "division": division,
        "photos": "/api/photos",
        "templates": [template_props(template) for template in templates],
        "suggestions": _suggestions(templates),
        "start": {
            "form": own.form_type,
            "values": person_values(own.items, templates, user.username),
            "vehicle": own.usual_vehicle,
            "vehicles": own.vehicles,
        },
        "list": url_for("fleet.checks"),
        "vehicle": vehicle,
        "booking": booking and CheckFormBooking.write(booking),
        "phone": current_app.config["QUARTERMASTER"].fleet_phone,
        "now": dates.utc_now(),
    }
    props: dict[str, Any] = CheckFormProps().dump(values)
    return props


def _render_plain(templates: Sequence[Template], own: OwnChecks, form: PlainCheckForm) -> str:
    plates = vehicle_queries.plates(limit=MAX_PLATES + 1)
    return render_template(
        "fleet/plain_check_form.html",
        form=form,
        briefing=briefing_of(plate_key(form.vehicle)) if form.vehicle else None,
        answers=SightingAnswer,
        drive_reasons=[each for each in DriveReason if each is not DriveReason.UNANSWERED],
        phone=current_app.config["QUARTERMASTER"].fleet_phone,
        templates=templates,
        roles=field_roles(form.template),
        suggestions=_suggestions([form.template]),
        plates=plates if 0 < len(plates) <= MAX_PLATES else None,
        last_vehicles=own.vehicles,
        max_photos=MAX_PHOTOS,
        latest_day=dates.today().isoformat(),
        input_name=input_name,
        plate_key=plate_key,
        **_doubt(form.booking),
    )


def _suggestions(templates: Sequence[Template]) -> Mapping[str, Sequence[str]]:
    fields = [field for template in templates for field in template.fields]
    return suggestions({field.name for field in fields if field.type is FieldType.SUGGESTED})
