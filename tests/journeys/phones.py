"""A phone whose line a test cuts: its browser, its line, and what its person does on it."""

import itertools
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import BrowserContext, BrowserType, Locator, Page, expect

from app import dates
from app.bookings.rules import TimeSpan
from app.divisions import Division
from tests import factories
from tests.bookings.steps import book
from tests.chaos.line import Line, State, line_to
from tests.chaos.proxy import PlannedProxy, passing
from tests.factories import GPM
from tests.profiles import Profile

if TYPE_CHECKING:
    from tests.journeys.conftest import Product

STOCK, COUNT = "/gpm/inventory/main", "/gpm/inventory/main/count"
CHECK, OUTBOX = "/fleetChecks", "/outbox"
KEPT = "Kept on this phone. It counts once it is sent."
VERBS = {"Withdrawal": "Withdraw", "Delivery": "Deliver", "Transfer": "Transfer"}
ITEMS = [f"ITEM {n:03d}" for n in range(40)]
PERSON = "k.lee"


@dataclass
class Phone:
    """A browser profile on disk, and the line between it and the product."""

    profile: Profile
    line: Line
    proxy: PlannedProxy
    product: "Product"

    @property
    def page(self) -> Page:
        return self.profile.page

    def cut(self) -> None:
        self.line.become(State.CUT)

    def restore(self) -> None:
        self.line.become(State.GOOD)

    def open(self, path: str) -> Page:
        """Open a page, from the server or from what is kept."""
        # A touch, as on a link, keeps a page whose line is back from loading itself meanwhile.
        self.page.locator("body").dispatch_event("pointerdown")
        self.page.goto(path, wait_until="load")
        return self.page

    def expect_unsent(self, number: int) -> None:
        """Expect the link of each page that counts what isn't sent."""
        link = self.page.get_by_role("banner").get_by_role("link", name="not sent yet")
        expect(link).to_contain_text(f"{number} not sent yet")

    def expect_all_sent(self) -> None:
        """Expect the page of what isn't sent to be empty, without loading it again."""
        if not self.page.url.endswith(OUTBOX):
            self.open(OUTBOX)
        expect(self.page.get_by_text("Nothing waits here.")).to_be_visible()


class Phones:
    """Phones of one origin; each begins as a copy of one on which k.lee has signed in.

    To install the service worker and to read what it shows takes seconds: so it is done once.
    """

    def __init__(
        self,
        browser_type: BrowserType,
        product: "Product",
        folder: Path,
        add_session: Callable[[BrowserContext, "Product", str], None],
    ) -> None:
        self._browser_type = browser_type
        self._product = product
        self._folder = folder
        self._add_session = add_session
        self._numbers = itertools.count()

    @contextmanager
    def connected(self) -> Iterator["Phones"]:
        """Keep the line and its port during the block."""
        self.proxy = PlannedProxy(int(self._product.url.rpartition(":")[2]))
        with passing(self.proxy), line_to(self.proxy.server_address[1]) as self.line:
            yield self

    @contextmanager
    def phone(self, product: "Product") -> Iterator[Phone]:
        """Start a phone on the data that all begin with."""
        template = self._folder / "template"
        product.fill("phones", lambda: self._prepare(template))
        folder = self._folder / f"phone {next(self._numbers)}"
        shutil.copytree(template, folder)
        with self._started(folder) as profile:
            yield Phone(profile, self.line, self.proxy, product)

    @contextmanager
    def another(self, phone: Phone) -> Iterator[Phone]:
        """Start another phone, new and without anybody on it, on the data of the first."""
        folder = self._folder / f"phone {next(self._numbers)}"
        with self._started(folder) as profile:
            yield Phone(profile, self.line, self.proxy, phone.product)

    @contextmanager
    def _started(self, folder: Path) -> Iterator[Profile]:
        self.line.become(State.GOOD)
        self.proxy.reset()
        profile = Profile(self._browser_type, folder, self.line.url)
        try:
            yield profile
        finally:
            profile.close()

    def _prepare(self, template: Path) -> None:
        person = factories.user(PERSON, Division.GPM)
        factories.items([(name, 10) for name in ITEMS], store=GPM)
        factories.vehicle("LK19 VTE", make="Ford", model="Transit", odometer=48_210)
        begins = dates.utc_now().replace(second=0, microsecond=0) - timedelta(days=1)
        # From yesterday until tomorrow, for tests of either day.
        book(TimeSpan(begins, begins + timedelta(days=2)), now=begins, by=person)
        with self._started(template) as profile:
            self._add_session(profile.context, self._product, PERSON)
            profile.page.goto(STOCK)
            profile.wait_until_ready("stock:gpm/main", "check-form:gpm")


def open_move(page: Page, name: str) -> Locator:
    """Open an item's dialog in the list that is open, with a connection or without."""
    page.get_by_label(f"Withdraw {name}", exact=True).tap()
    return page.get_by_role("dialog")


def fill_move(page: Page, quantity: int, team: str = "Kitchen", action: str = "Withdrawal") -> None:
    """Fill in the dialog that is open, and save it."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(action, exact=True).tap()
    dialog.get_by_label("Quantity").fill(str(quantity))
    dialog.get_by_label("Another team").or_(dialog.get_by_label("Team", exact=True)).fill(team)
    save_move(page, action)


def save_move(page: Page, action: str = "Withdrawal") -> None:
    """Save the dialog that is open."""
    page.get_by_role("dialog").get_by_role("button", name=VERBS[action]).tap()


def move(
    page: Page, name: str, quantity: int, team: str = "Kitchen", action: str = "Withdrawal"
) -> None:
    """Withdraw or deliver in the list that is open, with a connection or without."""
    dialog = open_move(page, name)
    fill_move(page, quantity, team, action)
    expect(dialog).to_have_count(0)


def count(page: Page, *names: str, counted: int) -> None:
    """Count items in the stock check that is open, and apply it."""
    for name in names:
        page.get_by_label(f"Counted {name}", exact=True).fill(str(counted))
    apply_count(page)


def apply_count(page: Page) -> None:
    """Apply the count, and confirm it."""
    page.get_by_role("button", name="Apply", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Apply").click()


def eventually(is_true: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until something is true that no page shows."""
    ends = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < ends, "it didn't happen in time"
        threading.Event().wait(0.05)
