"""Transfers, bulk updates and a stock check, on a phone and at a desk."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect

from tests import factories
from tests.chaos.line import State
from tests.journeys.checking import LONG
from tests.journeys.conftest import (
    DESK,
    PHONE,
    notice_the_line,
    sign_in,
    sign_in_by_form,
    sign_out,
)
from tests.profiles import wait_until_ready

NAMES = [f"ITEM {n:03d}" for n in range(60)]


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper")
        factories.user("colleague")
        factories.items([(name, 10) for name in NAMES], category="Box")


def opened(page: Page, name: str, role: Literal["link", "button"] = "link") -> None:
    """Open a tool: in the menu on a phone, beside the title at a desk."""
    more = page.get_by_role("button", name="More", exact=True)
    if more.is_visible():
        more.click()
    page.get_by_role(role, name=name).click()


def counted(page: Page, name: str):
    return page.get_by_label(f"Counted {name}", exact=True)


def apply_count(page: Page) -> None:
    """Apply the count, and confirm it."""
    page.get_by_role("button", name="Apply", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Apply").click()


def test_a_transfer_is_seen_on_both_sites_and_in_history_and_is_undone(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    page.get_by_role("link", name="Withdraw ITEM 003").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Transfer", exact=True).click()
    dialog.get_by_label("Quantity").fill("4")
    dialog.get_by_text("Guildford", exact=True).click()
    dialog.get_by_role("button", name="Transfer").click()
    expect(page.locator("#live")).to_contain_text("ITEM 003: transferred 4 to Guildford, 6 left.")

    page.goto("/inventory/guildford")
    expect(page.get_by_role("row").filter(has_text="ITEM 003").locator(".amount")).to_have_text("4")
    page.goto("/history")
    expect(page.get_by_text("Transfer to Guildford")).to_be_visible()
    expect(page.get_by_text("Transfer from Main")).to_be_visible()

    page.get_by_role("link", name="ITEM 003").first.click()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text("4 × ITEM 003 undone: 10 in stock.")).to_be_visible()
    assert product.amount("ITEM 003") == 10
    done = product.flask("ledger", "verify")
    assert done.exit_code == 0, done.output


def test_a_bulk_delivery_of_5_lines_with_and_without_auto_create(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main")
    opened(page, "Bulk update")
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
    opened(page, "Start Stock Check")
    for name in NAMES[:10]:
        counted(page, name).fill("12")
        counted(page, name).press("Enter")
    expect(page.get_by_role("region", name="Finish")).to_contain_text("10 differences")
    expect(counted(page, NAMES[10])).to_be_focused()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
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


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
def test_a_count_asks_before_it_is_applied_and_is_kept_on_the_way_back(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main/count")
    bar = page.get_by_role("region", name="Finish")
    apply = page.get_by_role("button", name="Apply", exact=True)
    apply.click()
    expect(bar.get_by_role("status")).to_have_text("No differences to apply.")
    expect(bar.get_by_role("status")).to_be_in_viewport()

    counted(page, NAMES[2]).fill("4")
    apply.press("Enter")
    dialog = page.get_by_role("dialog", name="1 line differs, net −£15.00")
    expect(dialog).to_contain_text("59 lines not looked at will stay as they are: ITEM 000")
    expect(dialog.get_by_role("button", name="Keep counting")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(apply).to_be_focused()

    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(f"{product.url}/inventory/main")
    page.get_by_role("link", name="Resume").click()
    expect(counted(page, NAMES[2])).to_have_value("4")
    assert product.amount(NAMES[2]) == 10

    opened(page, "Set all counted to 0", role="button")
    page.get_by_role("dialog").get_by_role("button", name="Go ahead").click()
    apply.click()
    page.get_by_role("button", name="Apply 60").click()
    again = page.get_by_role("dialog", name="Set 60 of 60 items to 0?")
    page.keyboard.press("Escape")
    expect(again).to_have_count(0)
    expect(page.get_by_role("button", name="Apply 60")).to_be_focused()
    assert product.amount(NAMES[2]) == 10
    page.get_by_role("button", name="Apply 60").click()
    again.get_by_role("button", name="Set 60 to 0").click()
    expect(page.locator("#alerts")).to_contain_text("Stock check")
    assert product.amount(NAMES[2]) == 0


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
@PHONE
def test_a_count_over_a_lost_connection_is_kept_and_applied_once(product, new_context, line, width):
    page = new_context(width, base_url=line.url, service_workers="allow").new_page()
    sign_in(page, path="/inventory/main/count")
    wait_until_ready(page, "stock:gfm/main")
    counted(page, NAMES[2]).fill("4")
    line.become(State.CUT)
    apply_count(page)
    expect(page.get_by_text("Kept on this phone. It counts once it is sent.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="1 not sent yet")).to_be_visible()
    assert product.amount(NAMES[2]) == 10
    line.become(State.GOOD)
    notice_the_line(page)
    sent = page.get_by_role("main").get_by_text(re.compile(r"^Sent \d\d:\d\d"))
    expect(sent).to_be_visible(timeout=LONG)
    assert product.amount(NAMES[2]) == 4
    page.get_by_role("link", name="Stock list").click()
    expect(page.locator("#rows")).to_be_visible()
    expect(page.get_by_text("is saved in this browser")).to_be_hidden()


def refuse_patch(route: Route) -> None:
    if route.request.method == "PATCH":
        route.fulfill(status=405, content_type="text/html", body="<h1>Method not allowed</h1>")
    else:
        route.continue_()


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
@DESK
def test_a_count_applies_also_where_the_network_refuses_patches(product, new_context, width):
    page = new_context(width).new_page()
    page.route("**/api/**", refuse_patch)
    sign_in(page, path="/inventory/main/count")
    counted(page, NAMES[2]).fill("4")
    apply_count(page)
    page.wait_for_url("**/inventory/main")
    assert [product.amount(name) for name in NAMES[1:4]] == [10, 4, 10]
    page.goto("/history")
    expect(page.locator("#main")).to_contain_text("Stock check")


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
@DESK
def test_nobody_is_offered_a_colleagues_count(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main/count")
    counted(page, NAMES[2]).fill("4")
    expect(page.get_by_text("saved at")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_out(page)
    sign_in_by_form(page, "colleague", path="/login?next=/inventory/main")
    expect(page.locator("#rows")).to_be_visible()
    expect(page.get_by_text("is saved in this browser")).to_be_hidden()
    sign_out(page)
    sign_in_by_form(page, path="/login?next=/inventory/main")
    expect(page.get_by_text("is saved in this browser")).to_be_visible()
    page.get_by_role("link", name="Resume").click()
    expect(counted(page, NAMES[2])).to_have_value("4")
