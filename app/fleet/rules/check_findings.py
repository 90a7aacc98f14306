"""The findings of a check by the answers on its form, and their words.

widgets/src/check-form/findings.ts is the browser's copy; both are tested with the cases of
widgets/src/check-form/findings.json.
"""

from app import names
from app.fleet.rules.checks import (
    CheckOutcome,
    Items,
    damage_field,
    doubts_safety,
    format_value,
    is_notes_field,
    reports_damage,
)
from app.fleet.rules.findings import Failure, Findings, Severity, SightingAnswer
from app.fleet.rules.templates import (
    FieldType,
    Template,
    TemplateField,
    answer_key,
    failing_answers,
)
from app.money import count_of

NIL_TEXT = "No defects. Kept as a nil-defect report."
NOTHING_NEW_TEXT = "No new defects. Kept as a nil-defect report."
"""The words of a check without defects; the second for a vehicle with open ones."""


def failures(items: Items, template: Template | None, notes: str = "") -> list[Failure]:
    """Return the answers that fail, in the order of the form.

    A field about damage that its form gives no failing answers, or that isn't on the form, fails by
    the rule of damage, and isn't assessed; nor is an unclear answer (`is_unclear`).
    """
    fields = {field.name: field for field in template.fields} if template else {}
    values = {name: items[name] for name in fields if name in items} | dict(items)
    values |= {name: notes for name in fields if name not in items and is_notes_field(name)}
    found = []
    for name in [*fields, *(name for name in values if name not in fields)]:
        field = fields.get(name, TemplateField(name, name))
        text = format_value(values.get(name))
        if is_failing(field, text):
            found.append(Failure(field.label, text, field.severity))
        elif is_unclear(field, text) or (
            name in items and not field.fails and reports_damage({name: items[name]})
        ):
            found.append(Failure(field.label, text, None))
    return found


def is_failing(field: TemplateField, text: str) -> bool:
    """Return whether an answer fails in its field."""
    return bool(text.strip()) and answer_key(text) in failing_answers(field)


def is_unclear(field: TemplateField, text: str) -> bool:
    """Return whether a text may stop a vehicle in words of its own, such as 'brakes not working'.

    Only a field that takes any text and has failing answers with 'stop' can have such a text.
    """
    can_stop = field.severity is Severity.STOP and field.type is not FieldType.CHOICE
    return can_stop and not is_failing(field, text) and doubts_safety(text)


def find_outcome(findings: Findings, items: Items, template: Template | None) -> CheckOutcome:
    """Return the outcome of a check; a form that can't report a defect has none."""
    if count_defects(findings):
        return CheckOutcome.DEFECTS
    fields = template.fields if template else ()
    has_questions = any(field.fails or damage_field(field.name) for field in fields)
    if has_questions or findings.answers or any(map(damage_field, items)):
        return CheckOutcome.NIL
    return CheckOutcome.WITHOUT_QUESTIONS


def count_defects(findings: Findings) -> int:
    """Return the number of reported defects; a failing part and its open defect are one."""
    failing = {names.key(failure.defect_part) for failure in findings.failures}
    still = [
        number
        for number, answer in findings.answers.items()
        if answer is not SightingAnswer.ABSENT
        and names.key(findings.parts.get(number, "")) not in failing
    ]
    return len(findings.failures) + len(still)


def fits_outcome(text: str, outcome: CheckOutcome) -> bool:
    """Return whether a form's words tell an outcome; those of defects begin with a number."""
    if outcome is CheckOutcome.WITHOUT_QUESTIONS:
        return not text
    return bool(text) and text[0].isdigit() == (outcome is CheckOutcome.DEFECTS)


def describe_outcome(outcome: CheckOutcome, findings: Findings, *, has_others: bool) -> str:
    """Return the words for an outcome; `has_others` is whether open defects have no answer."""
    if outcome is CheckOutcome.WITHOUT_QUESTIONS:
        return ""
    if outcome is CheckOutcome.NIL:
        return NOTHING_NEW_TEXT if has_others else NIL_TEXT
    return count_of(count_defects(findings), "defect")
