"""A messy list of 300 assets is matched, mended, applied, taken back and applied again."""

from datetime import date

import pytest
from playwright.sync_api import Page, expect

from app.assets.queries.register import get_asset_by_id
from app.divisions import Division
from tests import factories
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

COLUMNS = {"Asset Tag": "id", "Name": "item", "Bought": "purchaseDate", "Price": "purchasePrice"}
WRONG = {40: "30/02/26;1,00", 80: "soon;1,00", 120: "03/02/26;much", 160: "03/02/26;-1,00"}


def messy() -> str:
    rows = (f"A-{n};Chair {n};{WRONG.get(n, '13/02/26;1.089,50')}" for n in range(1, 301))
    return "Asset Tag;Name;Bought;Price\n" + "\n".join(rows) + "\nTotal;;;326.850,00\n"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).last.click()


@pytest.mark.parametrize(("size", "has_script"), [("phone", False), ("desk", True)])
def test_a_messy_list_goes_in_goes_back_and_goes_in_again(new_context, product, size, has_script):
    with product.app.app_context():
        factories.user("steward", Division.ASSETS)
    page = new_context(size, java_script_enabled=has_script).new_page()
    sign_in(page, "steward", "/import/assets")
    file = {"name": "register.csv", "mimeType": "text/csv", "buffer": messy().encode("cp1252")}
    page.get_by_label("File", exact=True).set_input_files(file)
    press(page, "Read it")
    for name, ours in COLUMNS.items():
        page.get_by_label(f"{name} is", exact=True).select_option(ours)
    press(page, "Look at the rows")
    expect(
        page.get_by_text("Assets: 296 added, 0 changed, 0 unchanged, 4 refused.")
    ).to_be_visible()
    page.get_by_role("link", name="Refused 4").click()
    page.get_by_label("Purchase Date", exact=True).first.focus()
    for _ in range(3):
        page.keyboard.press("Tab")
        cell, bar = (page.locator(each).bounding_box() for each in ("input:focus", ".bar"))
        assert cell["y"] + cell["height"] <= bar["y"], "The bar hides the cell that has the focus."
    for label, right in (("Purchase Date", "12/02/26"), ("Purchase Price", "2,50")):
        for each in page.get_by_label(label, exact=True).all():
            each.fill(right)
    press(page, "Save what is mended")
    expect(page.get_by_text("Saved 4 changes.")).to_be_visible()
    press(page, "Apply 300 rows")
    expect(page.get_by_text("Imported register.csv: 300 added")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text("Undone: register.csv, 300 rows set back.")).to_be_visible()
    page.get_by_role("link", name="Look again").click()
    press(page, "Apply 300 rows")
    expect(page.get_by_text("Imported register.csv: 300 added")).to_be_visible()
    with product.app.app_context():
        mended = get_asset_by_id("A-80")
    assert (mended.purchase_date, mended.purchase_price) == (date(2026, 2, 12), 100)
