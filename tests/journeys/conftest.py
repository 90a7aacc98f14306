"""The running product and a real Chromium."""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest
from click.testing import Result
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from sqlalchemy import text

from app import create_app
from app.db import db
from tests import factories
from tests.chaos.line import Line, line_to
from tests.databases import Copies, settings_for
from tests.journeys.phones import Phone, Phones
from tests.person import PASSWORD, Person
from tests.profiles import ARGUMENTS, chromium
from tests.serving import serving

HOST = "127.0.0.1"
WEEK = 7 * 24 * 60 * 60
WIDTHS = {"phone": (360, 740), "desk": (1400, 900)}

PHONE = pytest.mark.parametrize("width", ["phone"], indirect=True)
"""For a journey that is the same at every width: it runs at one width only."""
DESK = pytest.mark.parametrize("width", ["desk"], indirect=True)

expect.set_options(timeout=15_000)

_renewals = itertools.count(1)


@dataclass
class Product:
    """A served product; `app` reads the same database."""

    url: str
    app: Flask
    database: str
    copies: Copies
    kept: dict[str, str] = field(default_factory=dict)

    def fill(self, name: str, fill: Callable[[], object]) -> None:
        """Fill the empty database by calling `fill`, or with a copy of its first result."""
        if name in self.kept:
            self.renew(self.kept[name])
            return
        with self.app.app_context():
            fill()
        self.kept[name] = self.copies.keep(self.database)

    def renew(self, like: str | None = None) -> None:
        """Empty the database, or make it a copy of another, under versions of its own.

        The server goes on meanwhile, and keeps what it has rendered of each version.
        """
        self.copies.renew(self.database, like)
        more = {"more": next(_renewals) * 100_000}
        with self.app.app_context(), db.engine.begin() as connection:
            for table in ("stock_site", "data_version"):
                connection.execute(text(f"UPDATE {table} SET version = version + :more"), more)

    def flask(self, *arguments: str) -> Result:
        """Run a flask command on its database."""
        return self.app.test_cli_runner().invoke(args=arguments)

    def amount(self, name: str) -> int:
        with self.app.app_context():
            return factories.amount(name)


@contextmanager
def running(copies: Copies, folder: Path) -> Iterator[Callable[[], Product]]:
    """Serve one product for many tests; yield a function that empties its database."""
    url = copies.fresh()
    app = create_app(settings_for(url, folder))
    with serving(url, folder) as port:
        product = Product(f"http://{HOST}:{port}", app, url, copies)

        def emptied() -> Product:
            product.renew()
            return product

        yield emptied
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="session")
def on_sqlite(
    sqlite: Copies, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Product]]:
    with running(sqlite, tmp_path_factory.mktemp("on_sqlite")) as emptied:
        yield emptied


@pytest.fixture(scope="session")
def on_postgresql(
    postgresql: Copies, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Product]]:
    with running(postgresql, tmp_path_factory.mktemp("on_postgresql")) as emptied:
        yield emptied


@pytest.fixture
def product(request: pytest.FixtureRequest) -> Product:
    """`flask serve` on an empty database, as an installation runs it."""
    return request.getfixturevalue(f"on_{request.param}")()


@contextmanager
def launched() -> Iterator[Browser]:
    """Run Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as started:
        yield started


_products: WeakKeyDictionary[BrowserContext, Product] = WeakKeyDictionary()
"""The product that each browser profile visits."""


def open_profile(
    browser: Browser, product: Product, width: str, **options: object
) -> BrowserContext:
    """Open a new browser profile of a width, with Playwright's options.

    It installs no service worker unless they allow it, so that pages load what they need alone.
    """
    x, y = WIDTHS[width]
    phone = width == "phone"
    context = browser.new_context(
        viewport={"width": x, "height": y},
        has_touch=phone,
        is_mobile=phone,
        **{"base_url": product.url, "service_workers": "block"} | options,
    )
    _products[context] = product
    return context


@pytest.fixture(params=["phone", pytest.param("desk", marks=pytest.mark.thorough)])
def width(request: pytest.FixtureRequest) -> str:
    """The window: a phone's, and in `make test-all` a desk's as well."""
    return request.param


@pytest.fixture
def new_context(browser: Browser, product: Product) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that opens a new browser profile of a width, with Playwright's options."""
    opened = []

    def new_context(width: str = "desk", **options: object) -> BrowserContext:
        opened.append(open_profile(browser, product, width, **options))
        return opened[-1]

    yield new_context
    for context in opened:
        context.close()


@pytest.fixture
def line(product: Product) -> Iterator[Line]:
    """A line to the product, for a browser profile whose `base_url` is the line's address."""
    with line_to(int(product.url.rpartition(":")[2])) as line:
        yield line


@pytest.fixture(scope="session")
def phones(
    browser: Browser,
    on_sqlite: Callable[[], Product],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Phones]:
    """Phones with lines of their own, which a test cuts."""
    folder = tmp_path_factory.mktemp("phones")
    with Phones(browser.browser_type, on_sqlite(), folder, add_session).connected() as connected:
        yield connected


@pytest.fixture
def phone(phones: Phones, product: Product) -> Iterator[Phone]:
    """A phone on which k.lee of GPM has signed in before, so that it works without a connection."""
    with phones.phone(product) as started:
        yield started


def sign_in(page: Page, username: str = "keeper", path: str = "/login") -> None:
    """Sign in without the form, which takes a second, and open a page."""
    add_session(page.context, _products[page.context], username)
    page.goto(path)
    _wait_for_scripts(page)


def add_session(context: BrowserContext, product: Product, username: str) -> None:
    """Give a browser profile a new session, as it has it after the form."""
    person = Person(product.app)
    person.sign_in(username, follow=False)
    session = person.client.get_cookie("session")
    assert session is not None, username
    # A served product is one of production, whose cookie has a name of its own.
    cookie = {"name": "__Host-session", "value": session.value, "secure": True, "httpOnly": True}
    # Without an end it would be lost with the browser's process.
    cookie["expires"] = time.time() + WEEK
    context.add_cookies([cookie | {"domain": HOST, "path": "/", "sameSite": "Lax"}])


def sign_in_by_form(page: Page, username: str = "keeper", path: str = "/login") -> None:
    """Sign in as people do, on a page that leads to the form."""
    page.goto(path)
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    _wait_for_scripts(page)


def _wait_for_scripts(page: Page) -> None:
    expect(page.locator("header.top")).to_be_visible()
    # Before its scripts have loaded, a link opens a page instead of a dialog.
    page.wait_for_load_state()


def sign_out(page: Page) -> None:
    """Press Logout, which a phone has in its menu."""
    logout = page.get_by_role("button", name="Logout")
    if not logout.is_visible():
        page.get_by_role("button", name="Menu").click()
    logout.click()


def start(page: Page, username: str) -> None:
    """Sign in, and choose a division if signing in doesn't."""
    sign_in(page, username)
    # Signing in never chooses Assets automatically (docs/domain.md, Access and divisions).
    if username == "steward":
        choose(page, "Assets")


def choose(page: Page, division: str) -> None:
    """Choose a division and wait for the next page."""
    page.get_by_role("button", name=division, exact=True).click()
    page.wait_for_url(lambda url: "/choose" not in url)


def notice_the_line(page: Page) -> None:
    """Tell a page that the line is back, as a phone does; pages also test it every few seconds."""
    page.evaluate("() => dispatchEvent(new Event('online'))")
