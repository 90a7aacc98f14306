"""The asset register in a real browser: list, moves and groups."""

import pytest
from playwright.sync_api import Page, expect

from app.assets.rules import AssetState
from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, start

KINDS = (("Desk", "Furniture", 12_05), ("Laptop", "IT", 1_899_99), ("Drill", "Tools", 249_33))
PLACES = ("Depot", "Attic", "")
UNDER_THE_MESSAGE = 10_000
"""Milliseconds in which what a message covers must be reachable: it stays longer itself."""
ON_SQLITE = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def register(product):
    """Thirty assets of three categories at two locations, some without a location."""
    with product.app.app_context():
        factories.user("steward", Division.ASSETS)
        factories.assets(
            [
                AssetState(
                    f"{item} {n:02d}",
                    id=f"a{n:02d}",
                    category=category,
                    location=PLACES[n % 7 % 3],
                    make="Bosch" if n % 4 else "",
                    purchase_price=price + n,
                    quantity=1 + n % 5,
                )
                for n in range(30)
                for item, category, price in [KINDS[n % 3]]
            ]
        )


@pytest.fixture
def opened(new_context, width):
    def opened(path: str, **options: object) -> Page:
        page = new_context(width, **options).new_page()
        start(page, "steward")
        page.goto(path)
        return page

    return opened


def test_an_asset_is_added_opened_and_moved(opened):
    page = opened("/assets")
    page.get_by_role("link", name="Add Asset").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Item name is required")
    dialog.get_by_label("Item").fill("A-frame ladder")
    dialog.get_by_label("Location").fill("Depot")
    dialog.get_by_label("Quantity").fill("2")
    dialog.get_by_label("Purchase price").fill("149.50")
    expect(dialog.get_by_text("£299.00")).to_be_visible()
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Added A-frame ladder.")).to_be_visible()

    page.goto("/assets")
    page.get_by_role("link", name="A-frame ladder", exact=True).click()
    expect(page.get_by_role("heading", name="A-frame ladder")).to_be_visible()
    expect(page.get_by_text("It hasn't moved yet.")).to_be_visible()
    page.get_by_role("link", name="Move", exact=True).click()
    page.get_by_label("Destination").fill("Workshop")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_text("A-frame ladder moved to Workshop.")).to_be_visible()
    moved = page.get_by_role("table", name="Moves, newest first").get_by_role("row").nth(1)
    for text in ("Depot", "Workshop", "steward"):
        expect(moved).to_contain_text(text)


def test_ten_ticked_on_two_pages_are_moved_at_once(opened):
    page = opened("/assets")
    ticks = page.locator("#list").get_by_role("checkbox")
    for n in range(6):
        ticks.nth(n).check()
    page.get_by_role("link", name="Next").click()
    expect(ticks).to_have_count(5)
    for n in range(4):
        ticks.nth(n).check()
    expect(page.get_by_text("10 ticked, 6 not on this page")).to_be_visible()

    page.get_by_role("button", name="Move 10 assets").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Move 10 assets")).to_be_visible()
    dialog.get_by_role("button", name="Move", exact=True).click()
    refused = dialog.get_by_label("Destination")
    expect(refused).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_role("alert")).to_contain_text("Destination is required")
    refused.fill("Workshop")
    dialog.get_by_role("button", name="Move", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#live")).to_contain_text("10 assets moved to Workshop.")
    expect(page.get_by_role("cell", name="Workshop")).to_have_count(4)
    expect(page.locator("#list input:checked")).to_have_count(0)
    page.get_by_role("link", name="Prev").click(timeout=UNDER_THE_MESSAGE)
    expect(page.get_by_role("cell", name="Workshop")).to_have_count(6)
    expect(page.locator("#list input:checked")).to_have_count(0)


@ON_SQLITE
@PHONE
def test_groups_lead_to_the_register_and_back_and_their_choice_is_in_the_address(opened):
    page = opened("/assets/groups")
    page.get_by_role("button", name="Depot by category").click()
    page.get_by_role("link", name="Furniture", exact=True).click()
    page.wait_for_url("**/assets?**")
    page.go_back()
    expect(page.get_by_role("link", name="Furniture")).to_be_visible()

    page.get_by_label("Group by").select_option("item")
    expect(page.get_by_role("columnheader", name="Item")).to_be_visible()
    page.get_by_label("then by").select_option("make")
    page.get_by_role("button", name="Desk 00 by make").click()
    expect(page.get_by_role("link", name="No make", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Group by")).to_have_value("item")
    expect(page.get_by_label("then by")).to_have_value("make")
    opener = page.get_by_role("button", name="Desk 00 by make")
    expect(opener).to_have_attribute("aria-expanded", "true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@ON_SQLITE
@DESK
def test_ticks_and_groups_work_without_javascript(opened):
    page = opened("/assets", java_script_enabled=False)
    page.get_by_role("searchbox", name="Search assets").fill("drill")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("checkbox", name="All 10").check()
    page.get_by_role("button", name="Move ticked").click()
    page.get_by_label("Destination").fill("Workshop")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_text("10 assets moved to Workshop.")).to_be_visible()

    page.goto("/assets/groups")
    page.get_by_role("link", name="Show Workshop by category").click()
    page.get_by_role("link", name="Tools", exact=True).click()
    expect(page.locator("#total")).to_contain_text("10 assets ·")
    page.goto("/assets/groups")
    page.get_by_label("Group by").select_option("make")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("link", name="Bosch", exact=True)).to_be_visible()
