"""Deliveries of GPM, on a phone and at a desk."""

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.factories import GPM
from tests.journeys.conftest import DESK, PHONE, sign_in

DONE = " added: "


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("trader", Division.GPM)
        factories.items([("GLASS CLOCHE", 10), ("GLASS JAR", 4)], store=GPM)


def statuses(page):
    """Return the links to the statuses, which a phone has in a menu beside the search."""
    menu = page.get_by_role("button", name="Status:")
    if menu.is_visible():
        menu.click()
    return page.get_by_role("navigation", name="Status")


def amount(product, name):
    with product.app.app_context():
        return factories.amount(name, GPM)


def test_a_delivery_is_scheduled_from_an_item_and_received(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, "trader", path="/gpm/inventory/main")
    page.get_by_role("link", name="Schedule a delivery of GLASS CLOCHE").click()
    expect(page.get_by_label("Item")).to_have_value("GLASS CLOCHE")
    expect(page.get_by_text("In stock: 10 at £2.50")).to_be_visible()
    expect(page.get_by_text("Ready", exact=True)).to_be_visible()
    schedule = page.get_by_role("button", name="Schedule")
    page.get_by_label("Item").fill("")
    expect(page.get_by_text("Enter item and amount")).to_be_visible()
    expect(schedule).to_be_disabled()
    page.get_by_label("Item").press_sequentially("glass jar")
    expect(page.get_by_text("In stock: 4 at £2.50")).to_be_visible()
    assert page.locator("#item-offers option").count() == 1
    page.get_by_label("Amount").fill("5")
    page.get_by_label("Unit cost").fill("3.10")
    expect(page.get_by_text("5 × £3.10 = £15.50")).to_be_visible()
    schedule.click()
    expect(page.get_by_text("Scheduled: 5 × glass jar.")).to_be_visible()

    page.get_by_role("link", name="glass jar", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Unit cost").fill("cheap")
    expect(dialog.get_by_text("Ready", exact=True)).to_be_hidden()
    dialog.get_by_label("Unit cost").fill("3.20")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#live")).to_contain_text("Saved: 5 × glass jar.")
    page.get_by_role("link", name="glass jar", exact=True).click()
    dialog.get_by_role("link", name="Cancel this delivery").click()
    dialog.get_by_label("Reason").fill("Out of stock")
    dialog.get_by_role("button", name="Cancel delivery").click()
    expect(statuses(page).get_by_role("link", name="Cancelled (1)")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Scheduled again: 5 × glass jar.")

    page.goto("/gpm/deliveries/new")
    page.get_by_label("Item").press_sequentially("glass jar")
    expect(page.get_by_label("Unit cost")).to_have_value("3.20")
    page.goto("/gpm/deliveries")
    page.get_by_role("link", name="Mark Delivered: glass jar").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Delivery note / reference")).to_be_focused()
    expect(dialog).to_contain_text('Adds 5 to "GLASS JAR": 4 → 9')
    dialog.get_by_label("Recipient").fill("Bob")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#live")).to_contain_text(DONE)
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("No pending deliveries.")).to_be_visible()
    statuses(page).get_by_role("link", name="Delivered (1)").click()
    expect(page.get_by_role("cell", name="Done")).to_be_visible()
    page.get_by_role("cell", name="Done").get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Delivery of 5 × GLASS JAR undone: 4 in stock.")
    expect(page.locator("#live").get_by_role("button", name="Redo")).to_have_count(0)
    statuses(page).get_by_role("link", name="Pending (1)").click()
    page.get_by_role("link", name="Mark Delivered: glass jar").click()
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#live")).to_contain_text(DONE)

    page.goto("/gpm/inventory/main")
    row = page.get_by_role("row").filter(has_text="GLASS JAR")
    expect(row.locator(".amount")).to_have_text("9")
    page.goto("/gpm/history")
    expect(page.get_by_role("row").filter(has_text="GLASS JAR").first).to_contain_text("Deliveries")
    done = product.flask("ledger", "verify")
    assert done.exit_code == 0, done.output


@DESK
def test_two_tabs_add_a_delivery_once_and_the_second_gets_the_reason(product, new_context, width):
    with product.app.app_context():
        factories.delivery("GLASS JAR", 5)
    context = new_context(width)
    first, second = context.new_page(), context.new_page()
    sign_in(first, "trader", path="/gpm/deliveries")
    second.goto("/gpm/deliveries")
    for tab in (first, second):
        tab.get_by_role("link", name="Mark Delivered: GLASS JAR").click()
        expect(tab.get_by_role("dialog").get_by_role("button", name="Confirm")).to_be_visible()
    first.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(first.locator("#live")).to_contain_text(DONE)
    second.bring_to_front()
    dialog = second.get_by_role("dialog")
    dialog.get_by_role("button", name="Confirm").click()
    alert = dialog.get_by_role("alert")
    expect(alert).to_contain_text("This delivery was marked delivered already, on ")
    expect(alert).to_contain_text("by trader. Nothing was added again.")
    expect(dialog.get_by_role("button", name="Confirm")).to_be_hidden()
    dialog.locator("footer").get_by_role("link", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(second.get_by_text("No pending deliveries.")).to_be_visible()
    assert amount(product, "GLASS JAR") == 9


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
@PHONE
def test_the_search_narrows_the_list_and_reset_keeps_the_segment(product, new_context, width):
    with product.app.app_context():
        for name in ("GREEN TEA", "BLACK TEA", "MUG"):
            factories.delivered(name)
    page = new_context(width).new_page()
    sign_in(page, "trader", path="/gpm/deliveries?status=delivered")
    page.get_by_role("searchbox", name="Search deliveries").fill("tea")
    expect(statuses(page).get_by_role("link", name="Delivered (2)")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rows tr")).to_have_count(2)
    assert "q=tea" in page.url
    page.get_by_role("link", name="Reset").click()
    expect(page.locator("#rows tr")).to_have_count(3)
    expect(page.get_by_role("link", name="Reset")).to_be_hidden()
