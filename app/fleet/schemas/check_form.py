"""The props of the check form's widget."""

from typing import Any

from marshmallow import fields, validate

from app.api.schemas import OfflineReference, Reply, WidgetProps
from app.divisions import Division
from app.fleet.rules.field_roles import FieldRole, field_roles
from app.fleet.rules.templates import Template
from app.fleet.schemas.templates import FieldReply, TemplateReply
from app.fleet.schemas.vehicles import VehicleReply


class CheckFormField(FieldReply):
    """A field of the form; `role` is '' for fields without a meaning of their own."""

    role = fields.String(validate=validate.OneOf([*(role.value for role in FieldRole), ""]))


class CheckFormTemplate(TemplateReply):
    """A check template with the roles of its fields."""

    fields_ = fields.List(fields.Nested(CheckFormField), data_key="fields", attribute="fields")


class CheckFormStart(Reply):
    """What a person's check starts with, taken from their own last checks."""

    form = fields.String(metadata={"description": "The key of the form, or empty"})
    values = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "Texts about the person by field"},
    )
    vehicle = fields.String(metadata={"description": "The registration, or empty"})
    vehicles = fields.List(
        fields.String(), metadata={"description": "The last vehicles, which are offered first"}
    )


class CheckFormProps(WidgetProps):
    """The props of the check form."""

    user = fields.Integer()
    division = fields.String(
        validate=validate.OneOf([Division.FLEET.value, Division.GPM.value]),
    )
    photos = fields.String(metadata={"description": "Where photos are sent, each by its hash"})
    templates = fields.List(fields.Nested(CheckFormTemplate))
    suggestions = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={"description": "Texts of earlier checks by field"},
    )
    start = fields.Nested(CheckFormStart)
    list = fields.String(metadata={"description": "Address of the checks list"})
    vehicle = fields.String(metadata={"description": "The registration to start with, or empty"})
    now = fields.AwareDateTime(
        metadata={"description": "The server's time, by which a check's day goes"}
    )


class CheckFormReference(OfflineReference, WidgetProps):
    """What the check form needs without a connection."""

    props = fields.Nested(CheckFormProps)
    vehicles = fields.List(fields.Nested(VehicleReply))


def template_props(template: Template) -> dict[str, Any]:
    """Return a template as CheckFormTemplate dumps it."""
    roles = field_roles(template)
    described = [vars(field) | {"role": roles.get(field.name, "")} for field in template.fields]
    return {"key": template.key, "label": template.label, "fields": described}
