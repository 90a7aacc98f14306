"""Forms that are pages of their own, when the line drops or something fails."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, choose, sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

SAFE = "No connection. Nothing is lost. Try again; the change is made only once."


@pytest.fixture(autouse=True)
def company(product):
    with product.app.app_context():
        every = (Division.GFM, Division.GPM, Division.FLEET, Division.ASSETS)
        factories.user("keeper", *every)
        factories.user("trader", Division.GPM)
        factories.vehicle(location="Depot")
        factories.asset()


@pytest.fixture
def page(new_context, width) -> Page:
    page = new_context(width).new_page()
    sign_in(page, "trader", "/gpm/deliveries/new")
    return page


@PHONE
def test_a_delivery_is_scheduled_once_though_the_line_drops(page):
    page.get_by_label("Item").fill("Tea")
    # Looking the item up takes the place of an earlier message.
    expect(page.get_by_text("Not in stock yet")).to_be_visible()
    page.get_by_label("Supplier").fill("Glass & Co")
    page.route(
        "**/gpm/deliveries/new",
        lambda route: (route.fetch(max_redirects=0), route.abort())[1],
        times=1,
    )
    page.get_by_role("button", name="Schedule").click()
    alert = page.get_by_role("alert")
    expect(alert).to_have_text(f"Failed to schedule delivery. {SAFE}")
    expect(alert).to_be_in_viewport()
    expect(page.get_by_label("Supplier")).to_have_value("Glass & Co")
    page.get_by_role("button", name="Schedule").click()
    expect(page.get_by_text("Scheduled: 1 × Tea.")).to_be_visible()
    expect(page.locator("#rows tr")).to_have_count(1)


@PHONE
def test_enter_takes_the_highlighted_name_on_a_page_and_in_a_dialog(product, page):
    with product.app.app_context():
        factories.item("Tea caddy", 4, store=factories.GPM)
        factories.team("Electricians")
        factories.key("K1")
    page.get_by_label("Item").fill("Tea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Tea caddy")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Scheduled: 1 × Tea caddy.")).to_be_visible()
    page.goto("/keys")
    page.get_by_role("link", name="Hand over K1").click()
    page.get_by_label("Who gets it").fill("Elec")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Electricians")).to_be_focused()
    # Another text is sent as it is typed.
    page.get_by_label("Who gets it").fill("Electrisians")
    page.keyboard.press("Enter")
    expect(page.get_by_text('New holder "Electrisians"? Or')).to_be_visible()
    page.get_by_role("button", name="Electricians", exact=True).press("Enter")
    expect(page.locator("#live")).to_contain_text("K1 is with Electricians now.")


@PHONE
def test_a_refused_delivery_offers_items_and_previews_once_the_mistake_is_mended(product, page):
    with product.app.app_context():
        factories.item("Tea caddy", 4, store=factories.GPM)
    page.get_by_label("Item").fill("Tea")
    page.get_by_label("Unit Cost").fill("cheap")
    page.get_by_role("button", name="Schedule").click()
    summary = page.locator("[data-problems]")
    expect(summary).to_be_focused()
    expect(page).to_have_title(re.compile("^Error: "))
    cost = page.get_by_label("Unit Cost")
    expect(cost).to_have_attribute("aria-invalid", "true")
    cost.fill("2")
    expect(cost).not_to_have_attribute("aria-invalid", "true")
    expect(summary).to_have_count(0)
    expect(page.get_by_text("1 × £2.00 = £2.00")).to_be_visible()
    page.get_by_label("Item").fill("Tea caddy")
    expect(page.get_by_text("In stock: 4")).to_be_visible()


FORMS = {
    "/vehicles/1/edit": ("Location", "Guildford", "Save", "Update failed"),
    "/vehicles/add": ("Reg", "AB12 CDE", "Save", "Update failed"),
    "/assets/1/edit": ("Location", "Attic", "Save", "Update failed"),
    "/assets/1/move": ("Destination", "Cellar", "Move", "Failed to move asset"),
    "/assets/add": ("Item", "Desk", "Save", "Failed to add asset"),
    "/inventory/main/add": ("Item name", "Tea", "Save", "Update failed"),
}
"""By their addresses: a field, what is typed into it, the button, and the name of its failure."""


@DESK
def test_a_form_opened_as_a_page_keeps_what_was_typed_and_can_be_sent_again(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page)
    choose(page, "Fleet")
    for path, (field, typed, button, failure) in FORMS.items():
        page.goto(path)
        page.get_by_label(field, exact=True).fill(typed)
        if path == "/inventory/main/add":
            page.get_by_label("Amount").fill("5")
        context.set_offline(True)
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_role("alert"), path).to_have_text(f"{failure}. {SAFE}")
        expect(page.get_by_label(field, exact=True)).to_have_value(typed)
        context.set_offline(False)
        page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_url(lambda url, before=path: before not in url)
        expect(page.locator(".notice.ok"), path).to_be_visible()


@PHONE
def test_the_skip_link_is_out_of_sight_until_it_has_the_focus(new_context, width):
    page = new_context(width).new_page()
    page.goto("/login")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_have_count(0)
    sign_in(page, "trader")
    expect(skip).not_to_be_in_viewport()
    page.locator("body").press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()


@PHONE
def test_notices_keep_their_distance_from_what_is_beside_them(page):
    page.goto("/gpm/history?from=2026-99-99&to=2026-01-99")
    gaps = page.evaluate(
        """() => [...document.querySelectorAll(".notice")].flatMap((notice) => {
          const box = notice.getBoundingClientRect();
          const other = notice.nextElementSibling?.getBoundingClientRect();
          return other && other.height ? [other.top - box.bottom] : [];
        })"""
    )
    assert gaps
    assert min(gaps) >= 8
