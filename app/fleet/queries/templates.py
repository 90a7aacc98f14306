"""The check templates in use."""

from collections.abc import Sequence

from sqlalchemy import select

from app.db import db
from app.fleet.models import CheckTemplate
from app.fleet.rules.templates import BUILT_IN, FieldType, Template, TemplateField


def check_templates() -> Sequence[Template]:
    """Return the templates in order: those that replaced the built-in ones, else these."""
    rows = db.session.execute(select(CheckTemplate).order_by(CheckTemplate.position)).scalars()
    return [_template(row) for row in rows] or BUILT_IN


def find_template(key: str) -> Template | None:
    """Return the template with this key, None if there is none."""
    return next((template for template in check_templates() if template.key == key), None)


def _template(row: CheckTemplate) -> Template:
    fields = (
        TemplateField(
            name=field["name"],
            label=field["label"],
            type=FieldType(field["type"]),
            required=field["required"],
            choices=tuple(field["choices"]),
        )
        for field in row.fields
    )
    return Template(row.key, row.label, tuple(fields))
