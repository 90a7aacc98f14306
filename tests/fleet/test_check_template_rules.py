"""Validation of check templates."""

import pytest

from app.errors import Invalid
from app.fleet.rules.findings import Severity
from app.fleet.rules.templates import (
    BUILT_IN,
    FieldType,
    Template,
    TemplateField,
    validate_templates,
)

NAME = TemplateField("Name", "Name")


def form(*fields, key="own"):
    return Template(key, "Own form", fields or (NAME,))


def refused(*templates):
    with pytest.raises(Invalid) as error:
        validate_templates(templates)
    return error.value.field, error.value.message


def test_the_built_in_templates_are_valid():
    validate_templates(BUILT_IN)


def test_a_template_needs_no_mileage_field():
    validate_templates([form(NAME)])


def test_a_refusal_names_form_and_field():
    choice = FieldType.CHOICE
    assert refused(form(), form(key="OWN")) == ("1.key", 'Form "OWN" occurs twice in the list.')
    assert refused(Template("own", "Own", ())) == (
        "0.fields",
        'Form "own" has no fields. Give it at least one.',
    )
    assert refused(form(NAME, TemplateField("name", "Again"))) == (
        "0.fields.1.name",
        'Field "name" occurs twice in form "own".',
    )
    assert refused(form(NAME, TemplateField("Fuel", "Fuel", choice))) == (
        "0.fields.1.choices",
        'Field "Fuel" of form "own" is a choice. Give it choices.',
    )
    assert refused(form(TemplateField("Fuel", "Fuel", choices=("Full",)))) == (
        "0.fields.0.choices",
        'Field "Fuel" of form "own" has choices, but its type is text, not choice.',
    )
    assert refused(form(TemplateField("Fuel", "Fuel", choice, choices=("Full", "full")))) == (
        "0.fields.0.choices.1",
        'Choice "full" occurs twice in field "Fuel" of form "own".',
    )


def test_failing_answers_are_choices_of_their_field_and_have_a_severity():
    def fuel(**values):
        choices = ("Full", "Empty")
        return form(TemplateField("Fuel", "Fuel", FieldType.CHOICE, choices=choices, **values))

    stop = Severity.STOP
    validate_templates([fuel(fails=("Empty",), severity=stop)])
    assert refused(fuel(fails=("Full", "Low"), severity=stop)) == (
        "0.fields.0.fails.1",
        '"Low" fails in field "Fuel" of form "own", but is no choice.',
    )
    assert refused(fuel(fails=("Empty",))) == (
        "0.fields.0.severity",
        'Field "Fuel" of form "own" can fail. Give it a severity.',
    )
    assert refused(fuel(severity=stop)) == (
        "0.fields.0.fails",
        'Field "Fuel" of form "own" has a severity. Give it answers that fail.',
    )
    assert refused(fuel(fails=("Empty", "Empty"), severity=stop)) == (
        "0.fields.0.fails.1",
        'Failing answer "Empty" occurs twice in field "Fuel" of form "own".',
    )
    mileage = TemplateField("Mileage", "Mileage", FieldType.NUMBER, fails=("0",), severity=stop)
    assert refused(form(mileage)) == (
        "0.fields.0.fails",
        'Field "Mileage" of form "own" is a number, which can\'t fail.',
    )
