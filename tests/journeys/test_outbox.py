"""What waits in a browser: sent once, kept for its person, saved as a file."""

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app import dates
from tests import factories
from tests.journeys.conftest import PHONE, sign_in

pytestmark = [pytest.mark.parametrize("product", ["sqlite"], indirect=True), PHONE]

PUT = """async (entries) => {
    const database = await new Promise((resolve, reject) => {
        const opening = indexedDB.open("quartermaster-offline");
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
    });
    const putting = database.transaction("entries", "readwrite");
    for (const entry of entries) putting.objectStore("entries").put(entry);
    await new Promise((resolve, reject) => {
        putting.oncomplete = resolve;
        putting.onerror = () => reject(putting.error);
    });
    database.close();
    const unsent = entries.map(({user, username, madeAt}) =>
        ({user, username, count: 1, since: madeAt}));
    localStorage.setItem("outbox", JSON.stringify(unsent));
}"""


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper")
        factories.user("colleague")
        factories.item("Globe", 10)


def withdrawal(page: Page, **values: Any) -> dict[str, Any]:
    """Return the entry of a withdrawal of 3 globes by who is signed in."""
    user = int(page.locator("body").get_attribute("data-user") or "")
    form = {"action": "withdrawal", "quantity": "3", "team": "Kitchen", "key": "k" * 32}
    return {
        "id": form["key"],
        "schema": 1,
        "user": user,
        "username": "keeper",
        "division": "gfm",
        "kind": "move",
        "subject": "stock:gfm/main",
        "title": "Withdraw 3 × Globe",
        "detail": "GFM Main · Kitchen",
        "page": "/inventory/main",
        "request": {
            "method": "POST",
            "url": "/inventory/main/items/1/action",
            "form": [*form.items(), ("date", dates.today().isoformat())],
        },
        "content": None,
        "photos": [],
        "madeAt": int(time.time() * 1000),
        "clockOffset": 0,
        "order": 1,
        "state": "waiting",
        "pause": None,
        "isUnanswered": False,
        "isConfirmed": False,
        "tries": 0,
        "answeredTries": 0,
        "nextAt": 0,
        "failure": None,
    } | values


REFUSED = {
    "state": "refused",
    "failure": {"status": 422, "code": "", "message": "No", "fields": {}, "body": None},
}


def keep(page: Page, **values: Any) -> None:
    """Put a withdrawal into the outbox of the signed-in person's browser."""
    page.goto("/outbox")
    expect(page.get_by_role("button", name="Load a file")).to_be_visible()
    page.evaluate(PUT, [withdrawal(page, **values)])


def test_two_tabs_send_what_waits_once(product, new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page)
    keep(page)
    sent: list[str] = []
    context.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    other = context.new_page()
    other.goto("/inventory/main", wait_until="commit")
    page.reload()
    expect(page.get_by_text("Withdraw 3 × Globe")).to_be_visible()
    expect(page.get_by_text("Nothing waits here.")).to_be_visible()
    expect(other.locator("#unsent")).to_be_hidden()
    assert product.amount("Globe") == 7
    assert len(sent) == 1


def test_unsent_work_stays_its_persons_after_a_sign_out(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page)
    keep(page, **REFUSED)
    page.goto("/inventory/main")
    expect(page.locator("#unsent")).to_have_text("1 not sent yet")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Logout").click()
    dialog = page.get_by_role("dialog", name="1 entry is not sent yet")
    dialog.get_by_role("button", name="Keep for me").click()
    page.wait_for_url("**/login")
    sign_in(page, "colleague", "/inventory/main")
    expect(page.get_by_text("keeper has 1 entry here not sent.")).to_be_visible()
    expect(page.locator("#unsent")).to_be_hidden()
    page.goto("/outbox")
    expect(page.get_by_text("keeper has 1 entry here not sent.")).to_be_visible()
    expect(page.get_by_text("Globe")).to_be_hidden()
    assert product.amount("Globe") == 10


def test_a_file_of_unsent_work_is_loaded_elsewhere_and_counts_once(product, new_context, width):
    page = new_context(width).new_page()
    sign_in(page)
    keep(page, **REFUSED)
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all as a file").click()
    file = download.value.path()
    elsewhere = new_context(width).new_page()
    sign_in(elsewhere, path="/outbox")
    elsewhere.locator("input[type=file]").set_input_files(file)
    expect(elsewhere.get_by_text("1 entry loaded.")).to_be_visible()
    for tab in (elsewhere, page):
        tab.get_by_role("button", name="Send again").click()
        expect(tab.get_by_text("Nothing waits here.")).to_be_visible()
    assert product.amount("Globe") == 7
    assert json.loads(file.read_text())["username"] == "keeper"
