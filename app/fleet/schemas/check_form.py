"""JSON of check templates and the check form."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api import replies
from app.api.fields import FullMessage, JsonFlag, JsonText
from app.api.replies import Reply
from app.api.schemas import Body, OfflineReference, WidgetProps
from app.divisions import Division
from app.fleet.rules import templates as rules
from app.fleet.rules.check_answers import FieldRole, field_roles
from app.fleet.rules.checks import DamageField, damage_field
from app.fleet.rules.findings import HandoverStep, Severity
from app.fleet.rules.templates import FieldType, Template, TemplateField, field_values
from app.fleet.schemas.checks import at_most
from app.fleet.schemas.vehicles import VehicleReply
from app.fleet.services.upkeep import Briefing

_NAME = {"example": "Cleanliness"}
_FAILS = {
    "description": "The answers that report a defect; of a choice, some of its choices",
    "example": ["Dirty"],
}
_SEVERITY = {
    "description": "How bad such a defect is: stop takes the vehicle off the road",
    "example": "advisory",
}
_PHOTO = {"description": "Whether the form asks for a photo", "example": rules.PHOTO}

_CHOICE = {"enum": [FieldType.CHOICE.value]}

_label = partial(JsonText, limit=rules.MAX_LABEL_LENGTH)


class FieldBody(Body):
    """A field of a check form: `name` is its key in a check's items, `label` is shown to people."""

    constraints: ClassVar = {
        "anyOf": [
            {
                "properties": {"type": _CHOICE, "choices": {"minItems": 1}},
                "required": ["type", "choices"],
            },
            {"properties": {"type": {"not": _CHOICE}, "choices": {"maxItems": 0}}},
        ]
    }

    name = _label(what="A field's name", required=True, metadata=_NAME)
    label = _label(what="A field's label", load_default="", metadata=_NAME)
    type = fields.Enum(
        FieldType, by_value=True, load_default=FieldType.TEXT, metadata={"example": "choice"}
    )
    required = JsonFlag(load_default=False, metadata={"example": True})
    choices = fields.List(
        JsonText(limit=rules.MAX_CHOICE_LENGTH, what="A choice", required=True),
        load_default=list,
        validate=at_most(rules.MAX_CHOICES, "A field has at most {max} choices."),
        metadata={"example": ["Clean", "Acceptable", "Dirty"]},
    )

    fails = fields.List(
        JsonText(limit=rules.MAX_CHOICE_LENGTH, what="A failing answer", required=True),
        load_default=list,
        validate=at_most(rules.MAX_FAILING_ANSWERS, "A field has at most {max} failing answers."),
        metadata=_FAILS,
    )
    severity = fields.Enum(Severity, by_value=True, load_default=None, metadata=_SEVERITY)
    needs_photo = fields.String(
        data_key="asks", load_default="", validate=validate.OneOf([rules.PHOTO]), metadata=_PHOTO
    )

    @post_load
    def _field(self, data: dict[str, Any], **_: Any) -> TemplateField:
        values = data | {
            "label": data["label"] or data["name"],
            "choices": tuple(data["choices"]),
            "fails": tuple(data["fails"]),
            "needs_photo": bool(data["needs_photo"]),
        }
        return TemplateField(**values)


class TemplateBody(Body):
    """A type of check form with its fields in order."""

    key = JsonText(
        limit=rules.MAX_KEY_LENGTH,
        what="A form's key",
        required=True,
        metadata={"example": "mixed"},
    )
    label = _label(
        what="A form's label", required=True, metadata={"example": "Mixed Department Check"}
    )
    fields_ = fields.List(
        fields.Nested(FieldBody),
        required=True,
        data_key="fields",
        metadata={"minItems": 1},
        validate=at_most(rules.MAX_FIELDS, "A form has at most {max} fields."),
    )

    @post_load(pass_collection=True)
    def _templates(self, data: Any, *, many: bool = False, **_: Any) -> list[Template] | Template:
        if not many:
            return _template(data)
        if len(data) > rules.MAX_TEMPLATES:
            raise ValidationError(FullMessage(f"There are at most {rules.MAX_TEMPLATES} forms."))
        return [_template(template) for template in data]


class FieldReply(Reply):
    """A field of a check form; only fields of type choice have `choices`.

    `fails`, `severity` and `asks` are there if the field has them.
    """

    name = fields.String(metadata=_NAME)
    label = fields.String(metadata=_NAME)
    type = replies.choice(FieldType, "choice")
    required = replies.flag(True)
    choices = replies.texts(["Clean", "Acceptable", "Dirty"])
    fails = fields.List(fields.String(), metadata=_FAILS)
    severity = fields.String(
        validate=validate.OneOf([severity.value for severity in Severity]), metadata=_SEVERITY
    )
    photo = fields.String(data_key="asks", validate=validate.OneOf([rules.PHOTO]), metadata=_PHOTO)

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Document a field as always present but for these."""
        super().on_bind_field(field_name, field_obj)
        field_obj.required = field_name not in ("fails", "severity", "photo")


class TemplateReply(Reply):
    """A type of check form with its fields in order."""

    key = replies.text("mixed")
    label = replies.text("Mixed Department Check")
    fields_ = replies.rows(FieldReply, data_key="fields")


def _template(data: dict[str, Any]) -> Template:
    return Template(data["key"], data["label"], tuple(data["fields_"]))


class CheckFormField(FieldReply):
    """A field of the form; `role` is '' for fields without a meaning of their own."""

    class Meta:
        """Options of marshmallow."""

        exclude = ("photo",)

    role = replies.choice([*(role.value for role in FieldRole), ""])
    needs_photo = replies.flag(description="Whether the form asks for a photo of it")
    damage = replies.choice(
        DamageField, null=True, description="What it is about, if it is about damage"
    )


class CheckFormTemplate(TemplateReply):
    """A check template with the roles of its fields."""

    fields_ = replies.rows(CheckFormField, data_key="fields")


def _by_text(values: fields.Field[Any], **about: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=values, metadata=about)


class CheckFormStart(Reply):
    """What a person's check starts with, taken from their own last checks."""

    form = replies.text(description="The key of the form, or empty")
    values = _by_text(fields.String(), description="Texts about the person by field")
    vehicle = replies.text(description="The registration, or empty")
    vehicles = replies.texts(description="The last vehicles, which are offered first")


class BriefingDefect(Reply):
    """An open defect of a vehicle."""

    number = replies.text("D-0142", "reference")
    title = replies.text("Nearside mirror cracked")
    part = replies.text("Damage")
    since = replies.day("2026-11-03")
    standing = replies.text("booked in for Mon 23 Nov")
    is_stop = replies.flag(
        value=lambda defect: defect.severity is Severity.STOP,
        description="Whether the vehicle must not be driven with it",
    )


class CheckFormBooking(Reply):
    """The step of a booking that a check takes."""

    number = replies.text("B-0031", "reference")
    step = replies.choice(HandoverStep, "out")


class BriefingBooking(CheckFormBooking):
    """A booking of a vehicle, with the step that comes next."""

    for_name = replies.text("k.lee", data_key="for")
    starts_at = replies.moment("2026-11-24T09:00:00Z", data_key="from")
    ends_at = replies.moment("2026-11-24T12:00:00Z", data_key="to")


def _of_reading(name: str) -> Callable[[Briefing], Any]:
    return lambda briefing: briefing.reading and getattr(briefing.reading, name)


class BriefingReply(Reply):
    """What a driver should know about a vehicle before they check it."""

    miles = replies.number(
        value=_of_reading("miles"), null=True, description="The last odometer reading"
    )
    day = replies.day(value=_of_reading("day"), null=True, description="Of that reading")
    notices = replies.texts(["MOT runs out in 6 days."])
    off_road = replies.text(description="That it is off the road, or empty")
    off_road_since = replies.day(null=True)
    defects = replies.rows(BriefingDefect)
    bookings = replies.rows(BriefingBooking, description="Today's and tomorrow's")


class CheckBriefings(WidgetProps):
    """The briefings of the vehicles that have one, by the key of their registration."""

    briefings = _by_text(fields.Nested(BriefingReply))


class CheckFormProps(WidgetProps):
    """The props of the check form."""

    user = replies.number()
    division = replies.choice([Division.FLEET.value, Division.GPM.value])
    photos = replies.text(description="Where photos are sent, each by its hash")
    templates = replies.rows(CheckFormTemplate)
    suggestions = _by_text(
        fields.List(fields.String()), description="Texts of earlier checks by field"
    )
    start = replies.nested(CheckFormStart)
    list = replies.text(description="Address of the checks list")
    vehicle = replies.text(description="The registration to start with, or empty")
    booking = replies.nested(CheckFormBooking, null=True)
    phone = replies.text(
        description="Whom to ring about a vehicle that mustn't be driven, or empty"
    )
    now = fields.AwareDateTime(
        metadata={"description": "The server's time, by which a check's day goes"}
    )


class CheckFormReference(OfflineReference, WidgetProps):
    """What the check form needs without a connection."""

    props = replies.nested(CheckFormProps)
    vehicles = replies.rows(VehicleReply)
    briefings = _by_text(fields.Nested(BriefingReply))


def template_props(template: Template) -> dict[str, Any]:
    """Return a template as CheckFormTemplate dumps it."""
    roles = field_roles(template)
    described = [
        {
            **field_values(field),
            "role": roles.get(field.name, ""),
            "needsPhoto": field.needs_photo,
            "damage": damage_field(field.name),
        }
        for field in template.fields
    ]
    return {"key": template.key, "label": template.label, "fields": described}


def briefings_json(briefings: Mapping[str, Briefing]) -> dict[str, Any]:
    """Return briefings as CheckBriefings describes them."""
    return {key: BriefingReply.write(briefing) for key, briefing in briefings.items()}
