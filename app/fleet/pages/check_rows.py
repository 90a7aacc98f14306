"""The functions of a check's templates: its values by label, its photos and its review's Undo."""

from collections.abc import Mapping
from typing import Any

from flask import url_for

from app.fleet.queries.checks import CheckRow
from app.fleet.queries.templates import check_templates
from app.fleet.rules.checks import damage_text, labelled_values
from app.fleet.rules.field_roles import FieldRole, field_roles
from app.fleet.rules.templates import Template
from app.fleet.schemas.checks import photo_urls

_IN_HEADING = {FieldRole.PLATE, FieldRole.MILEAGE, FieldRole.DATE}


def undo_url(check: CheckRow) -> str:
    """Return the address that takes the review of a check back."""
    return url_for("fleet.undo_review", check_id=check.id, number=check.review_number)


def row_context() -> dict[str, Any]:
    """Return the context of a row's template."""
    templates = {template.key: template for template in check_templates()}
    return {
        "values_of": lambda row: labelled_values(
            row.items, templates.get(row.form_type), row.notes
        ),
        "photo_urls": photo_urls,
        "undo_url": undo_url,
    }


def queue_context() -> dict[str, Any]:
    """Return the context of the review queue's template."""
    templates = {template.key: template for template in check_templates()}
    return {
        "answers_of": lambda row: _answers(row, templates.get(row.form_type)),
        "damage_of": lambda row: damage_text(row.items),
        "photo_urls": photo_urls,
    }


def _answers(check: CheckRow, template: Template | None) -> list[tuple[str, str]]:
    roles: Mapping[str, FieldRole] = field_roles(template) if template else {}
    items = {
        name: value for name, value in check.items.items() if roles.get(name) not in _IN_HEADING
    }
    return labelled_values(items, template, check.notes)
