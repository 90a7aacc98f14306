"""Check templates as JSON."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.fields import JsonFlag, JsonText
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply
from app.fleet.rules import templates as rules
from app.fleet.rules.templates import FieldType, Template, TemplateField

_CLEANLINESS = {"example": "Cleanliness"}


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

    @post_load
    def _field(self, data: dict[str, Any], **_: Any) -> TemplateField:
        return TemplateField(
            data["name"],
            data["label"] or data["name"],
            data["type"],
            data["required"],
            tuple(data["choices"]),
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
    """A field of a check form; only fields of type choice have `choices`."""

    name = fields.String(metadata=_CLEANLINESS)
    label = fields.String(metadata=_CLEANLINESS)
    type = fields.Enum(FieldType, by_value=True, metadata={"example": "choice"})
    required = fields.Boolean(metadata={"example": True})
    choices = fields.List(fields.String(), metadata={"example": ["Clean", "Acceptable", "Dirty"]})


class TemplateReply(Reply):
    """A type of check form with its fields in order."""

    key = fields.String(metadata={"example": "mixed"})
    label = fields.String(metadata={"example": "Mixed Department Check"})
    fields_ = fields.List(fields.Nested(FieldReply), data_key="fields")


def template_json(template: Template) -> dict[str, Any]:
    """Return a check template for the API and the widget."""
    return {
        "key": template.key,
        "label": template.label,
        "fields": [_field_json(field) for field in template.fields],
    }


def _template(data: dict[str, Any]) -> Template:
    return Template(data["key"], data["label"], tuple(data["fields_"]))


def _field_json(field: TemplateField) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "type": field.type.value,
        "required": field.required,
        "choices": list(field.choices),
    }
