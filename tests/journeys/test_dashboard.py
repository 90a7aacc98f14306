"""The dashboard on a phone."""

import pytest
from playwright.sync_api import Page, expect

from app import dates
from app.accounts.queries import user_named
from app.db import transaction
from app.divisions import Division
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper", Division.GFM)
        factories.items([(f"RED HEART HOLDER {n:02d}", n + 1) for n in range(20)])


@pytest.fixture
def page(new_context) -> Page:
    page = new_context("phone").new_page()
    sign_in(page, path="/dashboard")
    return page


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


def test_three_of_a_recent_item_are_withdrawn_by_three_taps(product, withdrawn, page):
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


def test_a_phone_has_the_last_10_days(page):
    expect(page.locator(".day-bars li:visible")).to_have_count(10)
    expect(page.locator(".day-bars li").last).to_be_visible()
    expect(page.get_by_text("The bars are the last days.")).to_be_visible()


def test_withdraw_leads_to_the_search_of_the_stock(withdrawn, page):
    page.get_by_role("group", name="Start").get_by_role("link", name="Withdraw").tap()
    expect(page.get_by_label("Search items")).to_be_focused()


def test_everything_on_it_is_easily_hit_on_a_phone(page):
    for control in page.locator("main :is(a, button):visible").all():
        box = control.bounding_box()
        # A row's link is as high as the card's line lets it be, as in the history.
        least = 24 if control.evaluate("e => e.closest('tr') !== null") else 44
        assert box["height"] >= least, control.evaluate("e => e.outerHTML")
