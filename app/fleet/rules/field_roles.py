"""Fields of a check template with a meaning of their own, such as the number plate."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from app import names
from app.fleet.rules.checks import (
    Items,
    find_odometer,
    find_plate,
    format_value,
    is_notes_field,
)
from app.fleet.rules.templates import MAX_TEMPLATES, FieldType, Template

_NAME = "name"
_PERSON_FIELDS = {_NAME, "department"}


class FieldRole(StrEnum):
    """The meaning of a field besides its label; PERSON fields start as in the last check."""

    PLATE = "plate"
    MILEAGE = "mileage"
    DATE = "date"
    NOTES = "notes"
    PERSON = "person"


@lru_cache(maxsize=MAX_TEMPLATES)
def field_roles(template: Template) -> Mapping[str, FieldRole]:
    """Return the roles of a template's fields by field name.

    A name has the same role here as among the items of a submitted check.
    """
    names_as_items = {field.name: field.name for field in template.fields}
    found: dict[str, FieldRole] = {
        name: FieldRole.PERSON for name in names_as_items if names.key(name) in _PERSON_FIELDS
    }
    date_fields = [name for name in names_as_items if names.key(name) == "date"]
    by_role = {
        FieldRole.NOTES: next(filter(is_notes_field, names_as_items), None),
        FieldRole.DATE: next(iter(date_fields), _first_of_type(template, FieldType.DATE)),
        FieldRole.MILEAGE: find_odometer(names_as_items),
        FieldRole.PLATE: _first_of_type(template, FieldType.PLATE) or find_plate(names_as_items),
    }
    return found | {str(name): role for role, name in by_role.items() if name}


def person_values(items: Items, templates: Iterable[Template], username: str) -> dict[str, str]:
    """Return the initial values of the templates' PERSON fields, by field name.

    `items` are the items of the person's last check. Without a name among them it is the username.
    """
    texts = {names.key(name): format_value(value) for name, value in items.items()}
    texts[_NAME] = texts.get(_NAME, "").strip() or username
    found = {
        name: texts.get(names.key(name), "")
        for template in templates
        for name, role in field_roles(template).items()
        if role is FieldRole.PERSON
    }
    return {name: text for name, text in found.items() if text}


def _first_of_type(template: Template, field_type: FieldType) -> str | None:
    return next((field.name for field in template.fields if field.type is field_type), None)
