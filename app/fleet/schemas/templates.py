"""Check templates as JSON."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.fields import JsonFlag, JsonText
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply
from app.fleet.rules import templates as rules
from app.fleet.rules.findings import Severity
from app.fleet.rules.templates import FieldType, Template, TemplateField

_CLEANLINESS = {"example": "Cleanliness"}
_FAILS = {
    "description": "The answers that report a defect; of a choice, some of its choices",
    "example": ["Dirty"],
}
_SEVERITY = {
    "description": "How bad such a defect is: stop takes the vehicle off the road",
    "example": "advisory",
}
_PHOTO = {"description": "Whether the form asks for a photo", "example": rules.PHOTO}


class FieldBody(Body):
    """A field of a check form: `name` is its key in a check's items, `label` is shown to people."""

    constraints: ClassVar = {
        "anyOf": [
            {
                "properties": {
                    "type": {"enum": [FieldType.CHOICE.value]},
                    "choices": {"minItems": 1},
                },
                "required": ["type", "choices"],
            },
            {
                "properties": {
                    "type": {"not": {"enum": [FieldType.CHOICE.value]}},
                    "choices": {"maxItems": 0},
                }
            },
        ]
    }

    name = JsonText(
        limit=rules.MAX_LABEL_LENGTH, what="A field's name", required=True, metadata=_CLEANLINESS
    )
    label = JsonText(
        limit=rules.MAX_LABEL_LENGTH, what="A field's label", load_default="", metadata=_CLEANLINESS
    )
    type = fields.Enum(
        FieldType, by_value=True, load_default=FieldType.TEXT, metadata={"example": "choice"}
    )
    required = JsonFlag(load_default=False, metadata={"example": True})
    choices = fields.List(
        JsonText(limit=rules.MAX_CHOICE_LENGTH, what="A choice", required=True),
        load_default=list,
        validate=validate.Length(
            max=rules.MAX_CHOICES,
            error=FullMessage(f"A field has at most {rules.MAX_CHOICES} choices."),
        ),
        metadata={"example": ["Clean", "Acceptable", "Dirty"]},
    )

    fails = fields.List(
        JsonText(limit=rules.MAX_CHOICE_LENGTH, what="A failing answer", required=True),
        load_default=list,
        validate=validate.Length(
            max=rules.MAX_FAILING_ANSWERS,
            error=FullMessage(f"A field has at most {rules.MAX_FAILING_ANSWERS} failing answers."),
        ),
        metadata=_FAILS,
    )
    severity = fields.Enum(Severity, by_value=True, load_default=None, metadata=_SEVERITY)
    photo = fields.String(
        data_key="asks",
        load_default="",
        validate=validate.OneOf([rules.PHOTO]),
        metadata=_PHOTO,
    )

    @post_load
    def _field(self, data: dict[str, Any], **_: Any) -> TemplateField:
        return TemplateField(
            data["name"],
            data["label"] or data["name"],
            data["type"],
            data["required"],
            tuple(data["choices"]),
            tuple(data["fails"]),
            data["severity"],
            bool(data["photo"]),
        )


class TemplateBody(Body):
    """A type of check form with its fields in order."""

    key = JsonText(
        limit=rules.MAX_KEY_LENGTH,
        what="A form's key",
        required=True,
        metadata={"example": "mixed"},
    )
    label = JsonText(
        limit=rules.MAX_LABEL_LENGTH,
        what="A form's label",
        required=True,
        metadata={"example": "Mixed Department Check"},
    )
    fields_ = fields.List(
        fields.Nested(FieldBody),
        required=True,
        data_key="fields",
        metadata={"minItems": 1},
        validate=validate.Length(
            max=rules.MAX_FIELDS,
            error=FullMessage(f"A form has at most {rules.MAX_FIELDS} fields."),
        ),
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

    name = fields.String(metadata=_CLEANLINESS)
    label = fields.String(metadata=_CLEANLINESS)
    type = fields.String(
        validate=validate.OneOf([each.value for each in FieldType]), metadata={"example": "choice"}
    )
    required = fields.Boolean(metadata={"example": True})
    choices = fields.List(fields.String(), metadata={"example": ["Clean", "Acceptable", "Dirty"]})
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

    key = fields.String(metadata={"example": "mixed"})
    label = fields.String(metadata={"example": "Mixed Department Check"})
    fields_ = fields.List(fields.Nested(FieldReply), data_key="fields")


def _template(data: dict[str, Any]) -> Template:
    return Template(data["key"], data["label"], tuple(data["fields_"]))
