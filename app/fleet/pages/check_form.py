"""The check form, a widget."""

from flask import render_template, request, url_for

from app.divisions import Division
from app.fleet.pages.scope import DIVISIONS, bp, for_fleet
from app.fleet.queries.own_checks import own_checks
from app.fleet.queries.suggestions import suggestions
from app.fleet.queries.templates import check_templates
from app.fleet.rules.field_roles import person_values
from app.fleet.rules.plates import MAX_PLATE_LENGTH
from app.fleet.rules.templates import FieldType
from app.fleet.schemas.check_form import CheckFormProps, template_props
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.navigation import Screen

PHOTOS_URL = "/api/photos"

SCREENS = [Screen(division, "Vehicle Checks", "fleet.check_form") for division in DIVISIONS]


@bp.get("/fleetChecks")
@for_fleet
@failure_message("Failed to load checks")
def check_form() -> str:
    """Render the check form; the browser keeps what is filled in."""
    user = current_user()
    templates = check_templates()
    own = own_checks(user.user_id)
    suggested = {
        field.name
        for template in templates
        for field in template.fields
        if field.type is FieldType.SUGGESTED
    }
    props = CheckFormProps().dump(
        {
            "user": user.user_id,
            "division": user.chosen or Division.FLEET,
            "photos": PHOTOS_URL,
            "templates": [template_props(template) for template in templates],
            "suggestions": suggestions(suggested),
            "start": {
                "form": own.form_type,
                "values": person_values(own.items, templates, user.username),
                "vehicle": own.usual_vehicle,
                "vehicles": own.vehicles,
            },
            "list": url_for("fleet.checks"),
            "vehicle": request.args.get("vehicle", "")[:MAX_PLATE_LENGTH],
        }
    )
    return render_template("fleet/check_form.html", props=props)
