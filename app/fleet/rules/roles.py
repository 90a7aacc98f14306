"""Which fields of a form the product knows: by their type, else by their names; pure."""

from collections.abc import Mapping
from enum import StrEnum

from app import names
from app.fleet.rules.checks import find_odometer, find_plate, is_notes
from app.fleet.rules.forms import FieldType, FormTemplate

_PERSON_NAMES = {"name", "department"}


class Role(StrEnum):
    """What a field means beside its label; a person's own fields stay for their next check."""

    PLATE = "plate"
    MILEAGE = "mileage"
    DATE = "date"
    NOTES = "notes"
    PERSON = "person"


def roles(template: FormTemplate) -> Mapping[str, Role]:
    """Return the roles of a form's fields by name.

    A name means here what it means among the items of a check that is sent.
    """
    said = {field.name: field.name for field in template.fields}
    found: dict[str, Role] = {
        name: Role.PERSON for name in said if names.key(name) in _PERSON_NAMES
    }
    days = [name for name in said if names.key(name) == "date"]
    wanted = {
        Role.NOTES: next(filter(is_notes, said), None),
        Role.DATE: next(iter(days), _first_of(template, FieldType.DATE)),
        Role.MILEAGE: find_odometer(said),
        Role.PLATE: _first_of(template, FieldType.PLATE) or find_plate(said),
    }
    return found | {str(name): role for role, name in wanted.items() if name}


def _first_of(template: FormTemplate, wanted: FieldType) -> str | None:
    return next((field.name for field in template.fields if field.type is wanted), None)
