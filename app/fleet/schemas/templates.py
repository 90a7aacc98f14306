"""Check forms as JSON holds them."""

from typing import Any

from app.fleet.rules.forms import FormField, FormTemplate


def template_json(template: FormTemplate) -> dict[str, Any]:
    """Return a form type as the API, the table and the widget hold it."""
    return {
        "key": template.key,
        "label": template.label,
        "fields": [_field_json(field) for field in template.fields],
    }


def _field_json(field: FormField) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "type": field.type.value,
        "required": field.required,
        "choices": list(field.choices),
    }
