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
    expect(page.get_by_role("searchbox")).to_have_value("HEART")
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


@PHONE
def test_rows_follow_as_one_scrolls_until_the_list_ends(main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main?q=heart")
    choose(page, "GFM")
    total = int(re.search(r"\d+", page.get_by_text("matches").inner_text())[0])
    assert total > 100
    rows = page.locator("#rows tr[id^=i]")
    while page.locator("#more").count():
        before = rows.count()
        page.locator("#more").scroll_into_view_if_needed()
        expect(rows).not_to_have_count(before)
    expect(rows).to_have_count(total)


@PHONE
def test_a_change_whose_reply_is_lost_is_kept_and_counts_once(
    product, main_stock, new_context, width
):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main?q=sweetheart")
    choose(page, "GFM")
    row(page).get_by_role("link", name=f"Deliver {HEART}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Quantity").fill("5")
    dialog.get_by_label("Team").fill("Supplier")
    # The change arrives, its reply doesn't.
    page.route("**/action?mode=inc", lambda route: (route.fetch(), route.abort())[1], times=1)
    dialog.get_by_role("button", name="Deliver").click()
    expect(dialog).to_be_hidden()
    page.goto("/outbox")
    expect(page.get_by_text("Nothing waits here.")).to_be_visible()
    assert product.amount(HEART) == main_stock + 5


@DESK
def test_an_item_is_added_updated_edited_and_removed(product, main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    choose(page, "GFM")
    dialog = page.get_by_role("dialog")

    page.get_by_role("link", name="Add Item").click()
    save = dialog.get_by_role("button", name="Save")
    expect(dialog.get_by_text("Enter name and amount")).to_be_visible()
    expect(save).to_be_disabled()
    dialog.get_by_label("Item name").fill("!Ladder")
    dialog.get_by_label("Amount").fill("12")
    dialog.get_by_label("Unit price (£)").fill("2.10")
    expect(dialog.get_by_text("12 × £2.10 = £25.20")).to_be_visible()
    expect(dialog.get_by_text("Ready to add")).to_be_visible()
    save.click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("12")

    page.get_by_role("link", name="Add Item").click()
    dialog.get_by_label("Item name").fill(" !LADDER")
    expect(dialog.get_by_text("Name already exists")).to_be_visible()
    dialog.get_by_label("Amount").fill("20")
    expect(dialog.get_by_text("amount 12 → 20")).to_be_visible()
    expect(dialog.get_by_text("Changes 12 to 20")).to_have_class("badge warn")
    dialog.get_by_role("button", name="Update").click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("20")

    page.get_by_role("link", name="Add Item").click()
    dialog.get_by_label("Item name").fill("!ladder")
    dialog.get_by_label("Amount").fill("5")
    dialog.get_by_label("Team").fill("Supplier")
    dialog.get_by_role("button", name="Deliver 5 instead: 25").click()
    expect(page.locator("#live")).to_contain_text("!Ladder: delivered 5, 25 now.")
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("25")
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("20")

    page.get_by_role("link", name="!Ladder", exact=True).click()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Edit", exact=True).click()
    dialog.get_by_label("Unit", exact=True).fill("pair")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".figure")).to_have_text("20 pair")
    page.get_by_role("link", name="Back").click()
    expect(row(page, "!Ladder").locator(".amount")).to_have_text("20 pair")

    page.get_by_role("link", name="Remove !Ladder").click()
    expect(dialog.get_by_text("20 pair in stock will be written off.")).to_be_visible()
    dialog.get_by_role("button", name="Remove item").click()
    expect(row(page, "!Ladder")).to_have_count(0)
    expect(page.locator("#live")).to_contain_text('Removed "!Ladder".')
    assert product.flask("ledger", "verify").exit_code == 0


@DESK
def test_a_saved_change_leaves_the_category_filter_as_it_was(main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main?q=sweetheart")
    choose(page, "GFM")
    category = page.get_by_role("combobox", name="Category")
    for chosen in ("", "Box"):
        category.select_option(chosen)
        expect(page).to_have_url(re.compile(f"category={chosen}$|sweetheart$"))
        page.get_by_role("searchbox").fill("set" if chosen else "sweetheart")
        page.get_by_role("link", name=re.compile("^Deliver")).first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Team").fill("Supplier")
        dialog.get_by_role("button", name="Deliver").click()
        expect(page.locator("#live")).to_contain_text("delivered 1")
        expect(category).to_have_value(chosen)


def answer_instead(page: Page, status: int) -> None:
    """Answer the next request as a gateway or captive portal does."""
    body = "<h1>Please log in to the network</h1>"
    page.route(
        "**/inventory/**",
        lambda route: route.fulfill(status=status, content_type="text/html", body=body),
        times=1,
    )


@PHONE
def test_a_gateways_reply_is_reported_as_no_connection(product, main_stock, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main?q=sweetheart")
    choose(page, "GFM")
    opens = row(page).get_by_role("link", name=f"Deliver {HEART}")
    dialog = page.get_by_role("dialog")
    for status in (200, 502):
        answer_instead(page, status)
        opens.click()
        alert = page.locator("#alerts").get_by_role("alert")
        expect(alert).to_contain_text("Failed to load inventory. No connection.")
        expect(alert).to_be_in_viewport()
    opens.click()
    dialog.get_by_label("Team").fill("Supplier")
    answer_instead(page, 502)
    dialog.get_by_role("button", name="Deliver").click()
    expect(dialog).to_be_hidden()
    page.goto("/outbox")
    expect(page.get_by_text("Nothing waits here.")).to_be_visible()
    assert product.amount(HEART) == main_stock + 1
