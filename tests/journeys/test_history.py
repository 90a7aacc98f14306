"""History in a real browser, on a phone and on a desk."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = [
    pytest.mark.journey,
    pytest.mark.parametrize("product", ["sqlite"], indirect=True),
]

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


def opened(new_context, width: str, path: str = "/history", **options: object) -> Page:
    page = new_context(width, **options).new_page()
    sign_in(page, path=path)
    return page


def choose(page: Page, width: str, name: str, value: str) -> None:
    if width == "phone":
        page.get_by_role("button", name="Filters").click()
    page.get_by_label(name, exact=True).select_option(value)
    if width == "phone":
        page.get_by_role("button", name="Done").click()


def is_within(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_filters_work_as_one_types_and_the_pages_keep_them(new_context, width):
    page = opened(new_context, width)
    pager = page.locator(".pager p")
    expect(pager).to_have_text("Page 1 / 5 · Showing 25 of 121")
    page.get_by_label("Search history").fill("heart 2011-12")
    expect(pager).to_have_text("Page 1 / 3 · Showing 25 of 60")
    choose(page, width, "Event", "Withdrawal")
    expect(pager).to_have_text("Page 1 / 2 · Showing 25 of 40")
    page.get_by_role("link", name="Next").click()
    expect(pager).to_have_text("Page 2 / 2 · Showing 15 of 40")
    expect(page.get_by_role("link", name="Prev")).to_be_visible()
    export = page.get_by_role("link", name="Export CSV").get_attribute("href")
    assert "event=Withdrawal" in export
    assert "page" not in export
    assert is_within(page)
    page.reload()
    expect(pager).to_have_text("Page 2 / 2 · Showing 15 of 40")
    page.get_by_role("link", name="Reset").click()
    expect(pager).to_have_text("Page 1 / 5 · Showing 25 of 121")


@PHONE
def test_a_row_leads_to_its_item_and_back_leads_to_the_list_as_it_was(new_context, width):
    page = opened(new_context, width, "/history?q=heart&site=guildford")
    page.get_by_role("link", name="RED HANGING HEART T-LIGHT HOLDER").first.click()
    expect(page.get_by_text("No longer in stock")).to_be_visible()
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_label("Search history")).to_have_value("heart")


@DESK
def test_it_all_works_without_scripts(new_context, width):
    page = opened(new_context, width, java_script_enabled=False)
    page.get_by_label("Search history").fill("mug")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".pager p")).to_have_text("Page 1 / 3 · Showing 25 of 60")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pager p")).to_have_text("Page 2 / 3 · Showing 25 of 60")
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_text("No matching history.")).to_be_visible()
    assert is_within(page)


def test_an_export_is_downloaded_under_its_name(new_context):
    page = opened(new_context, "desk", "/history?q=mug")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    assert download.value.suggested_filename.startswith("history_export_20")
    assert len(Path(download.value.path()).read_text().splitlines()) == 61


def test_filters_that_are_set_come_off_by_a_tap(new_context, width):
    page = opened(new_context, width)
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


def test_a_week_is_opened_with_the_keyboard(new_context, width):
    page = opened(new_context, width, "/history?to=2011-12-09")
    page.get_by_text("By week", exact=True).press("Enter")
    week = page.get_by_role("link", name="5 Dec 2011 to 9 Dec 2011: ")
    expect(week).to_be_visible()
    assert is_within(page)
    week.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="5 Dec 2011 to 9 Dec 2011")).to_be_visible()
