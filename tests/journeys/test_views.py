"""A view is saved, shared, starred, opened on a second device, and lost with its division."""

import pytest
from playwright.sync_api import Page, expect

from app.accounts.services import users
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def shelf(product):
    with product.app.app_context():
        factories.user("boss", Division.GFM)
        factories.user("mate", Division.GFM, Division.FLEET)
        factories.items([("GLASS CLOCHE", 14)], category="Glass")
        factories.items([("TEA TIN", 3)], category="Tins")


def choose(page: Page, view: str) -> None:
    page.goto("/views")
    page.get_by_role("link", name=f"Choose where to see {view}").click()
    page.get_by_label("The list opens with it").check()
    page.get_by_label("On my dashboard").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved your choice")).to_be_visible()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_view_is_saved_shared_starred_and_lost_with_its_division(
    new_context, product, width, has_script
):
    page = new_context(width, java_script_enabled=has_script).new_page()
    sign_in(page, "boss", "/inventory/main?category=Glass")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("link", name="Save this view").click()
    page.get_by_label("Name").fill("All glass")
    page.get_by_label("For").select_option("GFM")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="All glass")).to_be_visible()
    expect(page.locator("#rows")).to_contain_text("GLASS CLOCHE")
    page.goto(page.url.replace("Glass", "Tins"))
    expect(page.get_by_text("changed")).to_be_visible()

    other = new_context(width, java_script_enabled=has_script).new_page()
    sign_in(other, "mate", "/inventory/main")
    choose(other, "All glass")
    second = new_context(width, java_script_enabled=has_script).new_page()
    sign_in(second, "mate", "/inventory/main")
    second.get_by_role("button", name="GFM").click()
    expect(second.get_by_role("heading", name="All glass")).to_be_visible()
    second.goto("/dashboard")
    tile = second.locator(".tile", has_text="All glass")
    expect(tile).to_contain_text("1" if has_script else "–")
    tile.click()
    expect(second.get_by_role("heading", name="All glass")).to_be_visible()

    with product.app.app_context(), transaction():
        users.revoke("mate", [Division.GFM], [])
    second.goto("/views")
    expect(second.get_by_text("No views yet.")).to_be_visible()


def test_a_menu_of_many_views_is_reached_to_its_end_in_a_low_window(new_context, product):
    with product.app.app_context():
        # A page that scrolls has its menu below the window, else the browser moves it up.
        factories.items([(f"Cup {number}", 3) for number in range(60)])
        boss = users.get_user("boss").id
        for number in range(30):
            factories.view(boss, f"View {number:02d}")
    page = new_context().new_page()
    page.set_viewport_size({"width": 1400, "height": 400})
    sign_in(page, "boss", "/inventory/main")
    page.get_by_role("button", name="Views").click()
    links = page.locator("#views").get_by_role("link")
    expect(links).to_have_count(32)
    expect(page.locator("#views")).to_be_in_viewport(ratio=1)
    links.last.scroll_into_view_if_needed()
    expect(links.last).to_be_in_viewport(ratio=1)
