"""Roles of a check's fields, and its answers."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Any

from app import dates, money, names
from app.errors import Invalid
from app.fleet.rules.checks import (
    Items,
    Value,
    clean_text,
    find_odometer,
    find_plate,
    format_value,
    is_notes_field,
    parse_miles,
)
from app.fleet.rules.findings import (
    DRIVE_REASON,
    BookingStep,
    DriveReason,
    OpenDefect,
    SightingAnswer,
)
from app.fleet.rules.templates import MAX_TEMPLATES, FieldType, Template, TemplateField
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.sent_files import SentFile

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
    """Return the roles of a template's fields by name, the same as among a check's items."""
    as_items = {field.name: field.name for field in template.fields}
    found: dict[str, FieldRole] = {
        name: FieldRole.PERSON for name in as_items if names.key(name) in _PERSON_FIELDS
    }
    date_fields = (name for name in as_items if names.key(name) == "date")
    by_role = {
        FieldRole.NOTES: next(filter(is_notes_field, as_items), None),
        FieldRole.DATE: next(date_fields, _first_of_type(template, FieldType.DATE)),
        FieldRole.MILEAGE: find_odometer(as_items),
        FieldRole.PLATE: _first_of_type(template, FieldType.PLATE) or find_plate(as_items),
    }
    return found | {str(name): role for role, name in by_role.items() if name}


def person_values(items: Items, templates: Iterable[Template], username: str) -> dict[str, str]:
    """Return the initial values of the templates' PERSON fields, by field name.

    `items` are the items of the person's last check. Without a name among them it is the username.
    """
    texts = {names.key(name): format_value(value) for name, value in items.items()}
    texts[_NAME] = driver_name(items) or username
    found = {
        name: texts.get(names.key(name), "")
        for template in templates
        for name, role in field_roles(template).items()
        if role is FieldRole.PERSON
    }
    return {name: text for name, text in found.items() if text}


def driver_name(items: Items) -> str:
    """Return the name of the driver among a check's items, '' without one."""
    found = (value for name, value in items.items() if names.key(name) == _NAME)
    return format_value(next(found, "")).strip()


def _first_of_type(template: Template, field_type: FieldType) -> str | None:
    return next((field.name for field in template.fields if field.type is field_type), None)


COST = "costGBP"
"""The name of the cost, which is no field of a template."""

DRIVE_QUESTION = "Why is it driven? Choose To the garage, To a test or Other."
WRONG_COST = "Repair/Expense (£) must be a non-negative number."
_NUMBER = re.compile(r"-?[\d,]*(?:\d|\.\d+)", re.ASCII)

FindPlate = Callable[[str], str]
"""Returns a registration as the list of vehicles writes it, '' if it isn't listed."""


@dataclass(frozen=True)
class SubmittedCheck:
    """A check as it was sent; `cost` is in pence, plate and mileage may be among its items.

    `answers` are about open defects, by their numbers. `outcome_text` is the form's text of the
    outcome, '' if it showed none. `booking` is the step of a booking that it takes.
    """

    reg: str | None
    odometer: Value
    day: date
    items: dict[str, Any]
    notes: str = ""
    cost: int = 0
    form_type: str = ""
    photos: Sequence[SentFile] = ()
    answers: Mapping[int, SightingAnswer] = dataclass_field(default_factory=dict)
    outcome_text: str = ""
    drive_reason: DriveReason | None = None
    booking: BookingStep | None = None


class InvalidAnswers(Invalid):
    """A check form isn't filled in correctly.

    `problems` are the sentences above the form, each with the name of the field that it leads to;
    `fields` are the errors at the fields, by name.
    """

    def __init__(
        self, problems: Sequence[tuple[str | None, str]], fields: Mapping[str, str]
    ) -> None:
        super().__init__(problems[0][1])
        self.problems = problems
        self.fields = dict(fields)


def with_notes(template: Template) -> Template:
    """Return a template with a field for notes, which every check has."""
    if FieldRole.NOTES in field_roles(template).values():
        return template
    notes = TemplateField("Notes", "Notes", FieldType.TEXTAREA)
    return replace(template, fields=(*template.fields, notes))


def unanswered_questions(
    defects: Sequence[OpenDefect],
    answers: Mapping[int, SightingAnswer],
    day: date,
    *,
    off_road_since: date | None = None,
    drive_reason: DriveReason | None = None,
) -> Mapping[str, str]:
    """Return the unanswered questions by their inputs, none about what was first seen later."""
    questions = {
        defect.reference: f"Is {defect.reference} still there? Choose Yes, Worse or Gone."
        for defect in defects
        if defect.number not in answers and defect.since <= day
    }
    if off_road_since and off_road_since <= day and not drive_reason:
        return {DRIVE_REASON: DRIVE_QUESTION, **questions}
    return questions


def fill_check(
    template: Template,
    texts: Mapping[str, str],
    cost: str,
    find_plate: FindPlate | None,
    unanswered: Mapping[str, str],
) -> SubmittedCheck:
    """Return the check of a filled-in form.

    `texts` are the fields' texts by name, `unanswered` is the result of `unanswered_questions`.
    Without `find_plate` any registration is accepted. Raises InvalidAnswers with every problem.
    """
    roles = field_roles(template)
    names = {role: name for name, role in roles.items()}
    stored: dict[str, str] = {}
    # The form shows the defects above its fields.
    problems: list[tuple[str | None, str]] = [*unanswered.items()]
    errors = dict(unanswered)
    required = (field for field in template.fields if field.required)
    if empty := [field for field in required if not texts.get(field.name, "").strip()]:
        labels = ", ".join(field.label for field in empty)
        problems.append((empty[0].name, f"Please fill the required fields: {labels}"))
        errors |= {field.name: f"{field.label} is required." for field in empty}
        if (plate := names.get(FieldRole.PLATE, "")) in errors:
            errors[plate] = PLATE_REQUIRED
    for field in template.fields:
        if field.name not in errors:
            try:
                text = texts.get(field.name, "").strip()
                stored[field.name] = _stored_text(field, text, roles.get(field.name), find_plate)
            except Invalid as error:
                problems.append((field.name, error.message))
                errors[field.name] = error.message
    if FieldRole.PLATE not in names:
        problems.append((None, PLATE_REQUIRED))
    if FieldRole.MILEAGE not in names:
        problems.append((None, "This form has no mileage field defined. Please update the schema."))
    pence = 0
    try:
        pence = money.parse_pounds(cost) if cost.strip() else 0
    except Invalid:
        problems.append((COST, WRONG_COST))
        errors[COST] = WRONG_COST
    if problems:
        raise InvalidAnswers(problems, errors)
    day = stored.get(names.get(FieldRole.DATE, ""))
    notes = names.get(FieldRole.NOTES, "")
    return SubmittedCheck(
        reg=stored[names[FieldRole.PLATE]],
        odometer=parse_miles(stored[names[FieldRole.MILEAGE]]) or 0,
        day=dates.parse_day(day) if day else dates.today(),
        items={name: text for name, text in stored.items() if text and name != notes},
        notes=stored.get(notes, ""),
        cost=pence,
        form_type=template.key,
    )


def _stored_text(
    field: TemplateField, text: str, role: FieldRole | None, find_plate: FindPlate | None
) -> str:
    if role is FieldRole.PLATE:
        plate = clean_plate(text)
        if find_plate is None or field.type is not FieldType.PLATE:
            return plate
        if not (listed := find_plate(plate)):
            raise Invalid("Choose a number plate from the list.")
        return listed.upper()
    if role is FieldRole.MILEAGE and parse_miles(text) is None:
        raise Invalid("Mileage (odometer) must be a valid non-negative number.")
    if role is FieldRole.DATE and text:
        dates.check_day(dates.parse_day(text))
    if field.type is FieldType.NUMBER and text and not _NUMBER.fullmatch(text):
        raise Invalid(f"{field.label} must be a number.")
    return clean_text(field.name, text)
