"""The check forms that are offered."""

from collections.abc import Sequence

from sqlalchemy import select

from app.db import db
from app.fleet.models import CheckTemplate
from app.fleet.rules.forms import BUILT_IN, FieldType, FormField, FormTemplate


def form_templates() -> Sequence[FormTemplate]:
    """Return the form types in their order: those that replaced the built-in ones, else these."""
    stored = db.session.execute(select(CheckTemplate).order_by(CheckTemplate.position)).scalars()
    return [_template(row) for row in stored] or BUILT_IN


def template_of(key: str) -> FormTemplate | None:
    """Return the form type with this key, None where there is none (any more)."""
    return next((form for form in form_templates() if form.key == key), None)


def _template(row: CheckTemplate) -> FormTemplate:
    fields = (
        FormField(
            name=field["name"],
            label=field["label"],
            type=FieldType(field["type"]),
            required=field["required"],
            choices=tuple(field["choices"]),
        )
        for field in row.fields
    )
    return FormTemplate(row.key, row.label, tuple(fields))
