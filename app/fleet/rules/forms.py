"""The check forms: the six built-in types, and what a template may hold (seed §3); pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app import names
from app.errors import Invalid

MAX_KEY_LENGTH = 60
LONGEST_LABEL = 100
LONGEST_VALUE = 1000
LONGEST_CHOICE = 100
MOST_FIELDS = 60
MOST_CHOICES = 50
MOST_TEMPLATES = 50


class FieldType(StrEnum):
    """How a field is filled in; `suggested` is text that offers what was said before."""

    TEXT = "text"
    DATE = "date"
    PLATE = "plate"
    NUMBER = "number"
    CHOICE = "choice"
    SUGGESTED = "suggested"
    TEXTAREA = "textarea"


@dataclass(frozen=True)
class FormField:
    """One field of a form; `name` is its key in a check's items."""

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class FormTemplate:
    """A type of check: what is asked, in order."""

    key: str
    label: str
    fields: tuple[FormField, ...]


CLEANLINESS = ("Clean", "Acceptable", "Dirty")
FUEL_LEVELS = ("Empty", "Quarter", "Half", "Three quarters", "Full")

_FIRST = (
    FormField("Name", "Name", required=True),
    FormField("Date", "Date", FieldType.DATE),
    FormField("Department", "Department", FieldType.SUGGESTED),
    FormField("LicensePlate", "Number plate", FieldType.PLATE, required=True),
    FormField("Mileage", "Mileage", FieldType.NUMBER, required=True),
    FormField("Cleanliness", "Cleanliness", FieldType.CHOICE, choices=CLEANLINESS),
    FormField("Damage", "Damage", FieldType.SUGGESTED),
)
_LAST = (FormField("Notes", "Notes", FieldType.TEXTAREA),)

_DESTINATION = FormField("Destination", "Destination")
_EQUIPMENT = FormField("Equipment", "Equipment", FieldType.SUGGESTED)
_SUPPLIES = FormField("Supplies", "Supplies", FieldType.SUGGESTED)
_SAFETY = FormField("Safety", "Safety", FieldType.SUGGESTED)
_FUEL = FormField("FuelLevel", "Fuel level", FieldType.CHOICE, choices=FUEL_LEVELS)
_TRIP = FormField("TripPurpose", "Trip purpose")
_WATER = FormField("WaterTanks", "Water tanks", FieldType.SUGGESTED)


def _built_in(key: str, label: str, *extra: FormField) -> FormTemplate:
    return FormTemplate(key, label, (*_FIRST, *extra, *_LAST))


BUILT_IN: Sequence[FormTemplate] = (
    _built_in("vehicleCheckGPM", "Standard Vehicle Check"),
    _built_in("asbSolo", "ASB — Solo Van Check", _DESTINATION, _EQUIPMENT),
    _built_in("cleaningCover", "Cleaning Cover — Van Check", _SUPPLIES),
    _built_in("gardeningVan", "Gardening — Van Check", _EQUIPMENT, _FUEL, _SAFETY),
    _built_in("mixed", "Mixed Department Check", _TRIP, _DESTINATION, _SUPPLIES),
    _built_in("carpetCleaning", "Carpet Cleaning — Van Check", _EQUIPMENT, _WATER, _SAFETY),
)
"""The types of the seed, in its order; they hold until a list of templates replaces them."""


def check_templates(templates: Sequence[FormTemplate]) -> None:
    """Check that a list of types can replace the present one.

    Raises Invalid that names the form and the field.
    """
    _check_unique([form.key for form in templates], "Form", "the list", "{}.key")
    for place, form in enumerate(templates):
        at = f"{place}.fields"
        where = f'form "{form.key}"'
        if not form.fields:
            raise Invalid(f'Form "{form.key}" has no fields.', at)
        _check_unique([field.name for field in form.fields], "Field", where, at + ".{}.name")
        for number, field in enumerate(form.fields):
            _check_choices(field, f'Field "{field.name}" of {where}', f"{at}.{number}.choices")


def _check_choices(field: FormField, what: str, at: str) -> None:
    if field.type is not FieldType.CHOICE and field.choices:
        raise Invalid(f"{what} has choices, but its type is {field.type}, not choice.", at)
    if field.type is FieldType.CHOICE and not field.choices:
        raise Invalid(f"{what} is a choice without choices.", at)
    _check_unique(field.choices, "Choice", what[0].lower() + what[1:], at + ".{}")


def _check_unique(said: Sequence[str], what: str, where: str, at: str) -> None:
    seen: set[str] = set()
    for place, name in enumerate(said):
        if names.key(name) in seen:
            raise Invalid(f'{what} "{name}" stands in {where} twice.', at.format(place))
        seen.add(names.key(name))
