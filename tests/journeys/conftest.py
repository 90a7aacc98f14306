"""The running product and a real Chromium."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from app import create_app
from app.db import db
from tests import factories
from tests.databases import Copies, settings_for
from tests.journeys.serving import serving
from tests.person import PASSWORD

WIDTHS = {"phone": (360, 740), "desk": (1400, 900)}

PHONE = pytest.mark.parametrize("width", ["phone"], indirect=True)
"""For a journey that is the same at every width; it is made at either."""
DESK = pytest.mark.parametrize("width", ["desk"], indirect=True)

expect.set_options(timeout=15_000)


@dataclass
class Product:
    """A served product; `app` reads the same database."""

    url: str
    app: Flask
    database: str
    copies: Copies
    kept: dict[str, str] = field(default_factory=dict)

    def fill(self, name: str, fill: Callable[[], object]) -> None:
        """Fill its empty database, from the second time on with a copy of what `fill` made."""
        if name in self.kept:
            self.copies.renew(self.database, self.kept[name])
            return
        with self.app.app_context():
            fill()
        self.kept[name] = self.copies.keep(self.database)

    def flask(self, *arguments: str) -> Result:
        """Run a flask command on its database."""
        return self.app.test_cli_runner().invoke(args=arguments)

    def amount(self, name: str) -> int:
        with self.app.app_context():
            return factories.amount(name)


@contextmanager
def running(copies: Copies, folder: Path) -> Iterator[Callable[[], Product]]:
    """Serve one product for many tests; yield what empties its database for the next one."""
    url = copies.fresh()
    app = create_app(settings_for(url, folder))
    with serving(url, folder) as port:
        product = Product(f"http://127.0.0.1:{port}", app, url, copies)

        def emptied() -> Product:
            copies.renew(url, None)
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


@pytest.fixture(params=["sqlite", "postgresql"])
def product(request: pytest.FixtureRequest) -> Product:
    """`flask serve` on an empty database, as an installation runs it."""
    return request.getfixturevalue(f"on_{request.param}")()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each width an engine of its own where a journey has both; other pairs show no more."""
    needless = [item for item in items if _is_needless(item)]
    config.hook.pytest_deselected(items=needless)
    items[:] = [item for item in items if item not in needless]


def _is_needless(item: pytest.Item) -> bool:
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    chooses = [mark for mark in item.iter_markers("parametrize") if mark.args[0] == "product"]
    pair = (parameters.get("product"), parameters.get("width"))
    return not chooses and pair in (("sqlite", "desk"), ("postgresql", "phone"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "Chromium is missing: run tests/setup/system.sh"
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=found, args=arguments)
        yield started
        started.close()


@pytest.fixture(params=list(WIDTHS))
def width(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def new_context(browser: Browser, product: Product) -> Iterator[Callable[..., BrowserContext]]:
    """A browser profile of one's own; `new_context(width)` or with Playwright's options."""
    opened = []

    def new_context(width: str = "desk", **options: object) -> BrowserContext:
        x, y = WIDTHS[width]
        phone = width == "phone"
        context = browser.new_context(
            base_url=product.url,
            viewport={"width": x, "height": y},
            has_touch=phone,
            is_mobile=phone,
            **options,
        )
        opened.append(context)
        return context

    yield new_context
    for context in opened:
        context.close()


def sign_in(page: Page, username: str = "keeper", path: str = "/login") -> None:
    page.goto(path)
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    # Until its scripts have come a link leads to a page of its own, not to a dialog.
    page.wait_for_load_state()


def start(page: Page, username: str) -> None:
    """Sign in and choose the division of somebody who has one."""
    sign_in(page, username)
    # Signing in never chooses Assets by itself (docs/domain.md, Access and divisions).
    if username == "steward":
        choose(page, "Assets")


def choose(page: Page, division: str) -> None:
    """Choose a division, and wait for the page that follows with its scripts."""
    page.get_by_role("button", name=division, exact=True).click()
    page.wait_for_url(lambda url: "/choose" not in url)
