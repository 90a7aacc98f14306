"""Check forms as JSON holds them."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.calls import Body, Reply
from app.api.fields import Flag, Text
from app.fleet.rules import forms as rules
from app.fleet.rules.forms import FieldType, FormField, FormTemplate

_CLEANLINESS = {"example": "Cleanliness"}


class FieldBody(Body):
    """A field of a form: `name` is its key in a check's items, `label` what a person reads."""

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

    name = Text(
        limit=rules.LONGEST_LABEL, what="A field's name", required=True, metadata=_CLEANLINESS
    )
    label = Text(
        limit=rules.LONGEST_LABEL, what="A field's label", load_default="", metadata=_CLEANLINESS
    )
    type = fields.Enum(
        FieldType, by_value=True, load_default=FieldType.TEXT, metadata={"example": "choice"}
    )
    required = Flag(load_default=False)
    choices = fields.List(
        Text(limit=rules.LONGEST_CHOICE, what="A choice", required=True),
        load_default=list,
        validate=validate.Length(
            max=rules.MOST_CHOICES, error=f"A field has at most {rules.MOST_CHOICES} choices."
        ),
    )

    @post_load
    def _field(self, data: dict[str, Any], **_: Any) -> FormField:
        return FormField(
            data["name"],
            data["label"] or data["name"],
            data["type"],
            data["required"],
            tuple(data["choices"]),
        )


class TemplateBody(Body):
    """A form type: what is asked, in order."""

    key = Text(
        limit=rules.MAX_KEY_LENGTH,
        what="A form's key",
        required=True,
        metadata={"example": "mixed"},
    )
    label = Text(limit=rules.LONGEST_LABEL, what="A form's label", required=True)
    fields_ = fields.List(
        fields.Nested(FieldBody),
        required=True,
        data_key="fields",
        metadata={"minItems": 1},
        validate=validate.Length(
            max=rules.MOST_FIELDS, error=f"A form has at most {rules.MOST_FIELDS} fields."
        ),
    )

    @post_load(pass_collection=True)
    def _templates(
        self, data: Any, *, many: bool = False, **_: Any
    ) -> list[FormTemplate] | FormTemplate:
        if not many:
            return _template(data)
        if len(data) > rules.MOST_TEMPLATES:
            raise ValidationError(f"There are at most {rules.MOST_TEMPLATES} forms.")
        return [_template(form) for form in data]


class FieldReply(Reply):
    """A field of a form; `choices` are those of a choice."""

    name = fields.String(metadata=_CLEANLINESS)
    label = fields.String(metadata=_CLEANLINESS)
    type = fields.Enum(FieldType, by_value=True, metadata={"example": "choice"})
    required = fields.Boolean()
    choices = fields.List(fields.String())


class TemplateReply(Reply):
    """A form type: what is asked, in order."""

    key = fields.String(metadata={"example": "mixed"})
    label = fields.String()
    fields_ = fields.List(fields.Nested(FieldReply), data_key="fields")


def template_json(template: FormTemplate) -> dict[str, Any]:
    """Return a form type as the API, the table and the widget hold it."""
    return {
        "key": template.key,
        "label": template.label,
        "fields": [_field_json(field) for field in template.fields],
    }


def _template(data: dict[str, Any]) -> FormTemplate:
    return FormTemplate(data["key"], data["label"], tuple(data["fields_"]))


def _field_json(field: FormField) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "type": field.type.value,
        "required": field.required,
        "choices": list(field.choices),
    }
