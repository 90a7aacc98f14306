"""The props of the check form's widget."""

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import fields

from app.divisions import Division
from app.fleet.rules.field_roles import FieldRole, field_roles
from app.fleet.rules.templates import Template
from app.fleet.schemas.templates import FieldReply, TemplateReply, template_json

PHOTOS_URL = "/api/photos"


class CheckFormField(FieldReply):
    """A field of the form; `role` is '' for fields without a meaning of their own."""

    role = fields.Enum(FieldRole, by_value=True)


class CheckFormTemplate(TemplateReply):
    """A check template with the roles of its fields."""

    fields_ = fields.List(fields.Nested(CheckFormField), data_key="fields")


def check_form_props(
    *,
    user_id: int,
    division: Division,
    templates: Sequence[Template],
    suggestions: Mapping[str, Sequence[str]],
    list_url: str,
    vehicle: str,
) -> dict[str, Any]:
    """Return the widget's props; `vehicle` is the registration to start with, or ''."""
    return {
        "user": user_id,
        "division": division,
        "photos": PHOTOS_URL,
        "templates": [_template_props(template) for template in templates],
        "suggestions": suggestions,
        "list": list_url,
        "vehicle": vehicle,
    }


def _template_props(template: Template) -> dict[str, Any]:
    described = template_json(template)
    roles = field_roles(template)
    return described | {
        "fields": [field | {"role": roles.get(field["name"], "")} for field in described["fields"]]
    }
