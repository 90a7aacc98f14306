"""How the states of a screen are reached on its open page, in any width and with any data."""

import json
import re

from playwright.sync_api import Locator, Page, expect


def _dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def open_tool(page: Page, name: str) -> None:
    """Open a tool: in the menu on a phone, beside the title at a desk."""
    more = page.get_by_role("button", name="More", exact=True)
    if more.count() and more.first.is_visible():
        more.first.click()
    page.get_by_role("link", name=name).click()


def sign_in_wrongly(page: Page) -> None:
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password", exact=True).fill("wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def save(page: Page) -> None:
    """Send the page's form as it is, which is refused."""
    page.locator("main form button.primary").first.click()
    expect(page.get_by_role("alert").first).to_be_visible()


def open_screens(page: Page) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()


def search_everything(page: Page) -> None:
    box = page.get_by_label("Search everything")
    box.clear()
    box.press_sequentially("heart")
    page.locator(".found li").first.wait_for()


def open_tools(page: Page) -> None:
    page.get_by_role("button", name="More", exact=True).first.click()


def withdraw(page: Page) -> None:
    page.get_by_role("link", name=re.compile("^Withdraw ")).first.click()
    expect(_dialog(page).get_by_label("Quantity")).to_be_focused()


def withdraw_nothing(page: Page) -> None:
    withdraw(page)
    _dialog(page).get_by_label("Quantity").fill("0")
    _dialog(page).get_by_role("button", name="Withdraw").click()
    expect(_dialog(page).get_by_role("alert")).to_be_visible()


def withdraw_offline(page: Page) -> None:
    withdraw(page)
    _dialog(page).get_by_label("Team").fill("Kitchen")
    page.context.set_offline(True)
    _dialog(page).get_by_role("button", name="Withdraw").click()
    expect(page.locator("#live")).to_contain_text("Kept on this phone. It counts once it is sent.")
    expect(page.locator("#rows")).to_contain_text("1 taken not sent yet")


def withdraw_one(page: Page) -> None:
    withdraw(page)
    _dialog(page).get_by_label("Team").fill("Kitchen")
    _dialog(page).get_by_role("button", name="Withdraw").click()
    expect(page.locator("#live p")).to_be_visible()


def transfer(page: Page) -> None:
    withdraw(page)
    _dialog(page).get_by_text("Transfer", exact=True).click()
    expect(_dialog(page).get_by_role("button", name="Transfer")).to_be_visible()


def add_item(page: Page) -> None:
    page.get_by_role("link", name="Add Item").click()
    expect(_dialog(page).get_by_label("Item name")).to_be_focused()


def add_item_wrongly(page: Page) -> None:
    page.get_by_label("Item name").fill("Tea")
    page.get_by_label("Amount").fill("24")
    page.get_by_label("Unit price").fill("a lot")
    save(page)


def add_namesake(page: Page) -> None:
    """Type the name of an existing item, whose amount an addition would change."""
    add_item(page)
    _dialog(page).get_by_label("Item name").fill("red heart holder 001")
    _dialog(page).get_by_label("Amount").fill("999,999,998")
    instead = "Deliver 999,999,998 instead: 999,999,999"
    expect(_dialog(page).get_by_role("button", name=instead)).to_be_visible()


def remove_item(page: Page) -> None:
    remove = page.get_by_role("link", name=re.compile("^Remove "))
    if remove.count() == 0:
        page.locator("#rows").get_by_role("button", name="Actions").first.click()
    remove.first.click()
    expect(_dialog(page).get_by_role("button", name="Remove item")).to_be_visible()


def bulk_update(page: Page) -> None:
    open_tool(page, "Bulk update")
    expect(_dialog(page).get_by_label("Item, line 1")).to_be_visible()


def apply_no_differences(page: Page) -> None:
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("No differences to apply.")).to_be_visible()


def apply_differences(page: Page) -> None:
    page.locator("main").get_by_role("searchbox").fill("extraordinarily")
    page.get_by_label(re.compile("^Counted EXTRAORDINARILY")).fill("0")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("button", name="Apply 1")).to_be_visible()


def mark_delivered(page: Page) -> None:
    page.get_by_role("link", name=re.compile("^Mark Delivered")).first.click()
    expect(_dialog(page).get_by_label("Recipient")).to_be_visible()


def schedule_wrongly(page: Page) -> None:
    page.get_by_label("Item").fill("Tea")
    page.get_by_label("Amount").fill("24")
    page.get_by_label("Unit cost").fill("a lot")
    page.get_by_role("button", name="Schedule").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def half_type(page: Page) -> None:
    page.get_by_label("Item").fill("extra")
    page.get_by_role("button", name="Schedule").click()
    expect(page.get_by_role("group", name="New item")).to_be_visible()


def rename(page: Page) -> None:
    """Rename the first team to nothing, which is refused."""
    page.get_by_role("link", name=re.compile("^Rename ")).first.click()
    expect(page.get_by_label("New name")).to_be_focused()
    page.get_by_label("New name").fill("")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("alert").first).to_be_visible()


def submit_empty_check(page: Page) -> None:
    page.get_by_role("button", name="Submit Check").click()
    expect(page.get_by_role("alert").filter(has_text="There is a problem")).to_be_focused()


def open_details(page: Page) -> None:
    """Open what is folded, as far as a window shows."""
    for summary in page.locator("summary:visible").all()[:9]:
        summary.click()


def tick_assets(page: Page) -> None:
    for tick in page.locator("#list").get_by_role("checkbox").all()[:2]:
        tick.check()


def move_nowhere(page: Page) -> None:
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_role("alert").first).to_be_visible()


def load_unsent(page: Page) -> None:
    """Load a file of changes that wait for their person."""
    user = int(page.locator("body").get_attribute("data-user") or "")
    number = {"status": 422, "code": "invalid", "message": "Quantity must be at least 1"}
    lack = {"status": 409, "code": "conflict", "message": f"There are only 2 of {'W' * 60}"}
    entries = [
        {
            "id": f"unsent-{state}",
            "schema": 1,
            "user": user,
            "username": "keeper",
            "division": "gfm",
            "kind": "check",
            "subject": state,
            "title": f"Check of {'W' * 60}",
            "detail": f"GFM Main · {'W' * 32}",
            "page": "/inventory/main",
            "request": {"method": "POST", "url": "/api/gpm/checks", "json": {}},
            "content": {
                "answers": {"formType": "gpm", "values": {}, "cost": "", "day": "2026-11-22"},
                "earlier": [],
            },
            "photos": [],
            "madeAt": 1_763_800_000_000,
            "clockOffset": 0,
            "state": state,
            "isConfirmed": False,
            "tries": 1,
            "answeredTries": 1,
            "nextAt": 0,
            "failure": failure | {"fields": {}, "body": None},
        }
        for state, failure in (("refused", number), ("conflict", lack))
    ]
    file = {
        "format": "quartermaster-outbox",
        "version": 1,
        "user": user,
        "username": "keeper",
        "entries": entries,
        "photos": [],
    }
    page.locator("input[type=file]").set_input_files(
        {
            "name": "not-sent.json",
            "mimeType": "application/json",
            "buffer": json.dumps(file).encode(),
        }
    )
    expect(page.locator(".entry")).to_have_count(2)


def discard_unsent(page: Page) -> None:
    load_unsent(page)
    page.get_by_role("button", name="Discard").first.click()
    expect(_dialog(page)).to_be_visible()
