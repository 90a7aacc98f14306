"""The board of vehicles off the road, and the forms that begin and end a time."""

from datetime import timedelta

import pytest

from app import dates
from app.db import transaction
from app.defects.queries import off_road as queries
from app.defects.services.decisions import book_defect
from app.due.rules.fields import DueKind
from app.fleet.rules.findings import Severity
from tests.upkeep import rows
from tests.upkeep.defect_steps import brakes_fail
from tests.upkeep.defect_steps import repaired as record_repair_of
from tests.upkeep.due_steps import add, edit

BOARD = "/fleet/off-road"


@pytest.fixture
def van(vehicle):
    return vehicle("LK19 VTE", status="In use")


@pytest.fixture
def stopped(app, van):
    """Report a stop defect of the van; returns its number."""
    with app.app_context():
        return brakes_fail().number


@pytest.fixture
def repaired(in_app, stopped):
    """Record the repair of the stop defect; returns its number."""
    in_app(record_repair_of, stopped, by=None)
    return stopped


def take_off(person, **values):
    page = person.open(f"{BOARD}/new?reg=LK19+VTE")
    fields = page.fields() | {"reason": "service", "detail": "Gearbox"} | values
    return person.post(f"{BOARD}/new", fields)


def tax_ran_out(app):
    with app.app_context():
        rows.due_item(kind=DueKind.TAX, label="Tax", due_on=dates.today() - timedelta(days=1))


def current(app):
    with app.app_context():
        return queries.current_times(["lk19vte"]).get("lk19vte")


def test_the_board_is_empty_until_a_worker_takes_a_vehicle_off_the_road(app, driver, van):
    assert "No vehicle is off the road." in driver.open(BOARD).text
    page = take_off(driver)
    assert "LK19 VTE is off the road." in page.text
    board = driver.open(BOARD)
    assert "1 of 1 vehicle" in board.text
    assert "Gearbox" in board.text
    assert "not known yet" in board.text
    assert current(app).status_before == "In use"


def test_what_is_off_the_road_already_gains_the_reason(driver, van):
    take_off(driver)
    page = take_off(driver, reason="mot", detail="Failed")
    assert "was off the road already. The reason was added." in page.text
    assert "MOT: Failed" in driver.open(f"{BOARD}/LK19 VTE").text


def test_a_reason_is_shown_as_it_was_typed_with_links_to_its_defects(driver, van):
    reason = "<b>Brakes</b>, see D-0142, then <i>test</i>"
    take_off(driver, detail=reason)
    for address in (BOARD, f"{BOARD}/LK19 VTE"):
        page = driver.open(address)
        assert reason in page.html.get_text()
        assert page.html.select_one("a.reference").get_text() == "D-0142"


def test_a_mended_vehicle_is_ready_once_nothing_is_overdue(app, in_app, driver, van):
    """The board promised a return that the form then refused."""
    take_off(driver, reason="mot", detail="")
    with app.app_context():
        item = add(None, dates.today() - timedelta(days=1))
        record_repair_of(brakes_fail().number, by=None)
    board = driver.open(BOARD)
    assert "Its MOT ran out yesterday" in board.text
    assert board.all(".back-by") == ["return not known yet"]
    in_app(edit, None, item, dates.today())
    board = driver.open(BOARD)
    assert "Its MOT ran out" not in board.text
    assert board.all(".back-by") == ["ready"]


def test_a_mended_vehicle_with_another_reason_is_not_ready(driver, repaired):
    assert driver.open(BOARD).html.select_one(".back-by").get_text() == "ready"
    take_off(driver, reason="accident", detail="Hit a bollard")
    board = driver.open(BOARD)
    assert "Accident: Hit a bollard" in board.text
    assert board.html.select_one(".back-by").get_text() == "return not known yet"


def test_a_repair_whose_defect_is_seen_again_is_not_ready_and_warns_who_signs_it_off(
    in_app, manager, repaired
):
    in_app(brakes_fail)
    seen = f"Seen again on {dates.short_day(dates.today())}, after the repair"
    board = manager.open(BOARD)
    assert seen in board.text
    assert board.html.select_one(".back-by").get_text() == "return not known yet"
    dialog = manager.open(f"/fleet/defects/{repaired}/sign-off")
    assert seen in dialog.html.select_one(".notice.warn").get_text()
    assert seen in manager.open("/fleet/defects?state=repaired").text
    assert seen in manager.open(f"/fleet/defects/{repaired}").text


def test_the_board_offers_a_sign_off_to_managers_alone(driver, manager, repaired):
    link = manager.open(BOARD).link("Sign off: LK19 VTE")
    assert link == f"/fleet/defects/{repaired}/sign-off"
    assert driver.open(BOARD).link("Change: LK19 VTE").endswith("/change")


def sign_off(manager, number):
    """Open the form from the board; return it with its buttons."""
    address = f"/fleet/defects/{number}/sign-off"
    form = manager.open(address, headers={"Referer": f"http://localhost{BOARD}"})
    return form, form.all("footer button")


def test_the_sign_off_of_the_last_stop_defect_puts_its_vehicle_back_on_the_road(
    app, in_app, manager, repaired
):
    in_app(rows.defect, "LK19 VTE", title="Mirror cracked")
    form, buttons = sign_off(manager, repaired)
    assert buttons == ["Sign off", "Sign off and put back on the road"]
    assert "Mirror cracked" in form.html.select_one(".notice.warn").get_text()
    page = manager.submit(form, returns="1")
    assert page.path == BOARD
    assert page.all("#alerts p") == ["Signed off: D-0001. LK19 VTE is back on the road."]
    assert current(app) is None
    assert sign_off(manager, repaired)[1] == []


def test_a_sign_off_alone_leaves_its_vehicle_off_the_road(app, manager, repaired):
    form = sign_off(manager, repaired)[0].fields()
    address = f"/fleet/defects/{repaired}/sign-off"
    reply = manager.client.post(address, data=form, headers={"HX-Request": "true"})
    # In a dialog, too, the page behind it has to be loaded again.
    assert reply.headers["HX-Redirect"] == BOARD
    assert manager.open(BOARD).all("#alerts p") == ["Signed off: D-0001."]
    assert current(app)


def test_a_sign_off_puts_no_vehicle_back_that_something_else_keeps_off_the_road(
    app, in_app, manager, repaired
):
    form = sign_off(manager, repaired)[0]
    tax_ran_out(app)
    refused = manager.submit(form, returns="1")
    assert refused.status == 409
    assert refused.errors == ["LK19 VTE can't go back on the road: its tax ran out yesterday."]
    assert refused.all("footer button") == ["Sign off"]
    assert current(app)
    steps = manager.open(f"/fleet/defects/{repaired}").all(".steps [aria-current]")
    assert steps == ["Repaired"]
    in_app(rows.defect, "LK19 VTE", title="Tyre flat", severity=Severity.STOP)
    assert sign_off(manager, repaired)[1] == ["Sign off"]


def test_a_worker_changes_the_reason_but_cannot_put_it_back(app, driver, van):
    take_off(driver)
    time = current(app)
    page = driver.open(f"{BOARD}/{time.id}/change")
    changed = page.fields() | {"reason": "parts", "detail": "Gearbox"}
    assert "Saved: LK19 VTE." in driver.post(f"{BOARD}/{time.id}/change", changed).text
    assert "Put back" not in driver.open(BOARD).text


def test_a_manager_puts_it_back_and_the_second_reads_who_did(app, driver, manager, van):
    take_off(driver)
    address = f"{BOARD}/{current(app).id}/return"
    page = manager.open(address)
    assert "Put back on the road" in [each.text for each in page.html.select("form button")]
    assert "LK19 VTE is back on the road." in manager.post(address, page.fields()).text
    again = manager.post(address, page.fields() | {"key": "another"})
    assert again.status == 409
    assert "k.lee put LK19 VTE back on the road at" in again.errors[0]


def test_a_return_is_refused_with_each_reason_as_a_link(app, manager, stopped):
    address = f"{BOARD}/{current(app).id}/return"
    fields = manager.open(address).fields()
    # Nothing stood against it yet when this page was opened, so that no reason was asked for.
    del fields["override_reason"]
    page = manager.post(address, fields)
    assert page.status == 409
    assert "LK19 VTE can’t go back on the road yet" in page.alerts[0]
    assert page.link(f"D-{stopped:04} is open") == f"/fleet/defects/{stopped}"
    blank = manager.submit(page)
    assert blank.status == 409
    assert blank.all(".error") == ["Give a reason to put it back all the same."]
    assert blank.html.select_one("#override_reason[aria-invalid=true]")
    fields = page.fields() | {"override_reason": "Driven to the garage"}
    assert "back on the road" in manager.post(address, fields).text
    file = manager.open(f"{BOARD}/lk19vte").text
    assert f"Put back although D-{stopped:04} is open: Driven to the garage" in file


def test_what_stood_against_a_return_reads_as_one_sentence(app, manager, stopped):
    tax_ran_out(app)
    form = manager.open(f"{BOARD}/{current(app).id}/return")
    manager.submit(form, override_reason="Towed")
    file = manager.open(f"{BOARD}/lk19vte").text
    assert f"Put back although D-{stopped:04} is open and its tax ran out" in file


def test_a_sign_off_names_the_open_defects_that_do_not_stand_against_it(
    app, in_app, manager, stopped
):
    in_app(rows.defect, "LK19 VTE", title="Brakes: not working")
    page = manager.open(f"{BOARD}/{current(app).id}/return")
    warning = page.html.select_one(".notice.warn")
    assert [link["href"] for link in warning.select("a")] == ["/fleet/defects/2"]
    assert warning.li.get_text(" ", strip=True) == "D-0002 Brakes: not working (not assessed)"


def test_the_board_shows_only_what_is_not_booked_in_or_back_late(
    app, in_app, driver, stopped, vehicle
):
    vehicle("GJ68 WRP")
    in_app(rows.off_road, "GJ68 WRP", expected_back=dates.today() - timedelta(days=1))
    board = driver.open(BOARD)
    for text in ("Book in: LK19 VTE", f"D-{stopped:04}"):
        assert board.link(text) == f"/fleet/defects/{stopped}", text
    found = {link.get_text(): link["href"] for link in board.html.select(".off-road-sums a")}
    assert [driver.open(url).all("tbody th") for url in found.values()] == [
        ["LK19 VTE"],
        ["GJ68 WRP"],
    ]
    assert [*found] == ["not booked in", "back later than expected"]
    with app.app_context(), transaction():
        book_defect(stopped, "Kwik", dates.today(), by=1)
    page = driver.open(found["not booked in"])
    assert "No repair waits to be booked in." in page.text
    assert [link for link in page.all("main a") if link == "Show all"] == ["Show all"]
    assert driver.open(f"{BOARD}?show=nonsense").all("tbody th") == ["GJ68 WRP", "LK19 VTE"]


def test_all_times_are_exported(driver, van):
    take_off(driver, detail="=cmd")
    text = driver.client.get(f"{BOARD}.csv").get_data(as_text=True)
    header, row = text.splitlines()[:2]
    assert header.startswith("reg,since,until,days,reason,detail,defect,expectedBack")
    assert row.startswith("LK19 VTE,")
    assert "'=cmd" in row


def test_the_list_of_vehicles_shows_and_filters_what_is_off_the_road(driver, vehicle):
    vehicle("AB12 CDE")
    vehicle("LK19 VTE", status="In use")
    take_off(driver)
    page = driver.open("/vehicles")
    assert page.all("tbody .badge") == ["Unknown", "Off the road"]
    assert driver.open(page.link("LK19 VTE")).all(".facts .badge") == ["Off the road"]
    rows = driver.open("/vehicles?road=off").all("tbody tr")
    assert [row.split()[0] for row in rows] == ["LK19"]


def test_a_change_of_upkeep_shows_at_once(driver, van):
    before = driver.client.get(BOARD).headers["ETag"]
    take_off(driver)
    assert driver.client.get(BOARD, headers={"If-None-Match": before}).status_code == 200


def test_the_dashboard_counts_what_is_off_the_road(driver, van):
    take_off(driver)
    assert any("Off the road 1" in tile for tile in driver.open("/dashboard").all(".tile"))


def test_a_registration_that_no_vehicle_has_is_not_on_the_road(driver):
    page = driver.open(f"{BOARD}/no1 car")
    assert (page.status, "There is no vehicle NO1 CAR." in page.text) == (404, True)


def test_a_vehicle_on_the_road_whose_mot_ran_out_names_it(in_app, driver, van):
    assert driver.open(f"/vehicles/{van}").all(".section")[0] == "On the road Take off the road"
    in_app(rows.due_item, due_on=dates.today() - timedelta(days=1))
    hint = "Without an MOT it may only be driven to a booked test."
    for path in (f"/vehicles/{van}", f"{BOARD}/LK19VTE"):
        page = driver.open(path)
        assert page.all(".notice h2") == ["On the road, but not roadworthy"], path
        assert page.all(".notice li") == ["Its MOT ran out yesterday"], path
        assert "It is on the road." not in page.text
        assert hint in page.text, path


def test_a_vehicle_whose_tax_ran_out_is_not_sent_to_a_test(app, driver, van):
    tax_ran_out(app)
    page = driver.open(f"/vehicles/{van}")
    assert page.all(".notice li") == ["Its tax ran out yesterday"]
    assert page.all(".notice p") == ["Put that right first."]


def test_a_vehicle_without_an_odometer_has_its_accepted_mileage(in_app, driver, van):
    in_app(rows.reading, 48_190, day=dates.today())
    facts = driver.open(f"/vehicles/{van}").all("dl.facts")[0]
    assert facts.endswith("Odometer 48,190 miles")
