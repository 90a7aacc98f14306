"""Check templates: the six built-in ones, and what a template may contain."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app import names
from app.errors import Invalid

MAX_KEY_LENGTH = 60
MAX_LABEL_LENGTH = 100
MAX_VALUE_LENGTH = 1000
MAX_CHOICE_LENGTH = 100
MAX_FIELDS = 60
MAX_CHOICES = 50
MAX_TEMPLATES = 50


class FieldType(StrEnum):
    """How a field is filled in; `suggested` is text with suggestions from earlier checks."""

    TEXT = "text"
    DATE = "date"
    PLATE = "plate"
    NUMBER = "number"
    CHOICE = "choice"
    SUGGESTED = "suggested"
    TEXTAREA = "textarea"


@dataclass(frozen=True)
class TemplateField:
    """One field of a template; `name` is its key in a check's items."""

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """A type of check with its fields in order."""

    key: str
    label: str
    fields: tuple[TemplateField, ...]


CLEANLINESS = ("Clean", "Acceptable", "Dirty")
FUEL_LEVELS = ("Empty", "Quarter", "Half", "Three quarters", "Full")

_FIRST = (
    TemplateField("Name", "Name", required=True),
    TemplateField("Date", "Date", FieldType.DATE),
    TemplateField("Department", "Department", FieldType.SUGGESTED),
    TemplateField("LicensePlate", "Number plate", FieldType.PLATE, required=True),
    TemplateField("Mileage", "Mileage", FieldType.NUMBER, required=True),
    TemplateField("Cleanliness", "Cleanliness", FieldType.CHOICE, choices=CLEANLINESS),
    TemplateField("Damage", "Damage", FieldType.SUGGESTED),
)
_LAST = (TemplateField("Notes", "Notes", FieldType.TEXTAREA),)

_DESTINATION = TemplateField("Destination", "Destination")
_EQUIPMENT = TemplateField("Equipment", "Equipment", FieldType.SUGGESTED)
_SUPPLIES = TemplateField("Supplies", "Supplies", FieldType.SUGGESTED)
_SAFETY = TemplateField("Safety", "Safety", FieldType.SUGGESTED)
_FUEL = TemplateField("FuelLevel", "Fuel level", FieldType.CHOICE, choices=FUEL_LEVELS)
_TRIP = TemplateField("TripPurpose", "Trip purpose")
_WATER = TemplateField("WaterTanks", "Water tanks", FieldType.SUGGESTED)


def _built_in(key: str, label: str, *extra: TemplateField) -> Template:
    return Template(key, label, (*_FIRST, *extra, *_LAST))


BUILT_IN: Sequence[Template] = (
    _built_in("vehicleCheckGPM", "Standard Vehicle Check"),
    _built_in("asbSolo", "ASB — Solo Van Check", _DESTINATION, _EQUIPMENT),
    _built_in("cleaningCover", "Cleaning Cover — Van Check", _SUPPLIES),
    _built_in("gardeningVan", "Gardening — Van Check", _EQUIPMENT, _FUEL, _SAFETY),
    _built_in("mixed", "Mixed Department Check", _TRIP, _DESTINATION, _SUPPLIES),
    _built_in("carpetCleaning", "Carpet Cleaning — Van Check", _EQUIPMENT, _WATER, _SAFETY),
)
"""The templates that apply until a list of others replaces them."""


def validate_templates(templates: Sequence[Template]) -> None:
    """Check that a list of templates may replace the current one.

    Raises Invalid, which names the template and the field.
    """
    _check_unique([template.key for template in templates], "Form", "the list", "{}.key")
    for index, template in enumerate(templates):
        path = f"{index}.fields"
        name = f'form "{template.key}"'
        if not template.fields:
            raise Invalid(f'Form "{template.key}" has no fields. Give it at least one.', path)
        _check_unique([field.name for field in template.fields], "Field", name, path + ".{}.name")
        for number, field in enumerate(template.fields):
            _check_choices(field, f'Field "{field.name}" of {name}', f"{path}.{number}.choices")


def _check_choices(field: TemplateField, name: str, path: str) -> None:
    if field.type is not FieldType.CHOICE and field.choices:
        raise Invalid(f"{name} has choices, but its type is {field.type}, not choice.", path)
    if field.type is FieldType.CHOICE and not field.choices:
        raise Invalid(f"{name} is a choice. Give it choices.", path)
    _check_unique(field.choices, "Choice", name[0].lower() + name[1:], path + ".{}")


def _check_unique(values: Sequence[str], kind: str, container: str, path: str) -> None:
    """Raise Invalid at `path`, a format string for the index, if a value occurs twice."""
    seen: set[str] = set()
    for index, value in enumerate(values):
        if names.key(value) in seen:
            raise Invalid(f'{kind} "{value}" occurs twice in {container}.', path.format(index))
        seen.add(names.key(value))
