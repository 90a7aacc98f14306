"""A bulk update and a stock check, on a phone and at a desk."""

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.journeys.conftest import sign_in
from tests.journeys.phones import apply_count
from tests.look.ways import open_tool

NAMES = [f"ITEM {n:03d}" for n in range(60)]


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper")
        factories.items([(name, 10) for name in NAMES], category="Box")


def counted(page: Page, name: str):
    return page.get_by_label(f"Counted {name}", exact=True)


def test_a_bulk_delivery_of_5_lines_with_and_without_auto_create(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    open_tool(page, "Bulk update")
    dialog = page.get_by_role("dialog")
    first = dialog.get_by_label("Item, line 1")
    first.fill("007 item")
    expect(dialog.get_by_role("option", name="ITEM 007")).to_be_visible()
    first.press("ArrowDown")
    first.press("Enter")
    expect(first).to_have_value("ITEM 007")
    dialog.get_by_label("Quantity, line 1").fill("2")
    others = ["item 008", "ITEM 009", "BRAND NEW", "ITEM 007"]
    for number, name in enumerate(others, start=2):
        dialog.get_by_role("button", name="Add line").click()
        line = dialog.get_by_label(f"Item, line {number}")
        line.fill(name)
        line.press("Tab")
        dialog.get_by_label(f"Quantity, line {number}").fill("3")
    dialog.get_by_label("Auto-create").uncheck()
    dialog.get_by_role("button", name="Deliver 5 lines").click()
    message = 'Item not found: "BRAND NEW" (enable auto-create or add it first)'
    expect(dialog.get_by_role("alert")).to_contain_text(message)
    assert product.amount("ITEM 007") == 10

    dialog.get_by_label("Auto-create").check()
    dialog.get_by_role("button", name="Deliver 5 lines").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#live")).to_contain_text("Delivery: 4 items.")
    assert [product.amount(n) for n in ("ITEM 007", "ITEM 008", "BRAND NEW")] == [15, 13, 3]
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(page.locator("#live")).to_contain_text("Delivery of 4 items undone.")
    assert [product.amount(n) for n in ("ITEM 007", "ITEM 008")] == [10, 10]


def test_a_count_survives_a_reload_and_a_colleague_who_moves_two_of_its_lines(
    product, new_context, width
):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    open_tool(page, "Start Stock Check")
    for name in NAMES[:9]:
        counted(page, name).fill("12")
        counted(page, name).press("Enter")
    expect(page.get_by_role("region", name="Finish")).to_contain_text("9 differences")
    expect(counted(page, NAMES[9])).to_be_focused()
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        counted(page, NAMES[9]).fill("12")
        page.evaluate("() => location.reload()")
    expect(page.get_by_role("region", name="Finish")).to_contain_text("10 differences")
    expect(counted(page, NAMES[0])).to_have_value("12")
    search = page.get_by_role("searchbox", name="Search items")
    for name in NAMES[10:20]:
        search.fill(name)
        counted(page, name).fill("7")
    search.fill("")
    page.get_by_role("button", name="Found new item").click()
    page.get_by_label("Item name").fill("FOUND ON A SHELF")
    page.get_by_label("Quantity").fill("6")
    expect(page.get_by_text("Will be added on Apply")).to_be_visible()

    with product.app.app_context():
        factories.items([(NAMES[1], 9), (NAMES[15], 30)])
    apply_count(page)
    page.get_by_role("button", name="Keep what I counted (12)").click()
    page.get_by_role("button", name="Keep the difference (−3 → 27)").click()
    apply_count(page)

    expect(page.locator("#alerts")).to_contain_text("Stock check")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    amounts = [product.amount(NAMES[n]) for n in (0, 1, 9, 10, 15, 19, 20)]
    assert amounts == [12, 12, 12, 7, 27, 7, 10]
    assert product.amount("FOUND ON A SHELF") == 6
    page.goto("/inventory/main/count")
    expect(counted(page, NAMES[0])).to_have_value("12")
    expect(page.get_by_role("region", name="Finish")).to_contain_text("0 differences")
    done = product.flask("ledger", "verify")
    assert done.exit_code == 0, done.output
