"""Check templates: the six built-in ones, and the limits of a template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app import names
from app.errors import Invalid
from app.fleet.rules.findings import Severity

MAX_KEY_LENGTH = 60
MAX_LABEL_LENGTH = 100
MAX_VALUE_LENGTH = 1000
MAX_CHOICE_LENGTH = 100
MAX_FIELDS = 60
MAX_CHOICES = 50
MAX_TEMPLATES = 50
MAX_FAILING_ANSWERS = 20

PHOTO = "photo"
"""The stored and sent value of a field that needs a photo."""


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
    """One field of a template; `name` is its key in a check's items.

    `fails` are the answers that report a defect of this severity; `needs_photo` has the form ask
    for a photo of it.
    """

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    severity: Severity | None = None
    needs_photo: bool = False


@dataclass(frozen=True)
class Template:
    """A type of check with its fields in order."""

    key: str
    label: str
    fields: tuple[TemplateField, ...]


CLEANLINESS = ("Clean", "Acceptable", "Dirty")
FUEL_LEVELS = ("Empty", "Quarter", "Half", "Three quarters", "Full")


def _failing(
    name: str, label: str, severity: Severity, fails: tuple[str, ...], choices: tuple[str, ...] = ()
) -> TemplateField:
    kind = FieldType.CHOICE if choices else FieldType.SUGGESTED
    return TemplateField(name, label, kind, choices=choices, fails=fails, severity=severity)


_FIRST = (
    TemplateField("Name", "Name", required=True),
    TemplateField("Date", "Date", FieldType.DATE),
    TemplateField("Department", "Department", FieldType.SUGGESTED),
    TemplateField("LicensePlate", "Number plate", FieldType.PLATE, required=True),
    TemplateField("Mileage", "Mileage", FieldType.NUMBER, required=True),
    _failing("Cleanliness", "Cleanliness", Severity.ADVISORY, ("Dirty",), CLEANLINESS),
    TemplateField("Damage", "Damage", FieldType.SUGGESTED, needs_photo=True),
)
_LAST = (
    # Lets the driver of any vehicle stop it: texts about damage wait until somebody assesses them.
    _failing("SafeToDrive", "Safe to drive", Severity.STOP, ("No",), ("Yes", "No")),
    TemplateField("Notes", "Notes", FieldType.TEXTAREA),
)

_DESTINATION = TemplateField("Destination", "Destination")
_EQUIPMENT = _failing("Equipment", "Equipment", Severity.ADVISORY, ("Missing", "Broken"))
_SUPPLIES = TemplateField("Supplies", "Supplies", FieldType.SUGGESTED)
# One of these alone means the vehicle; any other text is for somebody to assess.
_UNSAFE = ("Unsafe", "Not safe", "Fail", "Failed")
_SAFETY = _failing("Safety", "Safety", Severity.STOP, _UNSAFE)
_FUEL = _failing("FuelLevel", "Fuel level", Severity.ADVISORY, ("Empty",), FUEL_LEVELS)
_TRIP = TemplateField("TripPurpose", "Trip purpose")
_WATER = _failing("WaterTanks", "Water tanks", Severity.REPAIR, ("Leak", "Leaks", "Leaking"))


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


def failing_answers(field: TemplateField) -> frozenset[str]:
    """Return the keys of the answers of a field that fail."""
    return frozenset(map(answer_key, field.fails))


def answer_key(text: str) -> str:
    """Return the key of an answer: case, spaces and a full stop at the end don't count."""
    return names.key(text.strip(" .!"))


def field_values(field: TemplateField) -> dict[str, Any]:
    """Return a field as it is stored; failing answers and photos only if it has them."""
    stored: dict[str, Any] = {
        "name": field.name,
        "label": field.label,
        "type": field.type.value,
        "required": field.required,
        "choices": list(field.choices),
    }
    if field.fails and field.severity:
        stored |= {"fails": list(field.fails), "severity": field.severity.value}
    return stored | ({"asks": PHOTO} if field.needs_photo else {})


def template_values(template: Template) -> dict[str, Any]:
    """Return a template as it is stored and sent."""
    fields = [field_values(field) for field in template.fields]
    return {"key": template.key, "label": template.label, "fields": fields}


def field_of(values: Mapping[str, Any]) -> TemplateField:
    """Return the field that `field_values` stored."""
    severity = values.get("severity")
    return TemplateField(
        name=values["name"],
        label=values["label"],
        type=FieldType(values["type"]),
        required=values["required"],
        choices=tuple(values["choices"]),
        fails=tuple(values.get("fails", ())),
        severity=Severity(severity) if severity else None,
        needs_photo=values.get("asks") == PHOTO,
    )


def validate_templates(templates: Sequence[Template]) -> None:
    """Check a list of templates; raises Invalid, which names the template and the field."""
    _check_unique([template.key for template in templates], "Form", "the list", "{}.key")
    for index, template in enumerate(templates):
        path = f"{index}.fields"
        name = f'form "{template.key}"'
        if not template.fields:
            raise Invalid(f'Form "{template.key}" has no fields. Give it at least one.', path)
        _check_unique([field.name for field in template.fields], "Field", name, path + ".{}.name")
        for number, field in enumerate(template.fields):
            described, place = f'Field "{field.name}" of {name}', f"{path}.{number}"
            _check_choices(field, described, f"{place}.choices")
            _check_failing(field, described, place)


def _check_choices(field: TemplateField, name: str, path: str) -> None:
    if field.type is not FieldType.CHOICE and field.choices:
        raise Invalid(f"{name} has choices, but its type is {field.type}, not choice.", path)
    if field.type is FieldType.CHOICE and not field.choices:
        raise Invalid(f"{name} is a choice. Give it choices.", path)
    _check_unique(field.choices, "Choice", _lower(name), path + ".{}")


def _check_failing(field: TemplateField, name: str, path: str) -> None:
    if field.severity and not field.fails:
        raise Invalid(f"{name} has a severity. Give it answers that fail.", f"{path}.fails")
    if not field.fails:
        return
    if field.type not in (FieldType.CHOICE, FieldType.TEXT, FieldType.SUGGESTED):
        raise Invalid(f"{name} is a {field.type}, which can't fail.", f"{path}.fails")
    if not field.severity:
        raise Invalid(f"{name} can fail. Give it a severity.", f"{path}.severity")
    for index, answer in enumerate(field.fails):
        if field.choices and answer not in field.choices:
            message = f'"{answer}" fails in {_lower(name)}, but is no choice.'
            raise Invalid(message, f"{path}.fails.{index}")
    _check_unique(field.fails, "Failing answer", _lower(name), path + ".fails.{}")


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _check_unique(values: Sequence[str], kind: str, container: str, path: str) -> None:
    """Raise Invalid at `path`, a format string for the index, if a value occurs twice."""
    seen: set[str] = set()
    for index, value in enumerate(values):
        if names.key(value) in seen:
            raise Invalid(f'{kind} "{value}" occurs twice in {container}.', path.format(index))
        seen.add(names.key(value))
