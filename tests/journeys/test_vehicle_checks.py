"""Vehicle checks on a phone and at a desk: each form, photos over a bad line, and what is kept."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

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
ASKED = {
    "vehicleCheckGPM": set(),
    "asbSolo": {"Destination", "Equipment"},
    "cleaningCover": {"Supplies"},
    "gardeningVan": {"Equipment", "Safety"},
    "mixed": {"TripPurpose", "Destination", "Supplies"},
    "carpetCleaning": {"Equipment", "WaterTanks", "Safety"},
}
SUBMITTED = "Vehicle check submitted."
LONG = 120_000
SLOW_LINE = {
    "offline": False,
    "latency": 100,
    "downloadThroughput": 100_000,
    "uploadThroughput": 60_000,
}
CUT_LINE = SLOW_LINE | {"offline": True}
ORIENTATION, GPS = 0x0112, 0x8825
TURNED_RIGHT = 6


@pytest.fixture(autouse=True)
def fleet(product):
    with product.app.app_context():
        factories.user("driver", Division.FLEET)
        factories.vehicle("LK19 VTE", make="Ford", model="Transit", odometer=48_210)
        factories.vehicle("YD21 HMO", make="Vauxhall", model="Vivaro")


def photo(place: int) -> bytes:
    """Take a picture of 12 megapixels, upright as a phone held upright writes it: red on top."""
    noise = Image.effect_noise((1000, 750), 40).resize((4000, 3000))
    picture = Image.merge("RGB", (noise, noise, noise))
    picture.paste((200, 20, 20), (0, 0, 1500, 3000))
    exif = Image.Exif()
    exif[ORIENTATION] = TURNED_RIGHT
    exif.get_ifd(GPS).update({1: "N", 2: (51.0, 30.0, float(place)), 3: "W", 4: (0.0, 7.0, 0.0)})
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=92, exif=exif)
    return written.getvalue()


def pick(page: Page, *names: str) -> None:
    pictures = [
        {"name": name, "mimeType": "image/jpeg", "buffer": photo(place)}
        for place, name in enumerate(names)
    ]
    page.get_by_label("Add photos").set_input_files(pictures)


def fill(page: Page, mileage: str = "48300") -> None:
    page.get_by_label("Name").fill("Jo Marsh")
    plate = page.get_by_label("Number plate")
    plate.fill("lk19")
    page.get_by_role("listbox", name="Vehicles").get_by_text("LK19 VTE").click()
    expect(plate).to_have_value("LK19 VTE")
    page.get_by_label("Mileage").fill(mileage)


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Send the check")


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit Check").click()


def checks(context: BrowserContext) -> list[dict]:
    """Return all checks as the API gives them, the newest first."""
    return context.request.get("/api/fleet/checks").json()


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
        expect(page.get_by_label("Mileage")).to_have_value("")
    sent = checks(context)
    assert [check["_formType"] for check in sent] == list(reversed(FORMS))
    assert {(check["reg"], check["odometer"], check["costGBP"]) for check in sent} == {
        ("LK19 VTE", 48_300, 12.35)
    }
    for check in sent:
        key = check["_formType"]
        said = {name: text for name, text in check["items"].items() if "looked at" in str(text)}
        assert said == {
            name: f"{label} looked at" for label, name in EXTRAS.items() if name in ASKED[key]
        }
        assert check["notes"] == f"On form {key}"


def test_what_is_missing_or_odd_is_said_before_anything_is_sent(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page, "driver", "/fleetChecks")
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
    with page.expect_response(lambda reply: reply.request.method == "PUT", timeout=LONG):
        pick(page, "front.jpg", "rear.jpg", "left.jpg", "right.jpg")
    line.send("Network.emulateNetworkConditions", CUT_LINE)
    submit(page)
    expect(bar(page)).to_contain_text(re.compile(r"Waiting for \d photos?…"))
    expect(page.get_by_text("Not sent").first).to_be_visible(timeout=LONG)
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)

    [check] = checks(context)
    names = ["front.jpg", "rear.jpg", "left.jpg", "right.jpg"]
    assert [sent["name"] for sent in check["photos"]] == names
    assert len(arrived) == len(set(arrived)) == 4
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


def test_a_reload_in_the_middle_keeps_everything_typed_and_picked(new_context, width):
    context = new_context(width)
    page = context.new_page()
    asked: list[str] = []

    def stay_or_go(dialog):
        asked.append(dialog.type)
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
    expect(bar(page)).to_contain_text(re.compile(r"Kept at \d\d:\d\d"))
    page.reload()
    assert asked == ["beforeunload"]
    expect(page.get_by_text(re.compile(r"^Kept from \d\d:\d\d"))).to_be_visible()
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
    expect(page.get_by_text("Kept from")).to_have_count(0)


def lose_reply(page: Page) -> None:
    """Let the next check arrive without its sender hearing so."""

    def arrive_unheard(route):
        route.fetch()
        route.abort()

    page.route("**/api/fleet/checks", arrive_unheard, times=1)
    submit(page)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost")


def test_a_check_whose_reply_was_lost_is_sent_again_and_counts_once(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    lose_reply(page)
    assert len(checks(context)) == 1
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible()
    assert len(checks(context)) == 1


def test_what_is_added_after_a_lost_reply_makes_no_second_check(new_context, width):
    context = new_context(width)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    pick(page, "door.jpg")
    expect(bar(page)).to_contain_text("1 of 1 photo sent", timeout=LONG)
    lose_reply(page)
    page.get_by_label("Notes").fill("And a dent")
    expect(bar(page)).to_contain_text("Kept at")
    other = context.new_page()
    other.goto("/fleetChecks")
    expect(other.get_by_text(re.compile("^Kept from"))).to_be_visible()
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    expect(page.get_by_text("It counts as it was sent first")).to_contain_text("“And a dent”")
    submit(other)
    expect(other.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    [check] = checks(context)
    assert (check["notes"], [sent["name"] for sent in check["photos"]]) == ("", ["door.jpg"])


def test_a_sign_out_in_the_middle_keeps_everything_for_its_person_alone(
    new_context, product, width
):
    with product.app.app_context():
        factories.user("second", Division.FLEET)
    context = new_context(width)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    page.get_by_label("Notes").fill("Mower strap worn")
    pick(page, "strap.jpg")
    expect(bar(page)).to_contain_text("1 of 1 photo sent", timeout=LONG)
    expect(bar(page)).to_contain_text("Kept at")
    page.get_by_role("button", name="Logout").click()
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in(page, "second", "/fleetChecks")
    for label in ("Name", "Number plate", "Mileage", "Notes"):
        expect(page.get_by_label(label)).to_have_value("")
    expect(page.get_by_text("strap.jpg")).to_have_count(0)
    expect(page.get_by_text("Kept from")).to_have_count(0)
    page.get_by_role("button", name="Logout").click()
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in(page, "driver", "/fleetChecks")
    expect(page.get_by_text(re.compile("^Kept from"))).to_be_visible()
    expect(page.get_by_label("Notes")).to_have_value("Mower strap worn")
    expect(page.get_by_text("strap.jpg")).to_be_visible()
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    [check] = checks(context)
    assert [sent["name"] for sent in check["photos"]] == ["strap.jpg"]
