"""A plate of another division is found from the header: by taps, by keys, and without a script."""

import pytest
from playwright.sync_api import Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import WIDTHS, choose, sign_in
from tests.look.checks import load_axe, scrolling_widths, violations

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def company(product):
    def fill():
        factories.user("keeper", Division.GFM, Division.FLEET)
        factories.items([(f"Cloche no {number}", 3) for number in range(9)])
        factories.vehicle("LK19 VTE", make="Ford", model="Transit")

    product.fill("company", fill)


def open_stock(page: Page) -> None:
    sign_in(page)
    choose(page, "GFM")
    page.goto("/inventory/main")


def division(page: Page) -> str | None:
    return page.locator("body").get_attribute("data-division")


def test_two_taps_and_letters_open_a_vehicle_of_another_division(new_context):
    for width in WIDTHS:
        page = new_context(width).new_page()
        load_axe(page)
        open_stock(page)
        requests = []
        page.on("request", lambda request, seen=requests: seen.append(request.url))
        page.get_by_label("Search everything").click()
        page.keyboard.type("lk19")
        found = page.locator(".found")
        expect(found.get_by_role("link", name="LK19 VTE")).to_be_in_viewport()
        expect(page.locator(".find [role=status]")).to_have_text("1 result. Use the arrow keys.")
        assert [url for url in requests if "/search?" in url] == [f"{page.url[:-15]}/search?q=lk19"]
        assert violations(page, "light", "dark") == [], width
        assert scrolling_widths(page) == [], width
        found.get_by_role("link", name="LK19 VTE").click()
        expect(page.get_by_role("heading", name="LK19 VTE")).to_be_visible()
        assert division(page) == "fleet"


def test_keys_alone_open_a_result_or_the_page_of_all(new_context):
    page = new_context().new_page()
    load_axe(page)
    open_stock(page)
    box, found = page.get_by_label("Search everything"), page.locator(".found")
    box.focus()
    page.keyboard.type("cloche")
    expect(found).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(found.locator("li a").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(found.get_by_role("link", name="all 9")).to_be_focused()
    page.keyboard.press("Escape")
    expect(found).to_be_hidden()
    expect(box).to_be_focused()
    expect(box).to_have_value("cloche")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=cloche")
    assert violations(page, "light", "dark") == []
    box.focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("LK19 VTE")
    page.keyboard.press("Enter")
    page.wait_for_url("**/vehicles/1")


def test_a_cut_line_keeps_what_was_typed_and_needs_no_script_before(new_context):
    context = new_context("phone")
    page = context.new_page()
    open_stock(page)
    box = page.get_by_label("Search everything")
    context.set_offline(True)
    box.click()
    page.keyboard.type("lk19")
    expect(box).to_have_value("lk19")
    context.set_offline(False)
    box.blur()
    box.click()
    expect(page.locator(".found").get_by_role("link", name="LK19 VTE")).to_be_visible()
    context.set_offline(True)
    page.keyboard.type(" vte")
    expect(page.locator(".found")).to_have_text(
        "The search got no reply. Press Enter to try again."
    )
    expect(box).to_have_value("lk19 vte")


def test_without_a_script_enter_opens_the_only_exact_result(new_context):
    for width in WIDTHS:
        page = new_context(width, java_script_enabled=False).new_page()
        open_stock(page)
        page.get_by_label("Search everything").fill("lk19vte")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="LK19 VTE")).to_be_visible()
        assert division(page) == "fleet"
