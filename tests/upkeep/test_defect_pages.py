"""The list of defects, the page of one, and the forms about it."""

import csv
import re
from io import BytesIO, StringIO

import pytest

from app import dates
from app.defects.queries import defects as queries
from app.fleet.rules.findings import Severity, SightingAnswer
from tests import factories
from tests.attachments.files import pdf
from tests.photos.photo_files import encoded, marked
from tests.upkeep.defect_steps import REG, repaired, reported

LIST = "/fleet/defects"


@pytest.fixture
def report(app, manager_id, vehicle):
    """Return a function that reports a defect of a vehicle."""
    vehicle(REG)

    def report(part="Mirrors", severity=Severity.REPAIR, *, times=1):
        with app.app_context():
            for _ in range(times):
                reported(part, severity, title=f"{part} broken")

    return report


@pytest.fixture
def repair(in_app, manager_id):
    """Return a function that records the repair of a defect."""

    def repair(number):
        in_app(repaired, number)

    return repair


def listed(page):
    return [" ".join(row.get_text(" ").split()) for row in page.html.select("tbody th")]


def tabs(page):
    return page.all("#tabs a")


def test_the_worst_come_first_with_how_bad_they_are_and_how_often_seen(manager, report):
    report("Seat", None)
    report("Mirrors", times=3)
    report("Brakes", Severity.STOP)
    page = manager.open(LIST)
    assert listed(page) == [
        "D-0003 Brakes broken",
        "D-0001 Seat broken",
        "D-0002 Mirrors broken",
    ]
    assert page.all("tbody .badge") == ["Stop", "Not assessed", "Repair"]
    assert page.all("tbody .num") == ["1", "1", "3"]
    assert tabs(page) == ["Open (3)", "Booked in (0)", "To sign off (0)", "Closed (0)"]


def test_a_number_leads_to_its_defect(manager, report):
    report()
    for search in ("D-0001", "d1", "D 1", "d-1", "0001"):
        assert manager.open(f"{LIST}?q={search}").title.startswith("D-0001 Mirrors broken"), search
        found = manager.fragment(f"{LIST}?q={search}&state=closed", "list")
        assert f"{LIST}/1" in {a["href"] for a in found.html.select("a")}, search


def test_few_digits_may_be_of_a_plate_so_they_offer_the_defect_above_the_list(manager, report):
    report()
    report("Seat")
    everything_of_lk19 = ["D-0001 Mirrors broken", "D-0002 Seat broken"]
    for state, rows in (("", everything_of_lk19), ("closed", [])):
        page = manager.open(f"{LIST}?q=1&state={state}")
        assert sorted(listed(page)) == rows
        assert page.link("Open the defect D-0001") == f"{LIST}/1"


def test_filters_narrow_the_list_and_its_tabs(manager, report):
    report("Seat", None)
    report("Brakes", Severity.STOP)
    assert listed(manager.open(f"{LIST}?severity=none")) == ["D-0001 Seat broken"]
    page = manager.open(f"{LIST}?q=brakes&vehicle=lk19vte")
    assert listed(page) == ["D-0002 Brakes broken"]
    assert tabs(page)[0] == "Open (1)"
    assert "No defects match here." in manager.open(f"{LIST}?vehicle=XX1").text


def test_a_filter_that_does_not_exist_is_refused(manager, call):
    for name in ("severity", "state"):
        for address in (LIST, f"{LIST}.csv"):
            refused = manager.open(f"{address}?{name}=bad")
            assert refused.status == 422, address
            assert f"There is no such {name}." in refused.text, address
        assert call("GET", f"/api{LIST}?{name}=bad").status_code == 422, name


def test_the_list_is_sorted_by_its_columns(manager, report):
    report("Brakes")
    report("Mirrors")
    for sort in ("title", "-reg", "day", "standing"):
        assert len(listed(manager.open(f"{LIST}?sort={sort}"))) == 2, sort


def test_the_export_has_the_defects_that_match(manager, report):
    report("Seat", None, times=2)
    report("=Brakes", Severity.STOP)
    reply = manager.open(f"{LIST}.csv?severity=none").response
    rows = list(csv.DictReader(StringIO(reply.get_data(as_text=True).lstrip("\ufeff"))))
    assert [(row["number"], row["severity"], row["timesSeen"]) for row in rows] == [
        ("D-0001", "Not assessed", "2")
    ]


def test_a_defect_goes_its_way_by_forms(manager, report, repair):
    report()
    page = manager.submit(
        manager.open(f"{LIST}/1/assess"), severity="advisory", note="May be driven."
    )
    assert "Assessed: D-0001." in page.text
    manager.submit(manager.open(f"{LIST}/1/book"), garage="Kwik-Fix", note="Ask for heated glass.")
    manager.submit(manager.open(f"{LIST}/1/note"), text="The glass is ordered.")
    page = manager.open(f"{LIST}/1")
    assert page.all(".steps [aria-current]") == ["Booked in"]
    assert [text.split(" k.lee")[0] for text in page.all(".timeline > li")] == [
        "Note The glass is ordered.",
        "Booked in at Kwik-Fix Ask for heated glass.",
        "Assessed: advisory May be driven.",
        "Reported by hand: Mirrors broken",
    ]
    repair(1)
    assert tabs(manager.open(LIST))[2] == "To sign off (1)"
    form = manager.open(f"{LIST}/1/sign-off")
    page = manager.submit(form)
    assert page.all(".steps [aria-current]") == ["Signed off"]
    refused = manager.submit(form, key="another")
    assert refused.status == 409
    assert "k.lee signed D-0001 off at" in refused.text


def test_a_dialog_that_somebody_forestalled_loads_the_page_behind_it_again(manager, report):
    report()
    form = manager.open(f"{LIST}/1/assess")
    assert form.html.select_one("[data-stale]") is None
    manager.submit(manager.open(f"{LIST}/1/close"), closing="no_fault", reason="Dirt")
    late = manager.submit(form, follow=False, severity="advisory")
    assert late.status == 409
    assert late.html.select_one("[data-stale]") is not None


def test_a_sign_off_that_somebody_forestalled_leads_back_to_the_defect(manager, report, repair):
    report()
    repair(1)
    form = manager.open(f"{LIST}/1/sign-off")
    manager.submit(manager.open(f"{LIST}/1/assess"), severity="repair")
    late = manager.submit(form)
    assert late.status == 409
    (error,) = late.errors
    assert re.fullmatch(
        r"k\.lee changed it at [\d:]+\. Close this, and look at the defect again\.", error
    )


def test_dialogs_begin_in_their_first_field(manager, report):
    report()
    for name, focused in (("assess", "repair"), ("close", "no_fault")):
        page = manager.open(f"{LIST}/1/{name}")
        assert [field["value"] for field in page.html.select("[autofocus]")] == [focused]


def test_a_defect_that_stops_its_vehicle_is_not_offered_as_accepted(manager, report):
    report("Brakes", Severity.STOP)
    page = manager.open(f"{LIST}/1/close")
    disabled = [field["value"] for field in page.html.select("input[disabled]")]
    assert disabled == ["accepted"]
    assert "It stops its vehicle: assess it lower first." in page.text


def test_a_signed_off_defect_leads_on_while_its_vehicle_is_off_the_road(
    driver, manager, report, repair
):
    report("Brakes", Severity.STOP)
    repair(1)
    page = manager.submit(manager.open(f"{LIST}/1/sign-off"))
    assert "LK19 VTE is still off the road" in page.text
    manager.submit(manager.open(page.link("Put back on the road")))
    assert "still off the road" not in manager.open(f"{LIST}/1").text


def test_a_file_is_added_to_a_defect_without_a_note(manager, report):
    report()
    form = manager.open(f"{LIST}/1/note")
    assert manager.submit(form).errors[0] == "Write a note, or choose a file."
    page = manager.submit(form, key="another", files=(BytesIO(encoded(marked((40, 30)))), "a.jpg"))
    assert len(page.all(".thumbnails img")) == 1
    assert page.all(".timeline b") == ["Reported"]
    assert page.all(".timeline p")[0] == "Added 1 photo"


def test_files_that_were_added_and_removed_are_in_what_happened(manager, report, call):
    report()
    form = manager.open(f"{LIST}/1/note")
    files = [(BytesIO(pdf()), "invoice.pdf")]
    files += [(BytesIO(encoded(marked((40, width)))), f"{width}.jpg") for width in (30, 50)]
    page = manager.submit(form, text="Here it is.", files=files)
    manager.submit(manager.open(page.link("Remove invoice.pdf")))
    entries = call("GET", "/api/fleet/defects/D-0001").json["timeline"]
    assert [(entry["what"], entry["text"], entry["by"]) for entry in entries[:3]] == [
        ("unfiled", "invoice.pdf", ["k.lee"]),
        ("filed", "invoice.pdf, 2 photos", ["k.lee"]),
        ("noted", "Here it is.", ["k.lee"]),
    ]
    assert manager.open(f"{LIST}/1").all(".timeline p:first-child")[:3] == [
        *("Removed invoice.pdf", "Added invoice.pdf, 2 photos", "Note"),
    ]


def test_closing_needs_what_it_requires_and_keeps_what_was_typed(manager, report):
    report()
    page = manager.submit(
        manager.open(f"{LIST}/1/close"), follow=False, closing="accepted", reason="Only looks"
    )
    assert page.status == 422
    assert page.errors[0] == "Until which day is it accepted?"
    report("Brakes")
    page = manager.submit(manager.open(f"{LIST}/2/close"), closing="duplicate", duplicate_of="d1")
    assert "The same as D-0001 Mirrors broken" in page.text


def test_a_defect_has_one_main_action_by_its_state_and_the_others_behind_more(manager, report):
    report()
    page, form = f"{LIST}/1", {"garage": "Kwik-Fix", "severity": "repair", "text": "Glass"}
    for path, main, others in (
        ("note", "Assess", ["Book in", "Record the repair", "Add a note", "Close"]),
        ("assess", "Book in", ["Record the repair", "Assess again", "Add a note", "Close"]),
        ("book", "Record the repair", ["Change booking", "Assess again", "Add a note", "Close"]),
    ):
        manager.submit(manager.open(f"{page}/{path}"), **form)
        assert manager.open(page).all(".defect-actions > :is(a, button)") == [main, "More"], path
        assert manager.open(page).all("#defect-more a") == others, path
    repaired_page = manager.open("/fleet/repairs/new?reg=LK19+VTE&defect=1")
    manager.submit(repaired_page)
    assert manager.open(page).all(".defect-actions a") == ["Sign off", "Add a note", "Not mended"]
    manager.submit(manager.open(f"{page}/sign-off"))
    assert manager.open(page).all(".defect-actions :is(a, button)") == ["Add a note"]


def test_a_worker_reports_with_photos_and_cannot_decide(driver, report, app):
    page = driver.submit(
        driver.open(f"{LIST}/new"),
        reg=REG,
        part="Wipers",
        title="Wiper torn",
        severity="stop",
        files=(BytesIO(encoded(marked((40, 30)))), "wiper.jpg"),
    )
    assert page.all("#alerts .bad") == ["Stop: do not drive LK19 VTE. Wiper torn (D-0001)."]
    assert len(page.all(".thumbnails img")) == 1
    assert page.all(".defect-actions > a") == ["Book in"]
    disabled = page.html.select("[aria-disabled=true]")
    assert [" ".join(link.get_text().split()) for link in disabled] == ["Assess", "Close"]
    why = page.all(".defect-actions .refusal")[0]
    assert why == "Only a manager of the fleet can assess and close it. Ask one."
    assert driver.open(f"{LIST}/1/assess").status == 403
    with app.app_context():
        assert queries.get_defect(1).severity is Severity.STOP


def test_a_check_shows_its_photos_at_a_defect_only_if_its_part_failed(manager, report, app):
    report()
    sent = {"by": 1, "day": dates.today(), "form_type": "gardeningVan"}
    with app.app_context():
        factories.check(REG, photos=["horn.jpg"], answers={1: SightingAnswer.YES}, **sent)
        for name in ("first.jpg", "second.jpg"):
            factories.check(REG, photos=[name], items={"Safety": "Unsafe"}, **sent)
    answered = manager.open(f"{LIST}/1")
    assert answered.html.select(".thumbnails img") == []
    assert "and its photos" in answered.all(".timeline li")[0]
    failed = manager.open(f"{LIST}/2")
    names = [image["alt"] for image in failed.html.select(".thumbnails img")]
    assert names == ["second.jpg", "first.jpg"]


def test_a_vehicles_page_shows_its_defects(manager, report, in_app):
    report("Brakes", Severity.STOP)
    vehicle_id = in_app(factories.vehicle, "AB12 CDE")
    assert "D-0001 Brakes broken" in manager.open("/vehicles/1").text
    assert "No defects yet." in manager.open(f"/vehicles/{vehicle_id}").text


def test_what_the_last_check_answered_is_everywhere_beside_its_defect(
    manager, report, repair, in_app
):
    report()
    sent = {"by": 1, "day": dates.today(), "form_type": "gardeningVan"}
    pages = (f"{LIST}?reg={REG}", f"{LIST}/1", "/vehicles/1")
    for answer in (SightingAnswer.WORSE, SightingAnswer.ABSENT):
        in_app(factories.check, REG, answers={1: answer}, **sent)
        for path in pages:
            badge = f"Reported {answer}"
            assert [text for text in manager.open(path).all(".badge") if text == badge], path
    in_app(factories.check, REG, answers={1: SightingAnswer.WORSE}, **sent)
    repair(1)
    for path in (f"{LIST}?state=repaired", *pages[1:]):
        page = manager.open(path)
        assert "Mirrors broken" in page.text, path
        assert "Reported worse" not in page.text, path


def test_an_unchanged_list_and_page_are_not_sent_again(manager, report):
    report()
    for path in (LIST, f"{LIST}/1"):
        tag = manager.open(path).headers["ETag"]
        assert manager.open(path, headers={"If-None-Match": tag}).status == 304
    report("Brakes")
    assert manager.open(LIST, headers={"If-None-Match": tag}).status == 200
