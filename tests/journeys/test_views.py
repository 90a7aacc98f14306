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
