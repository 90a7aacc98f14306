"""The dashboard in a real browser, on a phone and at a desk, and without a connection."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = [
    pytest.mark.journey,
    pytest.mark.parametrize("product", ["sqlite"], indirect=True),
]


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper", Division.GFM)
        factories.items([(f"RED HEART HOLDER {n:02d}", n + 1) for n in range(20)])


@pytest.fixture
def opened(new_context, width) -> tuple[BrowserContext, Page]:
    context = new_context(width)
    page = context.new_page()
    sign_in(page, path="/dashboard")
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    return context, page


def extend(page: Page, width: str) -> None:
    if width == "phone":
        page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Extend Login Time").click()


def alert(page: Page):
    return page.locator("#alerts").get_by_role("alert")


@DESK
def test_refresh_shows_new_activity_and_reports_a_lost_connection(product, opened):
    context, page = opened
    tile = page.locator("a.tile").filter(has_text="Main")
    expect(tile).to_contain_text("20")
    with product.app.app_context():
        factories.item("Mug", 5)
    context.set_offline(True)
    page.get_by_role("link", name="Refresh").click()
    expect(alert(page)).to_contain_text("Ping failed")
    expect(tile).to_contain_text("20")
    assert page.url.endswith("/dashboard")
    context.set_offline(False)
    page.get_by_role("link", name="Refresh").click()
    expect(tile).to_contain_text("21")
    expect(alert(page)).to_have_count(0)


def test_extending_the_login_time_shows_its_end_on_the_same_page(opened, width):
    context, page = opened
    until = page.locator("#signed-in-until")
    until.evaluate("element => element.textContent = 'long ago'")
    context.set_offline(True)
    extend(page, width)
    expect(alert(page)).to_contain_text("Refresh failed")
    expect(alert(page)).to_be_in_viewport()
    expect(until).to_have_text("long ago")
    context.set_offline(False)
    extend(page, width)
    message = page.locator("#live")
    expect(message).to_have_text(re.compile(r"You are signed in until \d\d:\d\d\."))
    expect(until).to_have_text(re.search(r"\d\d:\d\d", message.inner_text())[0])
    expect(alert(page)).to_have_count(0)
    if width == "phone":
        expect(page.get_by_role("button", name="Extend Login Time")).to_be_hidden()


@PHONE
def test_a_screen_reader_hears_the_picture_as_a_table(opened):
    _, page = opened
    table = page.get_by_role("table", name=re.compile("^Movements per day"))
    expect(table.get_by_role("row")).to_have_count(31)
    expect(table.get_by_role("row").last).to_contain_text("20")
    box = page.locator(".sr:has(table)").bounding_box()
    assert (box["width"], box["height"]) == (1, 1)


def test_everything_on_it_is_easily_hit_on_a_phone(new_context):
    page = new_context("phone").new_page()
    sign_in(page, path="/dashboard")
    for control in page.locator("main :is(a, button):visible").all():
        box = control.bounding_box()
        # A row's link is as high as the card's line lets it be, as in the history.
        least = 24 if control.evaluate("e => e.closest('tr') !== null") else 44
        assert box["height"] >= least, control.evaluate("e => e.outerHTML")
