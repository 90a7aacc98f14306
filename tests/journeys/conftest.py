"""The running product and a real Chromium."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from app import create_app
from app.db import db
from tests import factories
from tests.databases import settings_for
from tests.journeys.serving import ROOT, environment, serving
from tests.person import PASSWORD

WIDTHS = {"phone": (360, 740), "desk": (1400, 900)}

expect.set_options(timeout=15_000)


@dataclass
class Product:
    """A served product; `app` reads the same database."""

    url: str
    app: Flask
    environ: dict[str, str]

    def flask(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a flask command against it."""
        command = [sys.executable, "-m", "flask", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self.environ, capture_output=True, text=True, check=False
        )

    def amount(self, name: str) -> int:
        with self.app.app_context():
            return factories.amount(name)


@pytest.fixture
def product(database_url: str, tmp_path: Path) -> Iterator[Product]:
    """`flask serve` on a fresh database, as an installation runs it."""
    app = create_app(settings_for(database_url, tmp_path))
    with serving(database_url, tmp_path) as port:
        yield Product(f"http://127.0.0.1:{port}", app, environment(database_url, tmp_path))
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome")
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
    # Somebody of Assets alone has to choose it (seed §6).
    page.wait_for_load_state()
    if urlsplit(page.url).path == "/choose" and path != "/choose":
        page.get_by_role("button", name="Assets").click()
        expect(page.get_by_role("heading", name="Choose Division")).to_be_hidden()
