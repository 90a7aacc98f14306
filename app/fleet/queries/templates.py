"""The check templates in use."""

from collections.abc import Sequence

from sqlalchemy import select

from app.db import db
from app.fleet.models import CheckTemplate
from app.fleet.rules.templates import BUILT_IN, Template, field_of


def check_templates() -> Sequence[Template]:
    """Return the templates in order: the replaced ones, else the built-in ones."""
    rows = db.session.execute(select(CheckTemplate).order_by(CheckTemplate.position)).scalars()
    return [_template(row) for row in rows] or BUILT_IN


def find_template(key: str) -> Template | None:
    """Return the template with a key, or None."""
    return next((template for template in check_templates() if template.key == key), None)


def _template(row: CheckTemplate) -> Template:
    return Template(row.key, row.label, tuple(field_of(field) for field in row.fields))
