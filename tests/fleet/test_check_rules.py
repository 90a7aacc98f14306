"""What a check must contain, what needs a second look, and which check templates are valid."""

from datetime import date

import pytest

from app.errors import Invalid
from app.fleet.models import Check
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import CheckFlag
from app.fleet.rules.findings import Severity
from app.fleet.rules.templates import (
    BUILT_IN,
    FieldType,
    Template,
    TemplateField,
    validate_templates,
)

PLATE = "Vehicle number plate is required."
MILEAGE = "Mileage (odometer) is required and must be a number."


def wrong(reg, odometer, items=None):
    with pytest.raises(Invalid) as refused:
        rules.parse_readings(reg, odometer, items or {})
    return refused.value.fields


def test_plate_and_mileage_of_the_check_come_before_its_items():
    reading = rules.parse_readings(" lk19  vte ", 48210, {"LicensePlate": "other", "Mileage": 1})
    assert reading == ("LK19 VTE", 48210)


@pytest.mark.parametrize(
    "name",
    [
        *("reg", "REG", "Reg", "plate", "Plate", "registration", "Registration"),
        *("number plate", "Number Plate", "number_plate", "NumberPlate", "numberPlate"),
        *("LicensePlate", "licenceplate", "Vehicle Reg", "vehicle_registration", "REG NO"),
    ],
)
def test_a_plate_is_found_among_the_items_by_its_name(name):
    assert rules.find_plate({"Name": "Ann", name: "lk19 vte"}) == "lk19 vte"


@pytest.mark.parametrize(
    "name",
    [
        *("Date of registration", "Registration year", "Plate expiry", "Region", "Template"),
        *("Regular user", "Registered to", "Date"),
    ],
)
def test_fields_with_other_names_are_no_plate(name):
    assert rules.find_plate({name: "lk19 vte"}) == ""


@pytest.mark.parametrize(
    "name", ["mileage", "Mileage", "MILE_AGE", "odometer", "Odo meter", "Current mileage"]
)
def test_a_mileage_is_found_among_the_items_by_its_name(name):
    assert rules.find_odometer({"Name": "7", name: 48210}) == 48210


def test_a_field_of_type_plate_comes_before_one_named_like_a_plate():
    form = Template(
        "own", "Own", (TemplateField("Van", "Van", FieldType.PLATE), TemplateField("reg", "Reg"))
    )
    assert rules.find_plate({"reg": "other", "Van": "lk19 vte"}, form) == "lk19 vte"
    assert rules.find_plate({"reg": "other", "Van": " "}, form) == "other"
    assert rules.find_plate({"reg": "other"}, form) == "other"


def test_exact_names_come_before_longer_ones_and_empty_values_are_skipped():
    items = {"Registration date": "2019-03-01", "Plate": "  ", "reg": "LK19 VTE"}
    assert rules.find_plate(items) == "LK19 VTE"


@pytest.mark.parametrize(
    ("written", "miles"),
    [("48210", 48210), ("48,210", 48210), (" 48210.9 ", 48210), ("0", 0), (7, 7), (7.9, 7)],
)
def test_a_mileage_among_the_items_may_be_written_as_text(written, miles):
    assert rules.parse_readings("A", None, {"Mileage": written}) == ("A", miles)


@pytest.mark.parametrize("odometer", [0, 48210, 48210.7, 999_999_999])
def test_a_mileage_is_a_number_of_0_or_more_in_whole_miles(odometer):
    assert rules.parse_readings("A", odometer, {}) == ("A", int(odometer))


@pytest.mark.parametrize(
    "odometer", [None, "", "48210", "x", True, -1, -0.5, float("nan"), float("inf")]
)
def test_any_other_value_is_refused_as_mileage(odometer):
    assert wrong("A", odometer) == {"odometer": MILEAGE}


@pytest.mark.parametrize("written", ["", "  ", "x", "-5", "1e5", "٣", "12 miles", True])
def test_a_text_that_is_no_number_is_refused_as_mileage(written):
    assert wrong("A", None, {"Mileage": written}) == {"odometer": MILEAGE}


def test_a_mileage_above_the_limit_is_refused():
    message = "Mileage (odometer) must be at most 999,999,999."
    assert wrong("A", 1_000_000_000) == {"odometer": message}
    assert wrong("A", 1e300) == {"odometer": message}


@pytest.mark.parametrize("reg", [None, "", "   "])
def test_a_plate_is_required(reg):
    assert wrong(reg, 1) == {"reg": PLATE}


def test_every_problem_is_reported_at_once():
    assert wrong("", None) == {"reg": PLATE, "odometer": MILEAGE}
    assert wrong("x" * 21, None)["reg"] == "Number plate must be at most 20 characters"


@pytest.mark.parametrize(
    ("answer", "is_damage"),
    [
        *((text, False) for text in ("", " ", "none", "None.", "NO", "n", "N/A", "na", "nil")),
        *((text, False) for text in ("ok", "OK!", "-", "–", None, False, 0, "No damage")),
        *((text, False) for text in ("None found", "No new damage", "Nothing to report.", "n / a")),
        *((text, False) for text in ("No damage. All good!", "None - all ok", "Not damaged")),
        *((text, False) for text in ("No damage\nNone found", "undamaged")),
        *((text, True) for text in ("No, but a dent", "No damage; mirror cracked", "no good", "?")),
        *((text, True) for text in ("new damage", "damage found", "1", 2, "no. Yes")),
        *((text, True) for text in ("Dent in the door", "not ok", "nose scratched", "yes", True)),
    ],
)
def test_a_field_about_damage_reports_damage(answer, is_damage):
    assert rules.reports_damage({"Damage": answer}) is is_damage
    assert rules.reports_damage({"Name": "Ann", "New damage": answer}) is is_damage
    assert not rules.reports_damage({"Name": answer})


@pytest.mark.parametrize("name", ["Undamaged", "No damage", "not_damaged", "NoDamage"])
def test_a_field_that_denies_damage_reports_some_when_it_is_answered_no(name):
    for agreed in ("yes", "Y", True, "", None, "n/a", "none", "ok", 0):
        assert not rules.reports_damage({name: agreed})
    for denied in ("no", "No.", "N", False, "dent in the door"):
        assert rules.reports_damage({name: denied})


@pytest.mark.parametrize("name", ["Notes", "Undamageable", "No smoking", "Without trailer"])
def test_a_field_about_something_else_reports_no_damage(name):
    assert not rules.reports_damage({name: "no"})
    assert not rules.reports_damage({name: "dent"})


def test_flags_are_always_in_the_same_order():
    flagged = Check(has_damage=True, cost=1, odometer_fell=True)
    assert rules.check_flags(flagged) == list(CheckFlag)
    plain = Check(has_damage=False, cost=0, odometer_fell=False)
    assert rules.check_flags(plain) == []
    plain.odometer_fell = True
    assert rules.check_flags(plain) == ["odometer"]


@pytest.mark.parametrize(
    ("last", "odometer", "warning"),
    [
        (48210, 48209, "Lower than the last reading, 48,210."),
        (48210, 48210, None),
        (48210, 48211, None),
        (None, 0, None),
    ],
)
def test_an_odometer_below_the_previous_reading_gives_a_warning(last, odometer, warning):
    assert rules.odometer_warning(last, odometer) == warning


def test_the_search_key_contains_every_text_and_value():
    key = rules.search_key(["LK19 VTE", "Ann"], {"Damage": "DENT"}, date(2026, 1, 15))
    assert key == "lk19 vte ann dent 2026-01-15 15 jan 2026"


COMMON = {
    "Name",
    "Date",
    "Department",
    "LicensePlate",
    "Mileage",
    "Cleanliness",
    "Damage",
    "SafeToDrive",
    "Notes",
}
OWN = {
    "vehicleCheckGPM": [],
    "asbSolo": ["Destination", "Equipment"],
    "cleaningCover": ["Supplies"],
    "gardeningVan": ["Equipment", "FuelLevel", "Safety"],
    "mixed": ["TripPurpose", "Destination", "Supplies"],
    "carpetCleaning": ["Equipment", "WaterTanks", "Safety"],
}


def test_each_built_in_form_has_fields_of_its_own_among_the_common_ones():
    names = {form.key: [field.name for field in form.fields] for form in BUILT_IN}
    assert {key: [n for n in each if n not in COMMON] for key, each in names.items()} == OWN
    for key, each in names.items():
        assert set(each) >= COMMON, key
        assert len(set(each)) == len(each), key


def test_values_are_in_the_order_of_the_template_under_its_labels():
    items = {"Extra": True, "Mileage": 7, "LicensePlate": "A", "Damage": " ", "Name": "Ann"}
    assert rules.labelled_values(items, BUILT_IN[0], "") == [
        *(("Name", "Ann"), ("Number plate", "A"), ("Mileage", "7"), ("Extra", "Yes"))
    ]
    assert rules.labelled_values({"b": "1", "a": None}, None, "") == [("b", "1")]
    assert rules.labelled_values({"Seen": "2026-01-05"}, None, "") == [("Seen", "5 Jan 2026")]


def test_the_notes_of_a_check_are_not_repeated_as_a_value():
    assert rules.labelled_values({"Notes": "Fine"}, BUILT_IN[0], "Fine") == []
    assert rules.labelled_values({"Notes": "Fine"}, BUILT_IN[0], "Other") == [("Notes", "Fine")]


NAME = TemplateField("Name", "Name")
STOP = Severity.STOP
FUEL, OF_FUEL = 'Field "Fuel" of form "own"', 'field "Fuel" of form "own"'


def form(*fields, key="own"):
    return Template(key, "Own form", fields or (NAME,))


def fuel(*choices, kind=FieldType.CHOICE, **values):
    return TemplateField("Fuel", "Fuel", kind, choices=choices, **values)


def failing(*fails, **values):
    return fuel("Full", "Empty", fails=fails, **values)


def refused(*templates):
    with pytest.raises(Invalid) as error:
        validate_templates(templates)
    return error.value.field, error.value.message


def test_built_in_templates_are_valid_and_a_template_needs_no_mileage_field():
    validate_templates(BUILT_IN)
    validate_templates([form(NAME)])
    validate_templates([form(failing("Empty", severity=STOP))])


def test_a_refusal_names_form_and_field():
    assert refused(form(), form(key="OWN")) == ("1.key", 'Form "OWN" occurs twice in the list.')
    empty = 'Form "own" has no fields. Give it at least one.'
    assert refused(Template("own", "Own", ())) == ("0.fields", empty)
    twice = 'Field "name" occurs twice in form "own".'
    assert refused(form(NAME, TemplateField("name", "Again"))) == ("0.fields.1.name", twice)


@pytest.mark.parametrize(
    ("field", "place", "message"),
    [
        (fuel(), "choices", f"{FUEL} is a choice. Give it choices."),
        (
            fuel("Full", kind=FieldType.TEXT),
            "choices",
            f"{FUEL} has choices, but its type is text, not choice.",
        ),
        (fuel("Full", "full"), "choices.1", f'Choice "full" occurs twice in {OF_FUEL}.'),
        (
            failing("Full", "Low", severity=STOP),
            "fails.1",
            f'"Low" fails in {OF_FUEL}, but is no choice.',
        ),
        (failing("Empty"), "severity", f"{FUEL} can fail. Give it a severity."),
        (failing(severity=STOP), "fails", f"{FUEL} has a severity. Give it answers that fail."),
        (
            failing("Empty", "Empty", severity=STOP),
            "fails.1",
            f'Failing answer "Empty" occurs twice in {OF_FUEL}.',
        ),
        (
            fuel(kind=FieldType.NUMBER, fails=("0",), severity=STOP),
            "fails",
            f"{FUEL} is a number, which can't fail.",
        ),
    ],
)
def test_choices_and_failing_answers_fit_their_field(field, place, message):
    assert refused(form(NAME, field)) == (f"0.fields.1.{place}", message)
