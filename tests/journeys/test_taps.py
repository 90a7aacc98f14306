"""How many taps the commonest tasks take on a phone, from the dashboard."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Locator, Page, expect

from app import dates
from app.assets.rules import AssetState
from app.db import transaction
from app.divisions import Division
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.factories import MAIN
from tests.journeys.conftest import start

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

WITHDRAW_RECENT_ITEM = 3
WITHDRAW_ANY_ITEM = 4  # and the search
WITHDRAW_NEXT_ITEM = 3  # and the search
TRANSFER = 5  # and the search
TEAM_LAST_MONTH = 3
WHO_HAS_A_KEY = 1  # and the key's code
MARK_DELIVERED = 2
CHECK_WITH_PHOTOS = 4  # and the picker
CHECK_ANOTHER_OF_THE_LAST_VANS = 4  # and the picker
CHECK_ANY_VAN = 5  # and the picker
BOOK_A_VAN_TOMORROW = 3
MOVE_MATCHING_ASSETS = 3  # and the search


class Thumb:
    """Taps on a page, and counts it; typing where the focus is, is no tap."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.first.tap()
        self.taps += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def search(self, text: str, found: str) -> None:
        """Search a list, which is counted apart, and wait for its total."""
        field = self.page.locator("main").get_by_role("searchbox")
        field.tap()
        field.fill(text)
        expect(self.page.locator("#total")).to_contain_text(found)

    def pick(self, files: list[FilePayload]) -> None:
        """Pick photos in the phone's own picker, which is counted apart."""
        self.page.locator("input[type=file]").first.set_input_files(files)

    @contextmanager
    def within(self, most: int) -> Iterator[None]:
        """Hold a task to at most so many taps."""
        self.taps = 0
        yield
        assert self.taps <= most, f"{self.taps} taps instead of {most}"


@pytest.fixture
def thumb(product, new_context):
    product.fill("what is tapped on", work_of_all_divisions)

    def thumb(username):
        page = new_context("phone").new_page()
        start(page, username)
        page.goto("/dashboard")
        return Thumb(page)

    return thumb


def work_of_all_divisions():
    keeper = factories.user("keeper")
    factories.items([(f"MUG {n:03d}", 10) for n in range(120)])
    item = factories.read_item(MAIN, "MUG 001").id
    last_month = dates.today().replace(day=1) - timedelta(days=1)
    for team in ("Kitchen", "Kitchen", "Garden", "Garden"):
        with transaction():
            movements.withdraw(MAIN, [StockLine(item, 2)], team=team, on=last_month, by=keeper)
    factories.user("trader", Division.GPM)
    factories.key("K-02", name="Boiler room", holder="Priya Raman")
    factories.key("K-03", name="Roof")
    factories.delivery("Red heart", ordered_on=dates.today() - timedelta(days=20))
    driver = factories.user("driver", Division.FLEET)
    factories.vehicle("LK19 VTE", make="Ford", model="Transit", odometer=48_210)
    van = {"classification": "Van", "odometer": 48_210}
    factories.vehicle("YD21 HMO", make="Vauxhall", model="Vivaro", **van)
    factories.vehicle("KN23 AWD", make="Ford", model="Custom", odometer=48_210)
    for plate in ("YD21 HMO", "LK19 VTE"):
        factories.check(plate, by=driver, items={"Name": "Jo Marsh"})
    factories.user("steward", Division.ASSETS)
    factories.assets([AssetState(f"Chair {n:02d}", location="Attic") for n in range(75)])
    factories.assets([AssetState(f"Desk {n:02d}", location="Attic") for n in range(30)])


def test_a_keeper_withdraws_transfers_and_looks_up_a_team(product, thumb):
    thumb = thumb("keeper")
    page, main = thumb.page, thumb.page.locator("main")
    dialog, live = page.get_by_role("dialog"), page.locator("#live")

    with thumb.within(WITHDRAW_RECENT_ITEM):
        thumb.tap(main.get_by_role("link", name="Withdraw MUG 001"))
        expect(dialog.get_by_label("Quantity")).to_be_focused()
        thumb.type("2")
        thumb.tap(dialog.get_by_role("button", name="Withdraw"))
        expect(live).to_contain_text("MUG 001: withdrew 2, 0 left.")

    page.goto("/dashboard")
    with thumb.within(WITHDRAW_ANY_ITEM):
        thumb.tap(main.get_by_role("link", name="Withdraw", exact=True))
        withdraw_found(thumb, "MUG 077")
    page.evaluate("() => scrollTo(0, 900)")
    with thumb.within(WITHDRAW_NEXT_ITEM):
        withdraw_found(thumb, "MUG 078")

    page.goto("/dashboard")
    with thumb.within(TRANSFER):
        thumb.tap(main.get_by_role("link", name="Main"))
        thumb.search("MUG 079", "1 match")
        thumb.tap(page.get_by_role("row", name="MUG 079").get_by_role("button", name="Actions"))
        thumb.tap(page.get_by_role("link", name="Transfer"))
        expect(dialog.get_by_label("Quantity")).to_be_focused()
        thumb.type("3")
        thumb.tap(dialog.get_by_text("Guildford", exact=True))
        thumb.tap(dialog.get_by_role("button", name="Transfer"))
        expect(live).to_contain_text("MUG 079: transferred 3 to Guildford, 7 left.")

    page.goto("/dashboard")
    with thumb.within(TEAM_LAST_MONTH):
        thumb.tap(main.get_by_role("link", name="History"))
        thumb.tap(page.get_by_role("link", name="Last month"))
        thumb.tap(page.get_by_role("navigation", name="Teams").get_by_role("link", name="Kitchen"))
        expect(page.locator("#total")).to_contain_text("Units −4")


def withdraw_found(thumb, name):
    """Search for an item and withdraw 3 of it."""
    page = thumb.page
    thumb.search(name, "1 match")
    thumb.tap(page.get_by_role("link", name=f"Withdraw {name}"))
    expect(page.get_by_role("dialog").get_by_label("Quantity")).to_be_focused()
    thumb.type("3")
    thumb.tap(page.get_by_role("dialog").get_by_role("button", name="Withdraw"))
    expect(page.locator("#live")).to_contain_text(f"{name}: withdrew 3, 7 left.")


def test_a_trader_finds_a_keys_holder_and_marks_a_delivery(thumb):
    thumb = thumb("trader")
    page, main = thumb.page, thumb.page.locator("main")

    with thumb.within(WHO_HAS_A_KEY):
        thumb.tap(main.get_by_role("link", name="Keys"))
        expect(page.locator("main").get_by_role("searchbox")).to_be_focused()
        thumb.search("K-02", "1 match")
        expect(page.get_by_role("row").filter(has_text="K-02")).to_contain_text("Priya Raman")

    page.goto("/dashboard")
    with thumb.within(MARK_DELIVERED):
        thumb.tap(main.get_by_role("link", name=re.compile("^Mark Delivered")))
        thumb.tap(page.get_by_role("dialog").get_by_role("button", name="Confirm"))
        expect(page.locator("#live")).to_contain_text(" added: ")


def test_a_driver_submits_checks_with_three_photos(thumb):
    thumb = thumb("driver")
    page = thumb.page
    mileage, plate = page.get_by_label("Mileage"), page.get_by_label("Number plate")

    def start():
        page.goto("/dashboard")
        thumb.tap(page.locator("main").get_by_role("link", name="Check", exact=True))
        expect(mileage).to_be_visible()

    def finish():
        expect(mileage).to_be_focused()
        thumb.type("48300")
        thumb.tap(page.get_by_text("Add photos"))
        thumb.pick([small_photo(colour) for colour in ("red", "green", "blue")])
        thumb.tap(page.get_by_role("button", name="Submit Check"))
        expect(page.get_by_text("Vehicle check submitted.")).to_be_visible()

    with thumb.within(CHECK_WITH_PHOTOS):
        start()
        expect(plate).to_have_value("LK19 VTE")
        thumb.tap(mileage)
        finish()

    with thumb.within(CHECK_ANOTHER_OF_THE_LAST_VANS):
        start()
        thumb.tap(page.get_by_role("button", name="YD21 HMO"))
        expect(plate).to_have_value("YD21 HMO")
        finish()

    page.goto("/dashboard")
    with thumb.within(BOOK_A_VAN_TOMORROW):
        thumb.tap(page.get_by_role("link", name="Book", exact=True))
        thumb.tap(page.get_by_text("Any Van"))
        thumb.tap(page.locator("footer").get_by_role("button", name="Book"))
        expect(page.get_by_text("Booked a van (B-0001)")).to_be_visible()

    page.goto("/dashboard")
    with thumb.within(CHECK_ANY_VAN):
        start()
        thumb.tap(plate)
        thumb.tap(page.get_by_role("option", name="KN23 AWD"))
        finish()


def small_photo(colour):
    file = io.BytesIO()
    Image.new("RGB", (80, 60), colour).save(file, "JPEG")
    return {"name": f"{colour}.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}


def test_a_steward_moves_all_assets_that_match(thumb):
    thumb = thumb("steward")
    page, main = thumb.page, thumb.page.locator("main")
    dialog = page.get_by_role("dialog")

    with thumb.within(MOVE_MATCHING_ASSETS):
        thumb.tap(main.get_by_role("link", name="Move", exact=True))
        thumb.search("chair", "75 assets")
        thumb.tap(page.get_by_role("link", name="Move all 75"))
        expect(dialog.get_by_label("Destination")).to_be_focused()
        thumb.type("Workshop")
        thumb.tap(dialog.get_by_role("button", name="Move", exact=True))
        expect(page.locator("#live")).to_contain_text("75 assets moved to Workshop.")
