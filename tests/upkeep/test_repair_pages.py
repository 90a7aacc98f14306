"""The form of a repair, its page, the list, and undoing one."""

from datetime import timedelta

import pytest

from app import dates
from app.db import db, transaction
from app.defects.models import Repair
from app.defects.services.defects import DefectReport, open_defect
from app.divisions import Division
from app.events.rules import EventKind
from app.events.services import record_event
from app.fleet.rules.findings import Severity
from tests import factories
from tests.upkeep import rows

NEW = "/fleet/repairs/new"


@pytest.fixture(autouse=True)
def van(vehicle):
    return vehicle("LK19 VTE")


@pytest.fixture
def report(app):
    """Return a function that reports a defect of the van, and returns its number."""

    def report(part, severity=None, days_ago=0, title=""):
        day = dates.today() - timedelta(days=days_ago)
        with app.app_context(), transaction():
            defect = DefectReport("LK19 VTE", part, title or part, severity, day=day)
            return open_defect(defect, by=None).number

    return report


@pytest.fixture
def mirror(report):
    """Report a defect of the van; returns its number."""
    return report("Mirrors", Severity.REPAIR, title="Mirror cracked")


@pytest.fixture
def keeper(in_app, signed_in):
    """Return a signed-in manager of Fleet and GFM, with five mirrors in stock."""
    keeper = signed_in("r.amos", Division.FLEET, Division.GFM)
    in_app(factories.item, "Mirror glass", 5, unit_price=2240)
    keeper.submit(keeper.open("/choose"), division="fleet")
    return keeper


def part(row=0, quantity="1"):
    """Return what the form sends of a mirror from GFM's main stock."""
    sent = {"store": "gfm-main", "item": "Mirror glass", "quantity": quantity}
    return {f"stock_parts-{row}-{name}": text for name, text in sent.items()}


def save(person, *defects, **values):
    page = person.open(f"{NEW}?reg=LK19+VTE")
    return person.post(NEW, page.fields() | {"defects": list(map(str, defects)), **values})


def test_a_repair_is_recorded_with_its_costs_and_parts(app, keeper, mirror):
    page = save(keeper, mirror, labour="35.00", parts="48.60", garage="Kwik-Fix", **part())
    assert "Saved R-0001: £106.00 in all." in page.text
    page = keeper.open("/fleet/repairs/1")
    assert "1 × Mirror glass" in page.text
    assert f"D-{mirror:04} Mirror cracked" in page.text
    assert "To sign off" in page.text
    with app.app_context():
        assert factories.amount("Mirror glass") == 4


def test_who_has_saved_a_repair_is_back_on_the_page_that_led_to_its_form(driver, mirror):
    origin = {"Referer": f"http://localhost/fleet/defects/{mirror}"}
    form = driver.open(f"{NEW}?reg=LK19+VTE&defect={mirror}", headers=origin)
    wrong = driver.post(NEW, form.fields() | {"labour": "a lot"})
    saved = driver.post(NEW, wrong.fields() | {"labour": "5"})
    assert saved.path == f"/fleet/defects/{mirror}"
    assert saved.all("#alerts p") == ["Saved R-0001: £5.00 in all."]


def test_a_repair_that_is_sent_twice_takes_its_parts_once(app, keeper, mirror):
    page = keeper.open(f"{NEW}?reg=LK19+VTE&defect={mirror}")
    fields = page.fields() | part()
    first, again = keeper.post(NEW, fields), keeper.post(NEW, fields)
    assert first.path == again.path == "/fleet/repairs"
    with app.app_context():
        assert factories.amount("Mirror glass") == 4
        assert db.session.query(Repair).count() == 1


def test_too_little_stock_is_an_error_of_its_part(keeper, mirror):
    page = save(keeper, mirror, **part(1, "6"))
    assert page.status == 409
    assert page.link('Not enough stock: "Mirror glass" has 5') == "#stock_parts-1-item"
    assert f"D-{mirror:04} Mirror cracked" in page.text
    assert page.html.select_one("input[type=checkbox][name=defects]").has_attr("checked")


def test_add_a_part_keeps_what_is_typed_and_saves_nothing(app, keeper):
    page = save(keeper, note="Service", add_part="1")
    assert page.html.select_one("#stock_parts-2-item") is not None
    assert page.html.select_one("#note").get_text().strip() == "Service"
    assert page.errors == []
    with app.app_context():
        assert db.session.query(Repair).count() == 0


def test_who_may_not_change_stock_is_offered_no_parts(driver, mirror):
    assert "From our stock" not in driver.open(f"{NEW}?reg=LK19+VTE").text
    page = save(driver, mirror, **part())
    assert page.status == 422
    assert "Choose a stock that you may change." in page.errors


def book(person, number, garage):
    form = person.open(f"/fleet/defects/{number}/book")
    person.post(f"/fleet/defects/{number}/book", form.fields() | {"garage": garage})


def ticked(page):
    return [int(box["value"]) for box in page.html.select("[name=defects][checked]")]


def test_the_form_proposes_the_garage_that_the_defect_is_booked_into(driver, mirror):
    book(driver, mirror, "Kwik-Fix")
    page = driver.open(f"{NEW}?reg=LK19+VTE&defect={mirror}")
    assert (ticked(page), page.fields()["garage"]) == ([mirror], "Kwik-Fix")


def test_a_garage_that_may_be_another_one_is_confirmed_first(driver, mirror, report):
    book(driver, mirror, "Hartley")
    lamp = report("Lamp", Severity.ADVISORY)
    page = driver.submit(driver.open(f"/fleet/defects/{lamp}/book"), garage="Hartly")
    new = 'New garage "Hartly"'
    assert (page.status, page.question) == (422, [f"{new}? Or", "Hartley", new])
    assert driver.submit(page, new="Hartly").path == f"/fleet/defects/{lamp}"
    # It is booked in there, so the repair may be from there.
    assert save(driver, lamp, garage="Hartly").status == 200
    assert save(driver, mirror, garage="Hartl").question[1:-1] == ["Hartly", "Hartley"]


def test_of_a_vehicle_it_ticks_what_is_booked_into_the_garage_of_the_worst(driver, mirror, report):
    lamp, brakes = report("Lamp", Severity.ADVISORY), report("Brakes", Severity.STOP)
    horn = report("Horn")
    book(driver, lamp, "Sparks")
    page = driver.open(f"{NEW}?reg=LK19+VTE")
    assert (ticked(page), page.fields()["garage"]) == ([lamp], "Sparks")
    book(driver, mirror, "Kwik-Fix")
    book(driver, brakes, "Kwik-Fix")
    page = driver.open(f"{NEW}?reg=LK19+VTE")
    assert (ticked(page), page.fields()["garage"]) == ([brakes, mirror], "Kwik-Fix")
    assert horn not in ticked(page)


def test_of_a_vehicle_with_one_open_defect_it_ticks_that_one(driver, mirror, report):
    page = driver.open(f"{NEW}?reg=LK19+VTE")
    assert (ticked(page), page.fields()["garage"]) == ([mirror], "")
    report("Horn")
    assert ticked(driver.open(f"{NEW}?reg=LK19+VTE")) == []


def test_the_open_defects_of_a_vehicle_are_listed_worst_first_and_then_oldest(
    driver, mirror, report
):
    lamp, older = report("Lamp", Severity.ADVISORY), report("Horn", Severity.REPAIR, 3)
    unjudged, brakes = report("Seat"), report("Brakes", Severity.STOP)
    listed = driver.open(f"{NEW}?reg=LK19+VTE").html.select("[name=defects]")
    assert [int(box["value"]) for box in listed] == [brakes, unjudged, older, mirror, lamp]


def test_what_somebody_unticks_stays_so_when_the_form_comes_back(driver, mirror):
    page = save(driver, labour="a lot", note="Service")
    assert page.status == 422
    assert ticked(page) == []


def test_the_form_asks_for_the_vehicle_first(driver, mirror):
    page = driver.open(NEW)
    assert page.html.select_one("option[value='LK19 VTE']") is not None


def test_an_error_that_two_fields_have_names_each_in_the_summary(driver, mirror):
    tomorrow = str(dates.today() + timedelta(days=1))
    form = driver.open(f"{NEW}?reg=LK19+VTE")
    page = driver.submit(form, started_on=tomorrow, finished_on=tomorrow)
    assert page.all(".notice.bad li") == [
        "Started on: Date can't be in the future.",
        "Done on: Date can't be in the future.",
    ]


def test_a_mileage_that_cannot_be_right_is_questioned(driver):
    save(driver, note="Service", odometer="48190")
    page = save(driver, note="Service", odometer="480210")
    assert page.text.count("Is 480,210 right? It was 48,190 on") == 1


def test_a_signed_off_defect_stays_closed_when_its_repair_is_undone(driver, manager, mirror):
    save(driver, mirror)
    form = manager.open("/fleet/defects/1/sign-off")
    manager.post("/fleet/defects/1/sign-off", form.fields())
    form = manager.open("/fleet/repairs/1/undo")
    stays = "D-0001 stays signed off. Report it again if it isn't mended."
    assert stays in form.all("p")
    assert "What it mended is open again." not in form.text
    undone = manager.post("/fleet/repairs/1/undo", form.fields()).text
    assert stays in undone
    assert "Undone: R-0001, by R-0002." in undone
    page = manager.open("/fleet/defects/1")
    assert "The repair was taken back" in page.text
    assert page.link("R-0002") == "/fleet/repairs/2"
    assert "; its repair was undone" in page.html.select_one(".defect-hero").get_text()
    assert "Repaired and signed off; its repair was undone" in (
        manager.open("/fleet/defects?state=closed").text
    )


def test_a_defect_that_an_undo_opened_in_an_earlier_release_names_the_repair(app, manager):
    with app.app_context():
        defect = rows.defect()
        kind, after = EventKind.DEFECT_OPENED, {"undoneRepair": 1}
        with transaction():
            record_event(kind, "defect", defect, division=Division.FLEET, after=after, by=1)
    opened = manager.open("/fleet/defects/1").all(".timeline li p")[0]
    assert opened == "Opened again : R-0001 was undone"


def test_a_manager_who_may_not_change_the_stock_cannot_undo_its_parts(keeper, manager, mirror):
    save(keeper, mirror, **part())
    form = keeper.open("/fleet/repairs/1/undo").fields()
    why = "You can't change GFM's stock. Ask an administrator if you need to change it."
    button = manager.open("/fleet/repairs/1").html.select_one(".head [aria-disabled]")
    assert (button.get_text(), button.find_next_sibling().get_text()) == ("Undo", why)
    dialog = manager.open("/fleet/repairs/1/undo")
    assert dialog.all(".notice.warn") == [why]
    assert dialog.html.select_one("form.form button") is None
    fields = manager.open(f"/fleet/defects/{mirror}/note").fields()
    refused = manager.post("/fleet/repairs/1/undo", fields)
    assert (refused.status, refused.errors) == (403, [why])
    keeper.post("/fleet/repairs/1/undo", form)
    late = manager.post("/fleet/repairs/1/undo", fields)
    assert late.status == 409
    assert late.errors[0].startswith("r.amos undid R-0001 at ")


def test_a_repair_is_found_by_numbers_plate_garage_and_invoice_and_finds_its_defects(
    driver, mirror, report
):
    report("Horn")
    save(driver, mirror, garage="Kwik-Fix", invoice_number="KF-20417")
    save(driver, note="Tyres", garage="Tyre Shop")
    for search in ("R-0001", "r1", "r 0001", "lk19vte", "kwik", "KF-20417", "D-0001", "d1"):
        found = driver.open(f"/fleet/repairs?q={search}").all("tbody th")
        assert "R-0001" in found, search
        assert found == ["R-0001"] or search == "lk19vte", search
    for search in ("R-0001", "r1"):
        found = driver.open(f"/fleet/defects?state=repaired&q={search}")
        assert found.all("tbody th") == [f"D-{mirror:04} Mirror cracked"]
        assert driver.open(f"/fleet/defects?q={search}").all("tbody th") == []


def test_repairs_are_exported(driver, mirror):
    save(driver, mirror, labour="35.00", garage="Kwik-Fix")
    header, row = driver.client.get("/fleet/repairs.csv").get_data(as_text=True).splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert (cells["number"], cells["labour"], cells["total"]) == ("R-0001", "35.00", "35.00")
    assert cells["defects"] == f"D-{mirror:04}"
