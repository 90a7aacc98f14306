"""The dashboard in a real browser, on a phone and at a desk, and without a connection."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app import dates
from app.accounts.queries import user_named
from app.db import transaction
from app.divisions import Division
from app.stock.rules.movements import StockLine
from app.stock.services import movements
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


def extend(page: Page) -> None:
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


def test_extending_the_login_time_shows_its_end_on_the_same_page(opened):
    context, page = opened
    until = page.locator("#signed-in-until")
    until.evaluate("element => element.textContent = 'long ago'")
    context.set_offline(True)
    extend(page)
    expect(alert(page)).to_contain_text("Refresh failed")
    expect(alert(page)).to_be_in_viewport()
    expect(until).to_have_text("long ago")
    context.set_offline(False)
    extend(page)
    message = page.locator("#live")
    expect(message).to_have_text(re.compile(r"You are signed in until \d\d:\d\d\."))
    expect(until).to_have_text(re.search(r"\d\d:\d\d", message.inner_text())[0])
    expect(alert(page)).to_have_count(0)


@pytest.fixture
def withdrawn(product) -> None:
    """Let the keeper withdraw items, so that they are recent."""
    with product.app.app_context():
        keeper = user_named("keeper").id
        for item_id in (3, 9):
            with transaction():
                line = StockLine(item_id, 1)
                movements.withdraw(
                    factories.MAIN, [line], team="Kitchen", on=dates.today(), by=keeper
                )


@PHONE
def test_three_of_a_recent_item_are_withdrawn_by_three_taps(product, withdrawn, opened):
    _, page = opened
    take = page.get_by_role("link", name="Withdraw RED HEART HOLDER 08")
    row = page.locator(".recent-items li").filter(has=take)
    expect(row.locator(".q")).to_have_text("8")
    page.evaluate("scrollTo(0, 150)")
    take.tap()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Quantity")).to_be_focused()
    page.keyboard.type("3")
    dialog.get_by_role("button", name="Withdraw").tap()
    expect(row.locator(".q")).to_have_text("5")
    assert page.url.endswith("/dashboard")
    assert product.amount("RED HEART HOLDER 08") == 5
    # What it changed elsewhere on the page is there, too, and the focus where it was.
    expect(page.locator("tbody#rows tr").first).to_contain_text("−3")
    expect(take).to_be_focused()
    assert page.evaluate("scrollY") == 150
    page.locator("#live").get_by_role("button", name="Undo").tap()
    expect(row.locator(".q")).to_have_text("8")


@DESK
def test_by_keyboard_the_items_at_zero_and_a_day_are_reached(product, opened):
    with product.app.app_context():
        factories.item("Empty box", 0)
    _, page = opened
    page.reload()
    page.get_by_role("link", name="Show: Main: 1 item at zero").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/inventory/main"))
    page.go_back()
    days = page.get_by_role("list", name="Movements per day").get_by_role("listitem")
    expect(days).to_have_count(30)
    days.last.get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rows tr")).to_have_count(21)


@PHONE
def test_a_phone_has_the_last_10_days(opened):
    _, page = opened
    expect(page.locator(".day-bars li:visible")).to_have_count(10)
    expect(page.locator(".day-bars li").last).to_be_visible()
    expect(page.get_by_text("The bars are the last days.")).to_be_visible()


@PHONE
def test_withdraw_leads_to_the_search_of_the_stock(withdrawn, opened):
    _, page = opened
    page.get_by_role("group", name="Start").get_by_role("link", name="Withdraw").tap()
    expect(page.get_by_label("Search items")).to_be_focused()


def test_everything_on_it_is_easily_hit_on_a_phone(new_context):
    page = new_context("phone").new_page()
    sign_in(page, path="/dashboard")
    for control in page.locator("main :is(a, button):visible").all():
        box = control.bounding_box()
        # A row's link is as high as the card's line lets it be, as in the history.
        least = 24 if control.evaluate("e => e.closest('tr') !== null") else 44
        assert box["height"] >= least, control.evaluate("e => e.outerHTML")
