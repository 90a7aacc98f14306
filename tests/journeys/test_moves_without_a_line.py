"""Stock that is moved or counted on a page whose line is cut: it is kept, and booked once."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests import factories
from tests.chaos.line import State
from tests.journeys.checking import LONG
from tests.journeys.conftest import PHONE, notice_the_line, sign_in
from tests.journeys.phones import KEPT, count, eventually
from tests.profiles import wait_until_ready

pytestmark = [pytest.mark.parametrize("product", ["sqlite"], indirect=True), PHONE]


CONTENT = """(dialog) => {
  const parts = "h1, legend, label, option, input:not([type=hidden])";
  const attributes = ["inputmode", "list", "aria-required"];
  const valuesOf = (field) => [
    [field.id, field.name, field.type, field.value, field.checked, field.min, field.max],
    { ...field.dataset },
    attributes.map((name) => field.hasAttribute(name)),
  ];
  return [...dialog.querySelectorAll(parts)].map((part) =>
    part.matches("input, option") ? valuesOf(part) : part.textContent.trim());
}"""
"""The labels of a dialog, and its fields with their limits and messages."""


@pytest.fixture(autouse=True)
def stock(product):
    with product.app.app_context():
        factories.user("keeper")
        factories.items([("Hand warmer", 79), ("Rope", 12)])


@pytest.fixture
def page(new_context, line) -> Page:
    page = new_context("phone", base_url=line.url, service_workers="allow").new_page()
    sign_in(page, path="/inventory/main")
    wait_until_ready(page, "stock:gfm/main")
    return page


@pytest.fixture
def cut_page(new_context, line) -> Callable[[str], Page]:
    """Return a function that opens a page and cuts its line before anything else is prepared."""

    def open_and_cut(path: str) -> Page:
        page = new_context("phone", base_url=line.url).new_page()
        sign_in(page, path=path)
        page.wait_for_load_state("networkidle")
        line.become(State.CUT)
        return page

    return open_and_cut


def opened(page: Page, name: str) -> Locator:
    page.get_by_role("link", name=name).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Quantity")).to_be_focused()
    return dialog


def content(dialog: Locator) -> Any:
    return dialog.evaluate(CONTENT)


def test_the_dialog_without_a_line_has_what_the_page_has(page, line, width):
    for name in ("Withdraw Hand warmer", "Deliver Rope"):
        line.become(State.GOOD)
        dialog = opened(page, name)
        of_the_page = content(dialog)
        dialog.get_by_role("link", name="Cancel").click()
        line.become(State.CUT)
        assert content(opened(page, name)) == of_the_page
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name=name)).to_be_focused()


def test_a_withdrawal_from_rows_just_listed_is_booked_once_the_line_is_back(
    cut_page, line, product, width
):
    page = cut_page("/inventory/main")
    dialog = opened(page, "Withdraw Hand warmer")
    dialog.get_by_label("Quantity").fill("5")
    dialog.get_by_label("Team").fill("Kitchen")
    dialog.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#live")).to_contain_text(KEPT)
    expect(page.get_by_role("row", name="Hand warmer")).to_contain_text(
        "in the books, 5 taken not sent yet"
    )
    assert product.amount("Hand warmer") == 79
    line.become(State.GOOD)
    notice_the_line(page)
    expect(page.locator("#live")).to_contain_text("withdrew 5, 74 left", timeout=LONG)
    expect(page.get_by_role("row", name="Hand warmer")).not_to_contain_text("not sent yet")
    assert product.amount("Hand warmer") == 74


def test_a_count_just_opened_is_applied_once_the_line_is_back(cut_page, line, product, width):
    page = cut_page("/inventory/main/count")
    count(page, "Hand warmer", counted=70)
    expect(page.get_by_text(KEPT)).to_be_visible()
    assert product.amount("Hand warmer") == 79
    line.become(State.GOOD)
    notice_the_line(page)
    eventually(lambda: product.amount("Hand warmer") == 70)


def test_a_dialog_whose_reply_is_lost_is_booked_once(page, product, width):
    dialog = opened(page, "Withdraw Hand warmer")
    dialog.get_by_label("Quantity").fill("5")
    dialog.get_by_label("Team").fill("Kitchen")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/action*", lose, times=1)
    dialog.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#live")).to_contain_text("withdrew 5, 74 left", timeout=LONG)
    assert product.amount("Hand warmer") == 74
