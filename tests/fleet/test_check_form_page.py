"""The page of the check form: who may open it, and the props of its widget."""

import json
from datetime import date

import pytest

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.fleet.models import Check, CheckTemplate
from tests import factories


def props(page):
    return json.loads(page.html.select_one("[data-widget=check-form]")["data-props"])


def checked(*all_items):
    """Insert checks with these items, the oldest first."""
    with transaction():
        for items in all_items:
            about = {
                "reg": "LK19 VTE",
                "reg_key": "lk19vte",
                "day": date(2026, 1, 15),
                "odometer": 1,
            }
            made = {"search_key": "", "submitted_at": dates.utc_now()}
            db.session.add(Check(items=items, **about, **made))


@pytest.mark.parametrize("division", [Division.FLEET, Division.GPM])
def test_the_form_is_in_the_menu_of_fleet_and_gpm(signed_in, division):
    page = signed_in("driver", division).open("/fleetChecks")
    assert page.status == 200
    assert page.all("h1") == ["Vehicle Checks"]
    assert page.link("Vehicle Checks") == "/fleetChecks"
    form = props(page)
    assert form["division"] == division
    assert (form["photos"], form["list"]) == ("/api/photos", "/fleetChecksList")


def test_the_six_forms_of_the_specification_are_offered(driver):
    templates = props(driver.open("/fleetChecks"))["templates"]
    assert [template["label"] for template in templates] == [
        *("Standard Vehicle Check", "ASB — Solo Van Check", "Cleaning Cover — Van Check"),
        *("Gardening — Van Check", "Mixed Department Check", "Carpet Cleaning — Van Check"),
    ]
    gardening = templates[3]["fields"]
    last = ["Equipment", "FuelLevel", "Safety", "SafeToDrive", "Notes"]
    assert [field["name"] for field in gardening][-5:] == last
    assert gardening[5]["choices"] == ["Clean", "Acceptable", "Dirty"]


PLAIN_FIELD = {"role": "", "needsPhoto": False, "damage": None}


@pytest.mark.writes_directly
def test_stored_templates_replace_the_built_in_ones(app, driver):
    field = {"name": "Mood", "label": "<b>Mood</b>", "type": "suggested"}
    field |= {"required": False, "choices": []}
    with app.app_context(), transaction():
        db.session.add(CheckTemplate(position=0, key="own", label="Our own", fields=[field]))
    form = props(driver.open("/fleetChecks"))
    assert form["templates"] == [
        {"key": "own", "label": "Our own", "fields": [field | PLAIN_FIELD]}
    ]
    assert form["suggestions"] == {"Mood": []}


@pytest.mark.writes_directly
def test_fields_have_the_roles_that_the_server_gives_them(app, driver):
    types = {"Vehicle reg": "text", "Odometer reading": "number", "Region": "text"}
    types |= {"Seen on": "date", "DEPARTMENT": "text", "Notes": "text"}
    with app.app_context(), transaction():
        fields = [
            {"name": name, "label": name, "type": type_, "required": False, "choices": []}
            for name, type_ in types.items()
        ]
        db.session.add(CheckTemplate(position=0, key="own", label="Our own", fields=fields))
        chosen = [fields[0], {**fields[2], "name": "Van", "type": "plate"}]
        db.session.add(CheckTemplate(position=1, key="van", label="By van", fields=chosen))
    own, van = props(driver.open("/fleetChecks"))["templates"]
    roles = ["plate", "mileage", "", "date", "person", "notes"]
    assert [field["role"] for field in own["fields"]] == roles
    assert [field["role"] for field in van["fields"]] == ["", "plate"]


@pytest.mark.writes_directly
def test_text_fields_suggest_earlier_texts_the_most_frequent_first(in_app, driver):
    in_app(
        checked,
        {"Damage": "none", "Name": "Jo"},
        {"Damage": "Scratch"},
        {"Damage": " None  "},
        {"Damage": "", "Equipment": 3},
    )
    suggestions = props(driver.open("/fleetChecks"))["suggestions"]
    assert suggestions["Damage"] == ["None", "Scratch"]
    assert suggestions["Equipment"] == []
    fields = {"Department", "Damage", "Equipment", "Supplies", "Safety", "WaterTanks"}
    assert set(suggestions) == fields


@pytest.mark.writes_directly
@pytest.mark.differs_by_engine
def test_at_most_20_texts_are_suggested(in_app, driver):
    in_app(checked, *({"Damage": f"Dent {n}"} for n in range(30)))
    offered = props(driver.open("/fleetChecks"))["suggestions"]["Damage"]
    assert len(offered) == 20
    assert offered[0] == "Dent 29"


def test_the_form_opens_for_a_vehicle(driver):
    page = driver.open("/fleetChecks?vehicle=LK19%20VTE")
    assert props(page)["vehicle"] == "LK19 VTE"
    assert props(driver.open("/fleetChecks?vehicle=" + "x" * 500))["vehicle"] == "x" * 20


def start(person):
    return props(person.open("/fleetChecks"))["start"]


def test_a_first_check_starts_with_the_username_alone(driver):
    nothing = {"form": "", "vehicle": "", "vehicles": []}
    assert start(driver) == nothing | {"values": {"Name": "driver"}}


@pytest.mark.differs_by_engine
def test_a_check_starts_with_the_persons_own_last_one(driver, check, vehicle):
    for reg in ("AA11 AAA", "BB22 BBB", "CC33 CCC", "DD44 DDD"):
        vehicle(reg)
        check(reg, form_type="mixed", items={"Name": "Jo Marsh", "Department": "Gardening"})
    check("bb22bbb", form_type="asbSolo", items={"Name": "Jo M", "Department": "Cleaning"})
    assert start(driver) == {
        "form": "asbSolo",
        "values": {"Name": "Jo M", "Department": "Cleaning"},
        "vehicle": "BB22 BBB",
        "vehicles": ["BB22 BBB", "DD44 DDD", "CC33 CCC"],
    }


def test_a_check_starts_with_nothing_of_somebody_else(in_app, driver, check, vehicle):
    vehicle("LK19 VTE")
    colleague = in_app(factories.user, "colleague", Division.FLEET)
    check(items={"Name": "Jo Marsh"}, by=colleague)
    assert start(driver)["values"] == {"Name": "driver"}
    assert start(driver)["vehicles"] == []


def test_a_vehicle_that_is_checked_today_or_gone_from_the_list_is_not_chosen(
    driver, check, vehicle
):
    vehicle("LK19 VTE")
    check("LK19 VTE", day=dates.today())
    assert (start(driver)["vehicle"], start(driver)["vehicles"]) == ("", ["LK19 VTE"])
    check("ZZ99 ZZZ")
    assert (start(driver)["vehicle"], start(driver)["vehicles"]) == ("", ["LK19 VTE"])
