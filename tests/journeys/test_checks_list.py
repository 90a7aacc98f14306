"""The checks list on a phone and at a desk, and its refusal to users of GFM only."""

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LIST = "/fleetChecksList"
ALL = f"{LIST}?review="
SCRATCH = {"Name": "Ann", "Damage": "Scratch on the door"}


@pytest.fixture(autouse=True)
def fleet(product):
    product.fill("checks to look at", checks_to_look_at)


def checks_to_look_at():
    factories.user("driver", Division.FLEET)
    factories.user("keeper", Division.GFM)
    for n in range(21):
        factories.check(f"P{n:02d}")
    factories.check("YD21 HMO", items={"Damage": "None found"}, notes="Fine")
    factories.check(
        "LK19 VTE",
        items=SCRATCH,
        notes="Booked in\nfor Friday",
        cost=12_050,
        form_type="mixed",
        photos=["front.jpg", "rear.jpg"],
    )


@pytest.fixture
def page(new_context, width):
    page = new_context(width).new_page()
    sign_in(page, "driver", path=ALL)
    return page


def checks(page):
    return page.locator("tbody[id^=c]")


def choose(page, width, label, option):
    if width == "phone":
        page.get_by_role("button", name="Filters").click()
    page.get_by_label(label, exact=True).select_option(option)
    if width == "phone":
        page.get_by_role("button", name="Done").click()


def is_apart(one, other):
    """Return whether one box is above the other, or below."""
    above, below = sorted((one, other), key=lambda box: box["y"])
    return above["y"] + above["height"] <= below["y"]


def downloaded(page, name):
    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes().decode()


@PHONE
def test_a_check_opens_to_its_fields_notes_and_photos_and_a_photo_opens_large(page):
    expect(checks(page)).to_have_count(20)
    first = checks(page).first
    notes = first.get_by_role("definition").filter(has_text="Booked in")
    expect(notes).to_be_hidden()
    first.locator("summary").click()
    expect(notes).to_be_visible()
    expect(first.get_by_text("Scratch on the door")).to_be_visible()
    expect(first.get_by_text("Mixed Department Check")).to_be_visible()
    for name in ("front.jpg", "rear.jpg"):
        photo = first.get_by_role("img", name=name)
        photo.scroll_into_view_if_needed()
        expect(photo).to_be_visible()
        expect(photo).to_have_js_property("naturalWidth", 64)
    first.get_by_role("img", name="front.jpg").click()
    viewer = page.get_by_role("dialog", name="LK19 VTE")
    expect(viewer.get_by_role("status")).to_have_text("Photo 1 of 2")
    expect(viewer.get_by_role("img", name="front.jpg")).to_have_js_property("naturalWidth", 64)
    viewer.get_by_role("button", name="Next").click()
    expect(viewer.get_by_role("img", name="rear.jpg")).to_be_visible()
    viewer.get_by_role("button", name="Close").click()
    expect(viewer).to_have_count(0)
    expect(first.get_by_role("link", name="rear.jpg")).to_be_focused()


def test_typing_and_choosing_narrow_the_list_in_place_and_reset_brings_it_back(page, width):
    page.get_by_role("searchbox").fill("garage")
    expect(checks(page)).to_have_count(0)
    expect(page.get_by_text("No checks found.")).to_be_visible()
    page.get_by_role("searchbox").fill("booked")
    expect(checks(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("q=booked"))
    expect(page.locator("#total")).to_have_text("1 check")
    page.locator("#reset").click()
    expect(checks(page)).to_have_count(20)
    choose(page, width, "Flags", "Flagged")
    expect(checks(page)).to_have_count(1)
    expect(checks(page).first).to_contain_text("LK19 VTE")
    page.locator("#reset").click()
    page.get_by_role("link", name="Next").click()
    expect(checks(page)).to_have_count(3)


@DESK
def test_a_check_is_reviewed_in_the_dialog_with_reviewer_and_time(page, width):
    page.get_by_role("link", name="Review LK19 VTE").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Remark").fill("Garage on Friday")
    dialog.get_by_role("button", name="Mark as reviewed").click()
    expect(page.locator("#live")).to_contain_text("Reviewed: LK19 VTE.")
    expect(dialog).to_be_hidden()
    row = checks(page).first
    expect(row.get_by_text("Reviewed", exact=True)).to_be_visible()
    row.locator("summary").click()
    text = re.compile(r"Reviewed by driver on \d+ \w+ \d{4} at \d\d:\d\d: Garage on Friday")
    expect(row.get_by_text(text)).to_be_visible()
    choose(page, width, "Review", "Unreviewed")
    expect(page.locator("#total")).to_have_text("22 checks")


@DESK
def test_the_queue_is_reviewed_by_keys_which_rest_while_somebody_types(page):
    page.get_by_role("link", name="To review").click()
    now = page.locator("#now")
    expect(now).to_have_text("LK19 VTE")
    expect(page.get_by_role("img", name="front.jpg")).to_be_visible()
    # The keys are loaded with the queue, after the page.
    page.wait_for_load_state("networkidle")
    page.keyboard.press("j")
    expect(now).to_have_text("YD21 HMO")
    expect(now).to_be_focused()
    page.keyboard.press("k")
    expect(now).to_have_text("LK19 VTE")
    page.get_by_label("Remark").click()
    page.keyboard.type("jerk")
    expect(page.get_by_label("Remark")).to_have_value("jerk")
    now.focus()
    page.keyboard.press("r")
    expect(page.locator("#live")).to_contain_text("Reviewed: LK19 VTE.")
    expect(now).to_have_text("YD21 HMO")
    expect(page.get_by_role("link", name="To review (22)")).to_be_visible()
    page.reload()
    expect(now).to_have_text("YD21 HMO")
    page.get_by_role("button", name="Reviewed: P20").click()
    expect(page.locator("#live")).to_contain_text("Reviewed: P20.")
    expect(now).to_have_text("YD21 HMO")
    expect(page.get_by_role("button", name="Reviewed: P19")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Undone: P20 is to be reviewed again.")
    expect(now).to_have_text("YD21 HMO")
    expect(page.get_by_role("link", name="To review (22)")).to_be_visible()


def test_a_remark_outlives_photos_and_other_checks_and_an_undo_brings_its_check_back(page):
    page.goto(LIST)
    page.wait_for_load_state("networkidle")
    now, remark = page.locator("#now"), page.get_by_label("Remark")
    remark.fill("Garage on Friday")
    now.focus()
    page.keyboard.press("Enter")
    viewer = page.get_by_role("dialog", name="LK19 VTE")
    expect(viewer).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(viewer.get_by_role("status")).to_have_text("Photo 2 of 2")
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    expect(page.get_by_role("link", name="rear.jpg")).to_be_focused()
    page.keyboard.press("j")
    expect(now).to_have_text("YD21 HMO")
    expect(remark).to_have_value("")
    page.go_back()
    expect(now).to_have_text("LK19 VTE")
    expect(remark).to_have_value("Garage on Friday")
    page.get_by_role("button", name="Reviewed", exact=True).click()
    expect(now).to_have_text("YD21 HMO")
    message = page.locator("#live").get_by_text("Reviewed: LK19 VTE.")
    expect(message).to_be_visible()
    # It covers nothing that is pressed next.
    for pressed_next in (remark, page.get_by_role("button", name="Reviewed", exact=True)):
        assert is_apart(message.bounding_box(), pressed_next.bounding_box())
    page.get_by_role("button", name="Undo").click()
    expect(now).to_have_text("LK19 VTE")
    expect(remark).to_have_value("")


@DESK
def test_a_review_without_a_reply_keeps_its_remark_and_is_sent_again(page):
    page.goto(LIST)
    page.get_by_label("Remark").fill("Garage on Friday")
    page.context.set_offline(True)
    page.get_by_role("button", name="Reviewed", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Update failed")
    expect(page.get_by_label("Remark")).to_have_value("Garage on Friday")
    page.context.set_offline(False)
    page.get_by_role("button", name="Reviewed", exact=True).click()
    expect(page.locator("#live")).to_contain_text("Reviewed: LK19 VTE.")
    expect(page.get_by_role("alert")).to_have_count(0)


@DESK
def test_both_exports_contain_the_filtered_checks(page):
    page.get_by_role("searchbox").fill("booked")
    expect(checks(page)).to_have_count(1)
    name, text = downloaded(page, "Export CSV")
    assert name == "vehicle-checks.csv"
    assert list(csv.reader(text.splitlines(keepends=True))) == [
        ["date", "reg", "odometer", "submittedBy", "notes", "photos"],
        ["2026-01-15", "LK19 VTE", "48210", "driver", "Booked in\nfor Friday", "2"],
    ]
    name, text = downloaded(page, "Export JSON")
    assert name == "vehicle-checks.json"
    [check] = json.loads(text)
    assert (check["reg"], check["items"], check["costGBP"]) == ("LK19 VTE", SCRATCH, 120.5)
    assert [photo["name"] for photo in check["photos"]] == ["front.jpg", "rear.jpg"]
    page.locator("#reset").click()
    expect(checks(page)).to_have_count(20)
    assert len(json.loads(downloaded(page, "Export JSON")[1])) == 23


@DESK
def test_people_of_gfm_alone_are_refused_page_call_and_photo(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page)
    expect(page.get_by_role("link", name="Checks list")).to_have_count(0)
    for path in (LIST, "/fleetChecks", "/vehicles", f"{LIST}/vehicle-checks.csv"):
        assert page.goto(path).status == 403
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("LK19 VTE")).to_have_count(0)
    photo = "/api/checks/23/photos/0"
    for path in ("/api/checks", "/api/fleet/vehicles", photo, f"{photo}/thumbnail"):
        reply = page.goto(path)
        assert reply.status == 403
        assert "LK19 VTE" not in reply.text()
        assert not reply.headers["content-type"].startswith("image/")
