"""Vehicle checks on a phone and at a desk: each form, photos over a bad connection, and drafts."""

import io
import itertools
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.journeys.checking import LONG, SUBMITTED, add_fleet, bar, checks, fill, pick, submit
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

FORMS = {
    "vehicleCheckGPM": "Standard Vehicle Check",
    "asbSolo": "ASB — Solo Van Check",
    "cleaningCover": "Cleaning Cover — Van Check",
    "gardeningVan": "Gardening — Van Check",
    "mixed": "Mixed Department Check",
    "carpetCleaning": "Carpet Cleaning — Van Check",
}
EXTRAS = {
    "Destination": "Destination",
    "Equipment": "Equipment",
    "Supplies": "Supplies",
    "Safety": "Safety",
    "Trip purpose": "TripPurpose",
    "Water tanks": "WaterTanks",
}
FIELDS_OF = {
    "vehicleCheckGPM": set(),
    "asbSolo": {"Destination", "Equipment"},
    "cleaningCover": {"Supplies"},
    "gardeningVan": {"Equipment", "Safety"},
    "mixed": {"TripPurpose", "Destination", "Supplies"},
    "carpetCleaning": {"Equipment", "WaterTanks", "Safety"},
}
SLOW_LINE = {
    "offline": False,
    "latency": 100,
    "downloadThroughput": 100_000,
    "uploadThroughput": 60_000,
}
CUT_LINE = SLOW_LINE | {"offline": True}


@pytest.fixture(autouse=True)
def fleet(product):
    add_fleet(product)


@PHONE
def test_each_of_the_six_forms_is_sent_once(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page, "driver", "/fleetChecks")
    for key, label in FORMS.items():
        page.get_by_label("Form", exact=True).select_option(label=label)
        fill(page)
        page.get_by_label("Cleanliness").select_option("Acceptable")
        for extra in EXTRAS:
            if (field := page.get_by_label(extra)).is_visible():
                field.fill(f"{extra} looked at")
        page.get_by_label("Repair/Expense").fill("12.345")
        page.get_by_label("Notes").fill(f"On form {key}")
        submit(page)
        expect(page.get_by_text(SUBMITTED)).to_be_visible()
        expect(page.get_by_role("button", name="Submit Check")).to_have_count(0)
        page.get_by_role("button", name="New check").press("Enter")
        expect(page.get_by_label("Form", exact=True)).to_be_focused()
        expect(page.get_by_label("Mileage")).to_have_value("")
    sent = checks(context)
    assert [check["_formType"] for check in sent] == list(reversed(FORMS))
    assert {(check["reg"], check["odometer"], check["costGBP"]) for check in sent} == {
        ("LK19 VTE", 48_300, 12.35)
    }
    for check in sent:
        key = check["_formType"]
        extras = {name: text for name, text in check["items"].items() if "looked at" in str(text)}
        assert extras == {
            name: f"{label} looked at" for label, name in EXTRAS.items() if name in FIELDS_OF[key]
        }
        assert check["notes"] == f"On form {key}"


@DESK
def test_missing_or_unlikely_values_are_reported_before_sending(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page, "driver", "/fleetChecks")
    page.get_by_label("Name").fill("")
    submit(page)
    problem = page.get_by_role("alert")
    expect(problem).to_be_focused()
    expect(problem).to_contain_text("Please fill the required fields: Name, Number plate, Mileage")
    fill(page, mileage="48190")
    caution = "Lower than the last reading, 48,210. You can still send it."
    expect(page.get_by_text(caution)).to_be_visible()
    page.get_by_label("Repair/Expense").fill("-1")
    submit(page)
    expect(problem).to_contain_text("Repair/Expense (£) must be a non-negative number.")
    assert checks(context) == []
    page.get_by_label("Repair/Expense").fill("")
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible()
    expect(page.get_by_text("Lower than the last reading, 48,210.", exact=True)).to_be_visible()
    assert [check["flags"] for check in checks(context)] == [["odometer"]]


@PHONE
def test_four_photos_over_a_line_that_is_cut_arrive_upright_in_one_check(new_context, width):
    context = new_context(width)
    page = context.new_page()
    arrived: list[str] = []
    page.on(
        "response",
        lambda reply: (
            arrived.append(reply.url) if reply.request.method == "PUT" and reply.ok else None
        ),
    )
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    # However fast the machine is, two photos are still to be sent when the line is cut.
    uploads = itertools.count()

    def let_two_through(route):
        refused = route.request.method == "PUT" and next(uploads) >= 2
        route.abort() if refused else route.continue_()

    page.route("**/photos/*", let_two_through)
    with page.expect_response(lambda reply: reply.request.method == "PUT", timeout=LONG):
        pick(page, "front.jpg", "rear.jpg", "left.jpg", "right.jpg")
    line.send("Network.emulateNetworkConditions", CUT_LINE)
    waiting = page.get_by_role("main").get_by_text("Waits for a connection")
    expect(waiting.first).to_be_visible(timeout=LONG)
    submit(page)
    expect(page.get_by_text("Kept on this phone.")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="New check")).to_be_visible()
    page.unroute("**/photos/*")
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    sent = page.get_by_role("main").get_by_text(re.compile(r"^Sent \d\d:\d\d"))
    expect(sent).to_be_visible(timeout=LONG)

    [check] = checks(context)
    names = ["front.jpg", "rear.jpg", "left.jpg", "right.jpg"]
    assert [sent["name"] for sent in check["photos"]] == names
    assert len(arrived) == len(set(arrived)), "what has arrived isn't sent again"
    kept = [context.request.get(sent["url"]).body() for sent in check["photos"]]
    assert sum(map(len, kept)) < 1_000_000
    for data in kept:
        picture = Image.open(io.BytesIO(data))
        wide, high = picture.size
        assert (picture.format, wide < high <= 1600) == ("JPEG", True)
        assert dict(picture.getexif()) == {}
        red, green, _ = picture.convert("RGB").getpixel((wide // 2, high // 10))
        assert red > 2 * green, "the top is where it was"
        red, green, _ = picture.convert("RGB").getpixel((wide // 2, high - high // 10))
        assert abs(red - green) < 60


@DESK
def test_a_reload_in_the_middle_keeps_everything_typed_and_picked(new_context, width):
    context = new_context(width)
    page = context.new_page()
    dialogs: list[str] = []

    def stay_or_go(dialog):
        dialogs.append(dialog.type)
        dialog.accept()

    page.on("dialog", stay_or_go)
    sign_in(page, "driver", "/fleetChecks")
    page.get_by_label("Form", exact=True).select_option(label=FORMS["gardeningVan"])
    fill(page)
    page.get_by_label("Fuel level").select_option("Half")
    page.get_by_label("Notes").fill("Mower strap worn")
    page.get_by_label("Repair/Expense").fill("7.50")
    pick(page, "strap.jpg", "door.jpg")
    expect(page.get_by_text("door.jpg")).to_be_visible()
    expect(bar(page)).to_contain_text(re.compile(r"Saved at \d\d:\d\d"))
    page.reload()
    assert dialogs == ["beforeunload"]
    expect(page.get_by_text(re.compile(r"^Draft started at \d\d:\d\d"))).to_be_visible()
    expect(page.get_by_label("Form", exact=True)).to_have_value("gardeningVan")
    for label, text in {
        "Name": "Jo Marsh",
        "Number plate": "LK19 VTE",
        "Mileage": "48300",
        "Fuel level": "Half",
        "Notes": "Mower strap worn",
        "Repair/Expense": "7.50",
    }.items():
        expect(page.get_by_label(label)).to_have_value(text)
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    [check] = checks(context)
    assert [sent["name"] for sent in check["photos"]] == ["strap.jpg", "door.jpg"]
    assert (check["costGBP"], check["items"]["FuelLevel"]) == (7.5, "Half")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Jo Marsh")
    expect(page.get_by_label("Mileage")).to_have_value("")
    expect(page.get_by_text("Draft started at")).to_have_count(0)
