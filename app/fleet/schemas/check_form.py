"""The props of the check form's widget."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from marshmallow import fields, validate

from app import dates
from app.api.schemas import OfflineReference, Reply, WidgetProps
from app.divisions import Division
from app.fleet.rules.checks import DamageField, damage_field
from app.fleet.rules.field_roles import FieldRole, field_roles
from app.fleet.rules.findings import Severity
from app.fleet.rules.templates import Template, field_values
from app.fleet.schemas.templates import FieldReply, TemplateReply
from app.fleet.schemas.vehicles import VehicleReply
from app.fleet.services.briefings import Briefing


class CheckFormField(FieldReply):
    """A field of the form; `role` is '' for fields without a meaning of their own."""

    class Meta:
        """Options of marshmallow."""

        exclude = ("photo",)

    role = fields.String(validate=validate.OneOf([*(role.value for role in FieldRole), ""]))
    needsPhoto = fields.Boolean(  # noqa: N815 (the browser's name)
        metadata={"description": "Whether the form asks for a photo of it"}
    )
    damage = fields.String(
        validate=validate.OneOf([each.value for each in DamageField]),
        allow_none=True,
        metadata={"description": "What it is about, if it is about damage"},
    )


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


class BriefingDefect(Reply):
    """An open defect of a vehicle."""

    number = fields.String(metadata={"example": "D-0142"})
    title = fields.String(metadata={"example": "Nearside mirror cracked"})
    part = fields.String(metadata={"example": "Damage"})
    since = fields.Date(metadata={"example": "2026-11-03"})
    standing = fields.String(metadata={"example": "booked in for Mon 23 Nov"})
    isStop = fields.Boolean(  # noqa: N815 (the browser's name)
        metadata={"description": "Whether the vehicle must not be driven with it"}
    )


class BriefingReply(Reply):
    """What a driver should know about a vehicle before they check it."""

    miles = fields.Integer(allow_none=True, metadata={"description": "The last odometer reading"})
    day = fields.Date(allow_none=True, metadata={"description": "Of that reading"})
    notices = fields.List(fields.String(), metadata={"example": ["MOT runs out in 6 days."]})
    offRoad = fields.String(  # noqa: N815 (the browser's name)
        metadata={"description": "That it is off the road, or empty"}
    )
    defects = fields.List(fields.Nested(BriefingDefect))


class CheckBriefings(WidgetProps):
    """The briefings of the vehicles that have one, by the key of their registration."""

    briefings = fields.Dict(keys=fields.String(), values=fields.Nested(BriefingReply))


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
    phone = fields.String(
        metadata={"description": "Whom to ring about a vehicle that mustn't be driven, or empty"}
    )
    now = fields.AwareDateTime(
        metadata={"description": "The server's time, by which a check's day goes"}
    )


class CheckFormReference(OfflineReference, WidgetProps):
    """What the check form needs without a connection."""

    props = fields.Nested(CheckFormProps)
    vehicles = fields.List(fields.Nested(VehicleReply))
    briefings = fields.Dict(keys=fields.String(), values=fields.Nested(BriefingReply))


def template_props(template: Template) -> dict[str, Any]:
    """Return a template as CheckFormTemplate dumps it."""
    roles = field_roles(template)
    described = [
        field_values(field)
        | {
            "role": roles.get(field.name, ""),
            "needsPhoto": field.needs_photo,
            "damage": damage_field(field.name),
        }
        for field in template.fields
    ]
    return {"key": template.key, "label": template.label, "fields": described}


def briefings_json(briefings: Mapping[str, Briefing]) -> dict[str, Any]:
    """Return briefings as CheckBriefings describes them."""
    return {key: _briefing_json(briefing) for key, briefing in briefings.items()}


def describe_off_road(since: date | None) -> str:
    """Return that a vehicle is off the road, '' if it isn't."""
    return f"Off the road since {dates.short_day(since)}: do not drive" if since else ""


def _briefing_json(briefing: Briefing) -> dict[str, Any]:
    reading = briefing.reading
    return {
        "miles": reading.miles if reading else None,
        "day": reading.day.isoformat() if reading else None,
        "notices": list(briefing.notices),
        "offRoad": describe_off_road(briefing.off_road_since),
        "defects": [
            {
                "number": defect.reference,
                "title": defect.title,
                "part": defect.part,
                "since": defect.since.isoformat(),
                "standing": defect.standing,
                "isStop": defect.severity is Severity.STOP,
            }
            for defect in briefing.defects
        ],
    }
