"""Deliveries, on a phone and at a desk."""

import pytest
from playwright.sync_api import expect

from app.divisions import Division, Site
from tests import factories
from tests.factories import GPM
from tests.journeys.conftest import sign_in


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


def test_a_delivery_is_scheduled_from_an_item_and_received(new_context, width):
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
    dialog.get_by_role("link", name="Cancel this delivery").click()
    dialog.get_by_label("Reason").fill("Out of stock")
    dialog.get_by_role("button", name="Cancel delivery").click()
    expect(statuses(page).get_by_role("link", name="Cancelled (1)")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Scheduled again: 5 × glass jar.")

    page.goto("/gpm/deliveries/new")
    page.get_by_label("Item").press_sequentially("glass jar")
    expect(page.get_by_label("Unit cost")).to_have_value("3.10")
    page.goto("/gpm/deliveries")
    page.get_by_role("link", name="Mark Delivered: glass jar").click()
    expect(dialog.get_by_label("Delivery note / reference")).to_be_focused()
    expect(dialog).to_contain_text('Adds 5 to "GLASS JAR": 4 → 9')
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#live")).to_contain_text(" added: ")
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("No pending deliveries.")).to_be_visible()
    statuses(page).get_by_role("link", name="Delivered (1)").click()
    expect(page.get_by_role("cell", name="Done")).to_be_visible()
    page.get_by_role("cell", name="Done").get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Delivery of 5 × GLASS JAR undone: 4 in stock.")
    expect(statuses(page).get_by_role("link", name="Pending (1)")).to_be_visible()


NUMBER_OUTSIDE = """() => [...document.querySelectorAll(".ordered .note")].some((number) =>
  number.getBoundingClientRect().right > number.closest("td").getBoundingClientRect().right
)"""
"""Whether an order number reaches into the column beside its own."""


def test_an_order_number_has_room_at_a_desk_and_stands_among_the_facts_on_a_phone(
    product, new_context
):
    with product.app.app_context():
        factories.user("keeper", Division.GFM)
        for supplier in ("Bunzl Catering", "Kimberly-Clark Professional"):
            terms = {"supplier": supplier, "ordered_by": "manager", "office": Site.GUILDFORD}
            name = f"RED HANGING HEART T-LIGHT HOLDER {len(supplier)}"
            factories.delivery(name, 24, Division.GFM, **terms)
    page = new_context().new_page()
    sign_in(page, "keeper", path="/gfm/deliveries")
    number = page.get_by_text("O-0001")
    for width in (1024, 1366, 1400):
        page.set_viewport_size({"width": width, "height": 768})
        expect(number).to_be_visible()
        assert not page.evaluate(NUMBER_OUTSIDE), width
    page.set_viewport_size({"width": 360, "height": 740})
    expect(number).to_be_visible()
    row = page.get_by_role("row", name="HOLDER 14")
    assert number.bounding_box()["y"] == pytest.approx(
        row.locator(".due").bounding_box()["y"], abs=4
    )
