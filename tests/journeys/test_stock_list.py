"""A keeper works the real stock list of main, on a phone and at a desk."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.demo.cli import DATA
from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, choose, sign_in, sign_in_by_form

HEART = "72 SWEETHEART FAIRY CAKE CASES"


@pytest.fixture
def main_stock(product):
    """The 3,030 items of main, loaded as an admin loads them."""

    def fill():
        file = str(DATA / "gfm-main-stock.csv")
        done = product.flask("stock", "import", file, "--division", "gfm", "--site", "main")
        assert done.exit_code == 0, done.output
        factories.user("keeper", Division.GFM, Division.FLEET)

    product.fill("main stock", fill)
    return product.amount(HEART)


def row(page: Page, name: str = HEART):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def test_sign_in_choose_search_withdraw_and_the_books_are_right(
    product, main_stock, new_context, width
):
    page = new_context(width).new_page()
    sign_in_by_form(page)
    expect(page.get_by_role("heading", name="Choose Division")).to_be_visible()
    choose(page, "GFM")
    page.locator("main").get_by_role("link", name="Main").click()
    expect(page.get_by_text("3,030 items")).to_be_visible()

    page.get_by_role("searchbox", name="Search items").fill("HEART")
    expect(page.get_by_text("matches")).to_be_visible()
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    row(page).get_by_role("link", name=f"Withdraw {HEART}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Quantity")).to_be_focused()
    dialog.get_by_label("Quantity").fill("3")
    expect(dialog.get_by_text(f"{main_stock} → {main_stock - 3}")).to_be_visible()
    dialog.get_by_label("Team").fill("Kitchen")
    dialog.get_by_role("button", name="Withdraw").click()

    expect(dialog).to_be_hidden()
    expect(row(page).locator(".amount")).to_have_text(str(main_stock - 3))
    expect(page.locator("#live")).to_contain_text(f"withdrew 3, {main_stock - 3} left.")
    expect(row(page).get_by_role("link", name=f"Withdraw {HEART}")).to_be_focused()
    assert loads == []
    page.reload()
    expect(page.locator("main").get_by_role("searchbox")).to_have_value("HEART")
    expect(row(page).locator(".amount")).to_have_text(str(main_stock - 3))
    verified = product.flask("ledger", "verify")
    assert (verified.exit_code, "The books are right" in verified.output) == (0, True)


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
def test_text_typed_before_the_script_loads_is_searched_for(main_stock, new_context):
    page = new_context("phone").new_page()
    sign_in(page)
    choose(page, "GFM")
    delayed = []
    page.route("**/lists-*.js", lambda route: delayed.append(route))
    page.goto("/inventory/main", wait_until="commit")
    page.get_by_role("searchbox", name="Search items").fill("HEART")
    expect(page.get_by_text("3,030 items")).to_be_visible()
    for route in delayed:
        route.continue_()
    expect(page.get_by_text("matches")).to_be_visible()
    expect(page).to_have_url(re.compile("q=HEART"))


@DESK
def test_the_same_without_javascript(product, main_stock, new_context, width):
    page = new_context(width, java_script_enabled=False).new_page()
    sign_in_by_form(page)
    choose(page, "GFM")
    page.locator("main").get_by_role("link", name="Main").click()
    page.get_by_role("searchbox", name="Search items").fill("HEART")
    page.get_by_role("button", name="Search").click()
    row(page).get_by_role("link", name=f"Withdraw {HEART}").click()
    page.get_by_label("Quantity").fill("3")
    page.get_by_label("Team").fill("Kitchen")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"{HEART}: withdrew 3, {main_stock - 3} left.")).to_be_visible()
    assert "q=HEART" in page.url
    expect(row(page).locator(".amount")).to_have_text(str(main_stock - 3))
    page.goto("/inventory/main")
    page.get_by_role("link", name="More").click()
    expect(page.get_by_role("link", name="From the start")).to_be_visible()
    assert product.flask("ledger", "verify").exit_code == 0


@PHONE
def test_errors_stay_in_the_dialog_with_what_was_typed(main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main?q=sweetheart")
    choose(page, "GFM")
    row(page).get_by_role("link", name=f"Withdraw {HEART}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Quantity").fill("9999")
    dialog.get_by_label("Team").fill("Kitchen")
    dialog.get_by_role("button", name="Withdraw").click()
    message = f'Not enough stock: "{HEART}" has {main_stock}'
    expect(dialog.get_by_role("alert")).to_be_focused()
    expect(dialog.get_by_role("alert")).to_contain_text(message)
    expect(dialog.get_by_label("Quantity")).to_have_value("9999")
    expect(dialog.get_by_label("Quantity")).to_have_accessible_description(message)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(row(page).get_by_role("link", name=f"Withdraw {HEART}")).to_be_focused()


@DESK
def test_an_item_is_added_delivered_instead_and_removed(main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    choose(page, "GFM")
    dialog = page.get_by_role("dialog")

    page.get_by_role("link", name="Add Item").click()
    dialog.get_by_label("Item name").fill("!Ladder")
    dialog.get_by_label("Amount").fill("12")
    dialog.get_by_role("button", name="Save").click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("12")

    page.get_by_role("link", name="Add Item").click()
    dialog.get_by_label("Item name").fill("!ladder")
    dialog.get_by_label("Amount").fill("5")
    dialog.get_by_label("Team").fill("Supplier")
    dialog.get_by_role("button", name="Deliver 5 instead: 17").click()
    expect(page.locator("#live")).to_contain_text("!Ladder: delivered 5, 17 now.")
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("17")
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("12")

    page.get_by_role("link", name="Remove !Ladder").click()
    dialog.get_by_role("button", name="Remove item").click()
    expect(row(page, "!Ladder")).to_have_count(0)
    expect(page.locator("#live")).to_contain_text('Removed "!Ladder".')
