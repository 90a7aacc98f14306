"""Accessibility in both colour schemes, touch targets, and layout on a phone and at a desk."""

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.conftest import sign_in, start
from tests.look.checks import (
    CONTRAST,
    LOW_CONTROLS,
    TOUCHED_TABLES,
    load_axe,
    scrolling_widths,
    violations,
)
from tests.look.data import DRIVER, WORST, the_worst_texts
from tests.look.screens import EVERYBODY, views
from tests.person import PASSWORD

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("the worst texts", the_worst_texts)


DESK = {"width": 1400, "height": 900}


@pytest.fixture
def schemes(pytestconfig):
    """The colour schemes of a phone's page; in a desk's window it is judged in the dark alone."""
    return ("light", "dark") if pytestconfig.option.thorough else ("light",)


def faults(page, width, schemes):
    """Return violations, widths that scroll sideways, and controls too low or too near."""
    if width == "desk":
        return violations(page, "dark") + scrolling_widths(page)
    found = violations(page, *schemes)
    found += page.evaluate(LOW_CONTROLS) + page.evaluate(TOUCHED_TABLES)
    before = page.viewport_size
    page.set_viewport_size(DESK)
    found += violations(page, "dark", rules=CONTRAST) + scrolling_widths(page)
    page.set_viewport_size(before)
    return found


def test_the_sign_in_passes_wcag_22_aa(new_context, width, schemes):
    page = new_context(width).new_page()
    load_axe(page)
    page.goto("/login")
    assert faults(page, width, schemes) == []


@pytest.mark.parametrize("username", EVERYBODY)
def test_every_state_passes_wcag_22_aa_and_fits_window_and_finger(
    new_context, width, schemes, username
):
    page = new_context(width).new_page()
    load_axe(page)
    start(page, username)
    found = {}
    for view in views(WORST, width):
        if view.screen.by == username:
            view.open(page)
            found[view.name] = faults(page, width, schemes)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_from_the_sign_in_a_withdrawal_and_its_undo_take_20_keys_and_what_is_typed(
    product, new_context
):
    name = "RED HEART HOLDER 007"
    page = new_context().new_page()
    pressed = []

    def press(key: str, until: Locator) -> None:
        for _ in range(20):
            page.keyboard.press(key)
            pressed.append(key)
            if key == "Enter" or until.evaluate("(it) => it === document.activeElement"):
                break
        expect(until).to_be_focused()

    page.goto("/login")
    # The browser focuses it with its first frame, which may follow the load.
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("keeper")
    press("Tab", page.get_by_label("Password", exact=True))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    pressed.append("Enter")
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    page.wait_for_load_state()
    press("Tab", page.get_by_role("link", name="Skip to content"))
    page.keyboard.press("Enter")
    pressed.append("Enter")
    press("Tab", page.locator("main").get_by_role("link", name="Withdraw", exact=True))
    search = page.locator("main").get_by_role("searchbox")
    press("Enter", search)
    page.keyboard.type("holder 007")
    item = page.get_by_role("rowheader").get_by_role("link", name=name)
    press("Enter", item)
    press("Enter", page.get_by_role("dialog").get_by_label("Quantity"))
    page.keyboard.type("2")
    press("Tab", page.get_by_role("dialog").get_by_label("Team"))
    page.keyboard.type("Kitchen")
    press("Enter", item)
    expect(page.locator("#live")).to_contain_text("withdrew 2")
    assert product.amount(name) == 5
    press("Tab", page.get_by_role("button", name="Undo"))
    press("Enter", item)
    expect(page.locator("#live")).to_contain_text("undone")
    expect(page.locator("#rows .amount")).to_have_text("7")
    expect(item).to_be_focused()
    assert product.amount(name) == 7
    assert len(pressed) <= 20, pressed


def test_the_menu_opens_on_a_phone(new_context):
    page = new_context("phone").new_page()
    sign_in(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Northern").click()
    expect(page.get_by_text("No items in this inventory.")).to_be_visible()


def test_the_menu_of_the_fleet_is_used_with_the_keyboard_and_without_scripts(new_context):
    page = new_context("desk", java_script_enabled=False).new_page()
    sign_in(page, DRIVER, "/vehicles")
    more = page.get_by_role("navigation", name="Screens").get_by_role("button", name="More")
    repairs = page.get_by_role("link", name="Repairs")
    expect(repairs).to_be_hidden()
    more.press("Enter")
    expect(repairs).to_be_visible()
    more.press("Escape")
    expect(repairs).to_be_hidden()
    more.press("Enter")
    for name in ("Vehicle Checks", "Off the road", "Repairs"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Repairs")).to_be_visible()
    line = "element => getComputedStyle(element).boxShadow"
    assert more.evaluate(line) != "none"
