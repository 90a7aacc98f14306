"""Phones on a bad line: what their people do reaches the books once, whatever gets lost."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.chaos.books import Books, Submission
from tests.chaos.http import USERNAME
from tests.chaos.line import Line, State, line_to
from tests.chaos.load import ITEMS, generator
from tests.chaos.proxy import FaultyProxy, faulty_proxy
from tests.chaos.trials import Trial
from tests.journeys.phones import fill_move, open_move
from tests.person import PASSWORD
from tests.profiles import Profile

OPERATIONS = 500
PHONES = 4
LIST = "/inventory/main"
KEPT = "Kept on this phone"
ACTIONS = {"Withdrawal": -1, "Delivery": 1}
MOVED = ITEMS[:10]
"""The items that are moved: those of which a long list shows the rows at once."""

PATIENCE = 20_000
"""For how many ms somebody looks at a page before they load it again."""

CUT, RESTORED, KILLED = 0.05, 0.3, 0.01
"""How often a line is cut before an operation, a cut one restored, and a browser killed."""

MAX_LOADS = 20
SECONDS_TO_EMPTY = 120


def use_phones(trial: Trial) -> None:
    """Move stock 500 times from 4 phones whose lines drop, cut and double requests."""
    each = max(1, trial.times(OPERATIONS) // PHONES)
    with (
        trial.serving() as server,
        faulty_proxy(server.port, generator(trial.rng.getrandbits(32))) as proxy,
        ThreadPoolExecutor(PHONES) as pool,
    ):
        proxy.is_faulty = False
        crew = Crew(proxy, trial.books, each)
        jobs = [(trial.rng.getrandbits(32), trial.folder / f"phone {n}") for n in range(PHONES)]
        for job in [pool.submit(crew.work, *job) for job in jobs]:
            job.result()
    trial.counts |= {"operations": each * PHONES, **proxy.counts}
    trial.compare()


class Crew:
    """People with phones; each works in a thread of its own, and all begin and end together."""

    def __init__(self, proxy: FaultyProxy, books: Books, operations: int) -> None:
        self._proxy = proxy
        self._books = books
        self._operations = operations
        self._begin = threading.Barrier(PHONES, lambda: setattr(proxy, "is_faulty", True))
        self._end = threading.Barrier(PHONES, lambda: setattr(proxy, "is_faulty", False))

    def work(self, start: int, folder: Path) -> None:
        """Work on one phone until all that it has kept is sent."""
        try:
            with _phone(folder, self._proxy, self._books, generator(start)) as phone:
                phone.sign_in()
                self._begin.wait()
                for number in range(self._operations):
                    phone.have_bad_luck()
                    phone.move(f"chaos {start:x} {number}")
                self._end.wait()
                phone.send_everything()
        except BaseException:
            # The others must not wait for this one.
            self._begin.abort()
            self._end.abort()
            raise


@contextmanager
def _phone(folder: Path, proxy: FaultyProxy, books: Books, rng: Random) -> Iterator["Phone"]:
    with sync_playwright() as playwright, line_to(proxy.server_address[1]) as line:
        profile = Profile(playwright.chromium, folder, line.url)
        try:
            yield Phone(profile, line, books, rng)
        finally:
            profile.close()


@dataclass
class Phone:
    """A phone whose person moves stock."""

    profile: Profile
    line: Line
    books: Books
    rng: Random
    is_cut: bool = False

    @property
    def page(self) -> Page:
        page = self.profile.page
        page.set_default_timeout(PATIENCE)
        return page

    def sign_in(self) -> None:
        """Sign in over a good line, and have the list kept."""
        page = self.page
        page.goto("/login")
        page.get_by_label("Username").fill(USERNAME)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="GFM", exact=True).click()
        page.wait_for_url(lambda url: "/login" not in url and "/choose" not in url)
        page.goto(LIST)
        self.profile.wait_until_ready("stock:gfm/main")
        # A browser writes cookies to its disk now and then, and when it ends.
        self.profile.close()
        self.profile.start()

    def have_bad_luck(self) -> None:
        """Cut the line or restore it, or kill the browser, now and then."""
        luck = self.rng.random()
        if self.is_cut and luck < RESTORED:
            self.line.become(State.GOOD)
            self.is_cut = False
        elif not self.is_cut and luck < CUT:
            self.books.count("cuts")
            self.line.become(State.CUT)
            self.is_cut = True
        if self.rng.random() < KILLED:
            self.books.count("kills")
            self.profile.restart()

    def move(self, mark: str) -> None:
        """Deliver or withdraw with a team of its own, and note it once its dialog has closed."""
        name, quantity = self.rng.choice(MOVED), self.rng.randint(1, 5)
        action = self.rng.choice(list(ACTIONS))
        changes = {("main", name): ACTIONS[action] * quantity}
        self.books.submit(Submission(mark, LIST, b"", changes))
        for _ in range(MAX_LOADS):
            if dialog := self._open(name):
                break
            self.books.count("pages loaded again")
        else:
            self.books.fault(f"{mark}: the list did not open")
            return
        with suppress(PlaywrightError, AssertionError):
            self.page.evaluate("() => { window.isSamePage = true; }")
            fill_move(self.page, quantity, mark, action)
            expect(dialog).to_have_count(0)
            if self.page.evaluate("() => window.isSamePage === true"):
                is_kept = self.page.locator("#live").get_by_text(KEPT).is_visible()
                self.books.count("kept first" if is_kept else "booked at once")
                self.books.acknowledge(mark, 0)
                return
        # The page was replaced before it took the dialog, or in the same moment.
        self.books.count("not known")

    def _open(self, name: str) -> Locator | None:
        """Open an item's dialog in the list; None if something on the way to it got lost."""
        with suppress(PlaywrightError, AssertionError):
            self.page.goto(LIST)
            dialog = open_move(self.page, name)
            dialog.get_by_label("Quantity").wait_for()
            return dialog
        return None

    def send_everything(self) -> None:
        """Restore the line, and wait until nothing waits any more."""
        self.line.become(State.GOOD)
        self.page.goto("/outbox")
        nothing = self.page.get_by_text("Nothing waits here.")
        all_now = self.page.get_by_role("button", name="Send all now")
        expect(nothing.or_(all_now)).to_be_visible()
        if all_now.is_visible():
            all_now.tap()
        expect(nothing).to_be_visible(timeout=SECONDS_TO_EMPTY * 1000)
