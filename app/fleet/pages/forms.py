"""The check form, which a widget fills."""

from typing import Any

from flask import render_template, request, url_for

from app.divisions import Division
from app.fleet.pages.addresses import OWNERS, bp, for_owners
from app.fleet.queries.suggestions import said_before
from app.fleet.queries.templates import form_templates
from app.fleet.rules.forms import FieldType, FormTemplate
from app.fleet.rules.plates import LONGEST_PLATE
from app.fleet.rules.roles import roles
from app.fleet.schemas.templates import template_json
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.navigation import Screen

SCREENS = [Screen(division, "Vehicle Checks", "fleet.check_form") for division in OWNERS]


@bp.get("/fleetChecks")
@for_owners
@failure_message("Failed to load checks")
def check_form() -> str:
    """Show the check form; what is filled in is kept in the browser."""
    user = current_user()
    division = user.chosen or Division.FLEET
    templates = form_templates()
    suggested = {
        field.name
        for template in templates
        for field in template.fields
        if field.type is FieldType.SUGGESTED
    }
    props = {
        "user": user.user_id,
        "division": division,
        "photos": "/api/photos",
        "templates": [_with_roles(template) for template in templates],
        "suggestions": said_before(suggested),
        "list": url_for("fleet.checks"),
        "vehicle": request.args.get("vehicle", "")[:LONGEST_PLATE],
    }
    return render_template("fleet/form.html", props=props)


def _with_roles(template: FormTemplate) -> dict[str, Any]:
    told = template_json(template)
    known = roles(template)
    return told | {
        "fields": [field | {"role": known.get(field["name"], "")} for field in told["fields"]]
    }
