"""What a check finds by its answers; the browser's copy is tested with the same cases."""

import json

import pytest

from app.fleet.rules.check_findings import (
    NIL_TEXT,
    NOTHING_NEW_TEXT,
    count_defects,
    describe_outcome,
    failures,
    find_outcome,
)
from app.fleet.rules.checks import CheckOutcome, damage_field
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Failure, Findings, Severity, SightingAnswer
from app.fleet.rules.templates import BUILT_IN, Template, TemplateField, field_of
from tests.architecture.tree import ROOT

SHARED = json.loads((ROOT / "widgets/src/check-form/findings.json").read_text())
PLAIN = {"type": "text", "required": False, "choices": []}
TEMPLATE = Template("own", "Own", tuple(field_of(PLAIN | each) for each in SHARED["fields"]))


def test_the_browser_gets_the_fields_about_damage_by_the_servers_rule():
    for field in SHARED["fields"]:
        assert damage_field(field["name"]) == field.get("damage")


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: json.dumps(case["answers"]))
def test_answers_fail_as_in_the_browser(case):
    items = {name: text.strip() for name, text in case["answers"].items() if name != "Notes"}
    notes = case["answers"].get("Notes", "")
    found = failures(items, TEMPLATE, notes)
    assert [[each.text, each.severity] for each in found] == case["failures"]
    findings = Findings(
        found,
        {int(number): SightingAnswer(each) for number, each in case.get("about", {}).items()},
        {int(number): part for number, part in case.get("open", {}).items()},
    )
    outcome = find_outcome(findings, items, TEMPLATE)
    assert outcome == case["outcome"]
    assert describe_outcome(outcome, findings, has_others=False) == case["text"]


def test_an_answer_of_a_program_fails_as_the_text_that_people_read():
    ramp = TemplateField("Ramp", "Ramp", fails=("No",), severity=Severity.REPAIR)
    template = Template("own", "Own", (ramp,))
    assert failures({"Ramp": False}, template) == [Failure("Ramp", "No", Severity.REPAIR)]
    assert failures({"Ramp": True}, template) == []


def test_without_its_form_a_check_reports_damage_alone():
    items = {"Damage": "Scratch", "Brakes": "Fail"}
    assert failures(items, None) == [Failure("Damage", "Scratch", None)]
    assert find_outcome(Findings(), {"Mileage": "5"}, None) is CheckOutcome.WITHOUT_QUESTIONS
    assert find_outcome(Findings(), {"Damage": "None"}, None) is CheckOutcome.NIL


def test_a_field_about_damage_with_failing_answers_goes_by_these():
    field = TemplateField("Damage", "Damage", fails=("Bad",), severity=Severity.REPAIR)
    template = Template("own", "Own", (field,))
    assert failures({"Damage": "Scratch"}, template) == []
    assert failures({"Damage": "bad"}, template) == [Failure("Damage", "bad", Severity.REPAIR)]


def test_an_open_defect_that_is_still_there_is_a_defect_and_one_that_is_gone_is_none():
    still, absent = (Findings(answers={142: each}) for each in ("worse", SightingAnswer.ABSENT))
    assert find_outcome(still, {}, None) is CheckOutcome.DEFECTS
    assert find_outcome(absent, {}, None) is CheckOutcome.NIL
    nil = CheckOutcome.NIL
    assert describe_outcome(nil, absent, has_others=False) == NIL_TEXT
    assert describe_outcome(nil, absent, has_others=True) == NOTHING_NEW_TEXT


@pytest.mark.parametrize("text", ["Scratch", "Scratch " * 30])
def test_a_damage_whose_defect_is_still_there_is_one_defect(text):
    damage = Failure("Damage", text, None)
    findings = Findings([damage], {142: SightingAnswer.YES}, {142: damage.title})
    assert len(damage.title) <= MAX_TITLE_LENGTH
    assert count_defects(findings) == 1


@pytest.mark.parametrize(
    ("field", "answer", "severity"),
    [
        ("Cleanliness", "Dirty", Severity.ADVISORY),
        ("FuelLevel", "Empty", Severity.ADVISORY),
        ("Equipment", "missing", Severity.ADVISORY),
        ("WaterTanks", "Leaking", Severity.REPAIR),
        ("Safety", "Not safe", Severity.STOP),
        ("Safety", "Brakes not working", None),
        ("Damage", "Scratch", None),
    ],
)
def test_the_built_in_forms_judge_their_fields(field, answer, severity):
    having = [form for form in BUILT_IN if field in {each.name for each in form.fields}]
    assert having
    for form in having:
        assert [each.severity for each in failures({field: answer}, form)] == [severity]


def test_the_driver_of_any_built_in_form_can_stop_the_vehicle():
    for form in BUILT_IN:
        found = failures({"SafeToDrive": "No"}, form)
        assert [each.severity for each in found] == [Severity.STOP], form.key
        assert failures({"SafeToDrive": "Yes"}, form) == []
