"""Vehicle checks: photos over a bad connection, and drafts after a reload or a sign-out."""

import io
import itertools
import re

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.checking import LONG, fill, pick, submit
from tests.journeys.conftest import DESK, PHONE, sign_in, sign_in_by_form, sign_out

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

SLOW_LINE = {
    "offline": False,
    "latency": 100,
    "downloadThroughput": 100_000,
    "uploadThroughput": 60_000,
}
CUT_LINE = SLOW_LINE | {"offline": True}

SUBMITTED = "Vehicle check submitted."


@pytest.fixture(autouse=True)
def fleet(product):
    with product.app.app_context():
        factories.user("driver", Division.FLEET)
        factories.vehicle("LK19 VTE", make="Ford", model="Transit", odometer=48_210)


@pytest.fixture
def page(new_context, width) -> Page:
    page = new_context(width).new_page()
    sign_in(page, "driver", "/fleetChecks")
    return page


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Send the check")


def the_check(page: Page) -> dict:
    """Return the only check, as the API gives it."""
    [check] = page.request.get("/api/fleet/checks").json()
    return check


@PHONE
def test_four_photos_over_a_line_that_is_cut_arrive_upright_in_one_check(page):
    arrived: list[str] = []
    page.on(
        "response",
        lambda reply: (
            arrived.append(reply.url) if reply.request.method == "PUT" and reply.ok else None
        ),
    )
    fill(page)
    line = page.context.new_cdp_session(page)
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

    check = the_check(page)
    names = ["front.jpg", "rear.jpg", "left.jpg", "right.jpg"]
    assert [sent["name"] for sent in check["photos"]] == names
    assert len(arrived) == len(set(arrived)), "what has arrived isn't sent again"
    kept = [page.request.get(sent["url"]).body() for sent in check["photos"]]
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
def test_a_reload_in_the_middle_keeps_everything_typed_and_picked(page):
    dialogs: list[str] = []

    def stay_or_go(dialog):
        dialogs.append(dialog.type)
        dialog.accept()

    page.on("dialog", stay_or_go)
    page.get_by_label("Form", exact=True).select_option(label="Gardening — Van Check")
    fill(page)
    page.get_by_label("Fuel level").select_option("Half")
    page.get_by_label("Notes").fill("Mower strap worn")
    page.get_by_label("Repair/Expense").fill("7.50")
    pick(page, "strap.jpg", "door.jpg")
    # 'Saved at' is there from the typing: a photo is saved before it is sent.
    expect(bar(page)).to_contain_text("2 of 2 photos sent", timeout=LONG)
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
    check = the_check(page)
    assert [sent["name"] for sent in check["photos"]] == ["strap.jpg", "door.jpg"]
    assert (check["costGBP"], check["items"]["FuelLevel"]) == (7.5, "Half")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Jo Marsh")
    expect(page.get_by_label("Mileage")).to_have_value("")
    expect(page.get_by_text("Draft started at")).to_have_count(0)


@PHONE
def test_a_sign_out_in_the_middle_keeps_everything_for_its_person_alone(page, product):
    with product.app.app_context():
        factories.user("second", Division.FLEET)
    page.on("dialog", lambda dialog: dialog.accept())
    fill(page)
    page.get_by_label("Notes").fill("Mower strap worn")
    pick(page, "strap.jpg")
    expect(bar(page)).to_contain_text("1 of 1 photo sent", timeout=LONG)
    expect(bar(page)).to_contain_text("Saved at")
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in_by_form(page, "second", "/fleetChecks")
    expect(page.get_by_label("Name")).to_have_value("second")
    for label in ("Number plate", "Mileage", "Notes"):
        expect(page.get_by_label(label)).to_have_value("")
    expect(page.get_by_text("strap.jpg")).to_have_count(0)
    expect(page.get_by_text("Draft started at")).to_have_count(0)
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in_by_form(page, "driver", "/fleetChecks")
    expect(page.get_by_text(re.compile("^Draft started at"))).to_be_visible()
    expect(page.get_by_label("Notes")).to_have_value("Mower strap worn")
    expect(page.get_by_text("strap.jpg")).to_be_visible()
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    assert [sent["name"] for sent in the_check(page)["photos"]] == ["strap.jpg"]
