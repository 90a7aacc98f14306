"""History in a real browser, on a phone and on a desk."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

AT = datetime(2011, 12, 9, 12, 50, tzinfo=UTC)


@pytest.fixture(autouse=True)
def past(product):
    with product.app.app_context():
        factories.user("keeper")
        factories.item("RED HANGING HEART T-LIGHT HOLDER", 10)
        factories.add_history(
            *(
                PastEntry(
                    AT - timedelta(hours=n),
                    HistoryEvent.DELIVERY if n % 3 == 0 else HistoryEvent.WITHDRAWAL,
                    "RED HANGING HEART T-LIGHT HOLDER" if n % 2 else f"Mug {n}",
                    n + 1,
                    "Germany",
                    "Withdrawal to guildford" if n % 3 else "",
                    250,
                    site="guildford" if n % 2 else "main",
                )
                for n in range(120)
            )
        )


@pytest.fixture
def page(new_context, width) -> Page:
    page = new_context(width).new_page()
    sign_in(page, path="/history")
    return page


def choose(page: Page, width: str, name: str, value: str) -> None:
    if width == "phone":
        page.get_by_role("button", name="Filters").click()
    page.get_by_label(name, exact=True).select_option(value)
    if width == "phone":
        page.get_by_role("button", name="Done").click()


def is_within(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_filters_work_as_one_types_and_the_pages_keep_them(page, width):
    pager = page.locator(".pager p")
    expect(pager).to_have_text("Page 1 / 5 · Showing 25 of 121")
    page.get_by_label("Search history").fill("heart 2011-12")
    expect(pager).to_have_text("Page 1 / 3 · Showing 25 of 60")
    choose(page, width, "Event", "Withdrawal")
    expect(pager).to_have_text("Page 1 / 2 · Showing 25 of 40")
    page.get_by_role("link", name="Next").click()
    expect(pager).to_have_text("Page 2 / 2 · Showing 15 of 40")
    page.go_back()
    expect(pager).to_have_text("Page 1 / 2 · Showing 25 of 40")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("link", name="Prev")).to_be_visible()
    export = page.get_by_role("link", name="Export CSV").get_attribute("href")
    assert "event=Withdrawal" in export
    assert "page" not in export
    assert is_within(page)
    page.reload()
    expect(pager).to_have_text("Page 2 / 2 · Showing 15 of 40")
    page.get_by_role("link", name="Reset").click()
    expect(pager).to_have_text("Page 1 / 5 · Showing 25 of 121")


def test_filters_that_are_set_come_off_by_a_tap(page, width):
    chips = page.get_by_role("list", name="Filters set").get_by_role("listitem")
    expect(chips).to_have_count(0)
    page.get_by_label("Search history").fill("heart")
    expect(chips).to_have_text(["“heart”"])
    choose(page, width, "Event", "Withdrawal")
    expect(chips).to_have_text(["“heart”", "Withdrawal"])
    page.get_by_role("link", name="Take off: “heart”").click()
    expect(chips).to_have_text(["Withdrawal"])
    expect(page.get_by_label("Search history")).to_have_value("")
    assert is_within(page)
