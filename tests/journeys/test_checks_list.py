"""The checks list and its review queue, on a phone and at a desk."""

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LIST = "/fleetChecksList"


@pytest.fixture(autouse=True)
def fleet(product):
    product.fill("checks to look at", checks_to_look_at)


def checks_to_look_at():
    factories.user("driver", Division.FLEET)
    for n in range(21):
        factories.check(f"P{n:02d}")
    factories.check("YD21 HMO", items={"Damage": "None found"}, notes="Fine")
    factories.check(
        "LK19 VTE",
        items={"Name": "Ann", "Damage": "Scratch on the door"},
        notes="Booked in\nfor Friday",
        cost=12_050,
        form_type="mixed",
        photos=["front.jpg", "rear.jpg"],
    )


@pytest.fixture
def page(new_context, width):
    page = new_context(width).new_page()
    sign_in(page, "driver", path=f"{LIST}?review=")
    return page


def checks(page):
    return page.locator("tbody[id^=c]")


def is_apart(one, other):
    """Return whether one box is above the other, or below."""
    above, below = sorted((one, other), key=lambda box: box["y"])
    return above["y"] + above["height"] <= below["y"]


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
