"""An item falls below its minimum, is reordered, comes in two parts, and is counted."""

import pytest
from playwright.sync_api import Page, expect

from app import dates
from app.divisions import Division, Site, Store
from app.stock.rules.items import EntryKind
from app.stock.rules.operations import Decrease
from tests import factories
from tests.factories import MAIN
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LEVELS = "item,minimum,target,pack,supplier\nGLASS CLOCHE,12,24,1,Hearth & Home Ltd\n"


@pytest.fixture(autouse=True)
def shelf(product):
    with product.app.app_context():
        factories.user("boss", Division.GFM)
        factories.item("GLASS CLOCHE", 14)
        factories.items([("GLASS CLOCHE", 6)], store=Store(Division.GFM, Site.NORTHERN))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).last.click()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_what_falls_below_its_minimum_is_reordered_and_comes_in_two_parts(
    new_context, product, width, has_script
):
    page = new_context(width, java_script_enabled=has_script).new_page()
    sign_in(page, "boss", "/import/gfm-main-levels")
    file = {"name": "levels.csv", "mimeType": "text/csv", "buffer": LEVELS.encode()}
    page.get_by_label("File").set_input_files(file)
    press(page, "Read it")
    press(page, "Look at the rows")
    press(page, "Apply 1 row")
    expect(page.get_by_text("Imported levels.csv: 0 added, 1 changed")).to_be_visible()

    page.goto("/inventory/main/items/1/action?mode=dec")
    page.get_by_label("Quantity").fill("10")
    page.get_by_label("Team", exact=True).last.fill("Kitchen")
    page.locator("main, dialog").locator(".btn.primary").last.click()
    expect(page.get_by_text("withdrew 10, 4 left")).to_be_visible()
    page.goto("/inventory/main?level=low")
    expect(page.locator("#rows .badge")).to_have_text("Low")
    page.goto("/dashboard")
    page.get_by_role("link", name="Reorder", exact=True).last.click()

    expect(page.get_by_text("Northern has 6 more than it needs.")).to_be_visible()
    press(page, "Create 1 delivery and 1 transfer")
    expect(page.get_by_text("Created 1 delivery and 1 transfer.")).to_be_visible()
    expect(page.get_by_text("On its way")).to_be_visible()

    page.goto("/gfm/deliveries")
    page.get_by_role("link", name="Mark Delivered").first.click()
    page.get_by_text("Only part came").click()
    page.get_by_label("Amount that came").fill("5")
    press(page, "Confirm")
    expect(page.get_by_text("5 × GLASS CLOCHE added: 15 in stock.")).to_be_visible()
    page.goto("/gfm/deliveries")
    page.get_by_role("link", name="Mark Delivered").first.click()
    press(page, "Confirm")
    expect(page.get_by_text("9 × GLASS CLOCHE added: 24 in stock.")).to_be_visible()
    page.goto("/stock/gfm/reorder")
    expect(page.get_by_text("Nothing to reorder at Main.")).to_be_visible()

    with product.app.app_context():
        factories.record(MAIN, Decrease(1, 2, EntryKind.COUNT), by=1, on=dates.today())
    page.goto("/stock/gfm/insight/counts")
    expect(page.get_by_text("2 units of shrinkage")).to_be_visible()
