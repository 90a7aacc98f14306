"""Adding and editing vehicles, without scripts."""

import pytest

from app.db import db, transaction
from app.fleet.models import Vehicle
from app.fleet.rules.vehicles import STATUSES, VehicleState
from app.fleet.services import vehicles as services
from tests.fleet.test_vehicles_api import events

ADD = "/vehicles/add"


def history(app):
    return [event[1:] for event in events(app)]


def facts(page):
    return dict(zip(page.all(".facts dt"), page.all(".facts dd"), strict=True))


def test_a_vehicle_is_added_and_its_page_opens(app, driver):
    values = {"make": "Ford", "model": "Transit", "classification": "Van", "status": "Available"}
    page = driver.submit(driver.open(ADD), reg=" lk19  vte ", location="Depot", **values)
    assert page.all(".notice.ok") == ["Added LK19 VTE."]
    assert page.all("h1") == ["LK19 VTE"]
    values = facts(page)
    assert values.pop("Last Update") != "–"
    assert list(values.values()) == ["Ford Transit", "Van", "Available", "Depot", "–"]
    assert [line[:3] for line in history(app)] == [("LK19 VTE", "Available", "Depot")]
    assert history(app)[0][3] is not None


def test_a_vehicle_without_status_or_location_was_never_updated(app, driver):
    page = driver.submit(driver.open(ADD), reg="A1")
    values = facts(page)
    assert (values["Status"], values["Location"], values["Last Update"]) == ("Unknown", "–", "–")
    assert history(app) == []
    assert "No history yet." in page.text


def test_a_registration_that_exists_is_refused_at_its_field(driver, vehicle):
    vehicle("LK19 VTE")
    for typed in ("LK19 VTE", "lk19vte", " L K19  VTE"):
        page = driver.submit(driver.open(ADD), reg=typed, make="Fiat")
        assert page.status == 409, typed
        assert page.all("#reg-error") == ["Vehicle LK19 VTE already exists."], typed
        assert page.all(".notice.bad h2") == ["There is a problem"], typed
        assert page.html.select_one("#make")["value"] == "Fiat", typed


INVALID_VALUES = [
    ({"reg": " "}, "Vehicle number plate is required."),
    ({"reg": "x" * 21}, "Number plate must be at most 20 characters"),
    ({"reg": "A\u200b1"}, "Number plate holds a character that can't be seen (U+200B)"),
    ({"make": "x" * 61}, "Make must be at most 60 characters"),
    ({"model": "x" * 61}, "Model must be at most 60 characters"),
    ({"status": "x" * 41}, "Status must be at most 40 characters"),
    ({"classification": "x" * 61}, "Classification must be at most 60 characters"),
    ({"location": "x" * 101}, "Location must be at most 100 characters"),
]


def test_an_invalid_value_is_reported_at_its_field(app, driver):
    for typed, message in INVALID_VALUES:
        page = driver.submit(driver.open(ADD), **{"reg": "A1", **typed})
        assert page.status == 422, typed
        (field,) = typed
        assert page.all(f"#{field}-error")[0].startswith(message), typed
        assert page.all(".notice.bad li")[0].startswith(message), typed
        with app.app_context():
            assert db.session.query(Vehicle).count() == 0, typed


def test_a_classification_ignores_case_and_is_confirmed_where_it_resembles_another(driver, vehicle):
    path = f"/vehicles/{vehicle(classification='Van')}/edit"
    page = driver.submit(driver.open(ADD), reg="A1", classification="van")
    assert facts(page)["Classification"] == "Van"
    new = 'New classification "Vam"'
    page = driver.submit(driver.open(ADD), reg="A2", classification="Vam")
    assert (page.status, page.question) == (422, [f"{new}? Or", "Van", new])
    assert facts(driver.submit(page, new="Vam"))["Classification"] == "Vam"
    # A vehicle's own can be respelt.
    page = driver.submit(driver.open(path), classification="VAN")
    assert facts(page)["Classification"] == "VAN"


def test_the_fields_suggest_values_in_use(driver, vehicle):
    vehicle(status="Sold", classification="Van", location="Depot")
    page = driver.open(ADD)
    in_use = {"status": [*STATUSES, "Sold"], "classification": ["Van"], "location": ["Depot"]}
    for field, texts in in_use.items():
        offers = page.html.select(f"#{field}-offers option")
        assert [option["value"] for option in offers] == texts, field


@pytest.mark.differs_by_engine
def test_a_change_of_status_or_location_is_a_row_of_the_history(app, driver, vehicle):
    path = f"/vehicles/{vehicle(make='Ford', status='In use', location='Depot')}/edit"
    page = driver.submit(driver.open(path), status="Off the road")
    assert page.all(".notice.ok") == ["Saved LK19 VTE."]
    assert page.all(".facts .badge.bad") == ["Off the road"]
    driver.submit(driver.open(path), location="Workshop", make="Fiat")
    driver.submit(driver.open(path), make="Ford")
    driver.submit(driver.open(path))
    assert [line[:3] for line in history(app)] == [
        ("LK19 VTE", "Off the road", "Depot"),
        ("LK19 VTE", "Off the road", "Workshop"),
    ]
    assert page.all("#rows tr td:nth-of-type(3)") == ["driver"]


def test_the_registration_cannot_be_edited_and_the_form_explains_why(driver, vehicle):
    path = f"/vehicles/{vehicle()}/edit"
    page = driver.open(path)
    assert page.html.select_one("#reg").has_attr("readonly")
    assert page.all("#reg-note") == [
        "The registration can't be changed, because history and checks refer to it. "
        "For another registration, add a vehicle."
    ]
    assert driver.submit(page, reg="OTHER 1", make="Fiat").all("h1") == ["LK19 VTE"]


def test_an_edit_conflict_shows_the_current_values_before_they_are_replaced(app, driver, vehicle):
    path = f"/vehicles/{vehicle(make='Ford')}/edit"
    mine, theirs = driver.open(path), driver.open(path)
    driver.submit(theirs, status="In repair", location="Workshop")
    clash = driver.submit(mine, status="In use")
    assert clash.status == 409
    message = "Somebody else has changed this vehicle meanwhile. Check and save again."
    assert clash.errors == [message]
    assert clash.all(".notice.warn") == [
        "It is now: Ford, –, In repair, Workshop. Saving replaces it with the values below."
    ]
    assert clash.html.select_one("#status")["value"] == "In use"
    assert facts(driver.submit(clash))["Status"] == "In use"
    assert [line[1] for line in history(app)] == ["In repair", "In use"]


def test_htmx_gets_the_dialog_and_a_redirect_to_the_vehicle(driver):
    dialog = driver.fragment(ADD, "dialog")
    assert dialog.html.select("html") == []
    assert dialog.all("#dialog-title") == ["Add Vehicle"]
    headers = {"HX-Request": "true", "HX-Target": "dialog"}
    refused = driver.submit(driver.open(ADD), headers=headers, reg="")
    assert refused.html.select("html") == []
    assert refused.errors[0] == "Vehicle number plate is required."
    done = driver.submit(driver.open(ADD), headers=headers, reg="A1")
    opened = driver.open(done.headers["HX-Redirect"])
    assert opened.all(".notice.ok") == ["Added A1."]


@pytest.mark.writes_directly
def test_a_missing_or_removed_vehicle_is_404(app, driver, vehicle):
    message = "There is no such vehicle. Load the list again."
    for path in ("/vehicles/99", "/vehicles/99/edit", "/vehicles/2147483647"):
        page = driver.open(path)
        assert (page.status, page.alerts) == (404, [message]), path
    one = vehicle()
    opened = driver.open(f"/vehicles/{one}/edit")
    with app.app_context(), transaction():
        db.session.delete(db.session.get(Vehicle, one))
    assert driver.submit(opened, make="Fiat").status == 404


def test_a_registration_can_be_in_both_lists(app, driver, vehicle):
    vehicle("CAR 1")
    vehicle("LK19 VTE", vans=True)
    with app.app_context(), transaction():
        added = services.add_vehicle(VehicleState("LK19 VTE"), by=None)
    assert added.reg == "LK19 VTE"
