"""The byte budgets of pages, over the wire in a real browser."""

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.journeys.conftest import sign_in, start
from tests.look.checks import REPEAT, Wire, overweights, settle
from tests.look.data import full_lists
from tests.look.screens import EVERYBODY, KB, LOGIN, SCREENS, WIDGET

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

UNCHANGED = 1 * KB
ROW = 3 * KB

WEIGHED = {
    (username, is_heavy): [
        screen
        for screen in SCREENS
        if screen.by == username
        and screen.budget
        and (screen.is_list or screen.budget == WIDGET) == is_heavy
    ]
    for username in EVERYBODY
    for is_heavy in (True, False)
}
"""What each user opens: the heaviest are lists, with the most markup, and widgets."""


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("full lists", full_lists)


def wired(context: BrowserContext) -> tuple[Page, Wire]:
    page = context.new_page()
    return page, Wire(page)


def test_the_sign_in_weighs_at_most_12_kb(new_context):
    page, wire = wired(new_context())
    page.goto("/login")
    settle(page)
    assert 0 < wire.bytes <= LOGIN, wire.requests


@pytest.mark.parametrize("username", EVERYBODY)
@pytest.mark.parametrize("is_heavy", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_a_page_or_widget_keeps_its_budget(new_context, username, is_heavy, pytestconfig):
    context = new_context()
    start(context.new_page(), username)
    again = pytestconfig.option.thorough
    screens = WEIGHED[username, is_heavy]
    assert list(overweights(new_context, context.cookies(), screens, again=again)) == []


def test_an_unchanged_list_weighs_under_1_kb(new_context):
    page, wire = wired(new_context())
    sign_in(page, path="/inventory/main")
    settle(page)
    wire.reset()
    page.reload()
    settle(page)
    assert page.locator("#rows tr").count() >= 101
    pages = [url for url in wire.requests if url.endswith("/inventory/main")]
    assert len(pages) == 1
    assert wire.bytes <= UNCHANGED, wire.requests


def test_a_withdrawal_weighs_at_most_3_kb_and_the_next_100_rows_at_most_10(new_context):
    page, wire = wired(new_context())
    sign_in(page, path="/inventory/main")
    page.locator("a[aria-label^=Withdraw]").first.click()
    page.get_by_role("dialog").get_by_label("Team").fill("Kitchen")
    settle(page)
    wire.reset()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    page.locator("#live p").wait_for()
    assert 0 < wire.bytes <= ROW, wire.requests
    wire.reset()
    page.locator("#more").scroll_into_view_if_needed()
    page.locator("#rows tr").nth(150).wait_for()
    assert 0 < wire.bytes <= REPEAT, wire.requests
