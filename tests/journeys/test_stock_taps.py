"""How many taps the commonest work with stock takes on a phone, from the dashboard."""

from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from app import dates
from app.db import transaction
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.factories import MAIN
from tests.journeys.conftest import sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


class Thumb:
    """Counts the taps on a page; typing after a tap that focuses a field is none."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def search(self, text: str) -> None:
        """Search for an item, which is counted apart."""
        self.page.get_by_role("searchbox").tap()
        self.page.keyboard.type(text)
        expect(self.page.locator("#total")).to_have_text("1 match")


@pytest.fixture
def phone(product, new_context):
    with product.app.app_context():
        keeper = factories.user("keeper")
        factories.items([(f"MUG {n:03d}", 10) for n in range(120)])
        item = factories.read_item(MAIN, "MUG 001").id
        last_month = dates.today().replace(day=1) - timedelta(days=1)
        for team in ("Kitchen", "Kitchen", "Garden", "Garden"):
            with transaction():
                movements.withdraw(MAIN, [StockLine(item, 2)], team=team, on=last_month, by=keeper)
    page = new_context("phone").new_page()
    sign_in(page, path="/dashboard")
    return Thumb(page)


def test_a_withdrawal_takes_four_taps_and_the_search_and_the_next_one_three(product, phone):
    page = phone.page
    phone.tap(page.locator("main").get_by_role("link", name="Main").first)
    expect(page.locator("#rows")).to_be_visible()
    for name, most in (("MUG 077", 4), ("MUG 078", 3)):
        page.evaluate("scrollTo(0, 900)")
        phone.search(name)
        phone.tap(page.get_by_role("link", name=f"Withdraw {name}"))
        expect(page.get_by_label("Quantity")).to_be_focused()
        page.keyboard.type("3")
        phone.tap(page.get_by_role("dialog").get_by_role("button", name="Withdraw"))
        expect(page.locator("#live")).to_contain_text(f"{name}: withdrew 3, 7 left.")
        assert phone.taps <= most
        phone.taps = 0
    page.goto("/history?q=mug+078")
    expect(page.locator("#rows tr").first).to_contain_text("Garden")


def test_a_transfer_takes_five_taps_and_the_search(product, phone):
    page = phone.page
    phone.tap(page.locator("main").get_by_role("link", name="Main").first)
    phone.search("MUG 077")
    phone.tap(page.get_by_role("row").get_by_role("button", name="Actions"))
    phone.tap(page.get_by_role("link", name="Transfer"))
    expect(page.get_by_label("Quantity")).to_be_focused()
    page.keyboard.type("3")
    phone.tap(page.get_by_role("dialog").get_by_text("Guildford", exact=True))
    phone.tap(page.get_by_role("dialog").get_by_role("button", name="Transfer"))
    expect(page.locator("#live")).to_contain_text("MUG 077: transferred 3 to Guildford, 7 left.")
    expect(page.get_by_role("row").get_by_role("button", name="Actions")).to_be_focused()
    assert phone.taps <= 5


def test_what_a_team_took_last_month_takes_three_taps(product, phone):
    page = phone.page
    phone.tap(page.locator("main").get_by_role("link", name="History").first)
    phone.tap(page.get_by_role("link", name="Last month"))
    phone.tap(page.get_by_role("navigation", name="Teams").get_by_role("link", name="Kitchen"))
    expect(page.locator("#total")).to_contain_text("Units −4")
    expect(page.get_by_role("listitem").filter(has_text="Team Kitchen")).to_be_visible()
    assert phone.taps == 3
