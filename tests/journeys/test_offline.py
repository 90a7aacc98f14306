"""Pages without a connection: a real service worker, a real database, and a line that is cut."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import factories
from tests.chaos.line import Line, State, line_to
from tests.journeys.conftest import PHONE, Product, open_profile, sign_in, sign_out
from tests.look.checks import scrolls_sideways
from tests.serving import serving

LIST = "/inventory/main"
NEEDS = "This page needs a connection"

READY = """async (name) => {
  await navigator.serviceWorker.ready;
  const open = () => new Promise((done) => {
    const opening = indexedDB.open("quartermaster-offline");
    opening.onsuccess = () => done(opening.result);
  });
  const names = async () => {
    if (!localStorage.getItem("offline-person")) return [];
    const database = await open();
    const reading = database.transaction("references").objectStore("references").getAllKeys();
    await new Promise((done) => { reading.onsuccess = done; });
    database.close();
    return reading.result.map(([, each]) => each);
  };
  while (!(await names()).includes(name)) await new Promise((done) => setTimeout(done, 50));
}"""
"""Waits until the service worker is there and a reference was read."""

STORED = """async () => {
  const database = await new Promise((done) => {
    const opening = indexedDB.open("quartermaster-offline");
    opening.onsuccess = () => done(opening.result);
  });
  const reading = database.transaction(["references", "device"]);
  const counts = ["references", "device"].map((name) => reading.objectStore(name).count());
  await new Promise((done) => { reading.oncomplete = done; });
  database.close();
  return counts.map((count) => count.result);
}"""
"""Counts the references and the persons that are stored."""

CACHED = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) found.push(request.url);
  }
  return found;
}"""
"""Lists the addresses of all that is cached."""

REMOVED = """async () => {
  const hasAny = async () =>
    (await navigator.serviceWorker.getRegistration()) || (await caches.keys()).length > 0;
  while (await hasAny()) await new Promise((done) => setTimeout(done, 50));
}"""
"""Waits until there is neither a service worker nor a cache."""

pytestmark = [PHONE, pytest.mark.parametrize("product", ["sqlite"], indirect=True)]


@pytest.fixture
def line(product: Product) -> Iterator[Line]:
    with line_to(urlsplit(product.url).port) as line:
        yield line


@pytest.fixture
def context(browser: Browser, product: Product, line: Line, width: str) -> Iterator[BrowserContext]:
    """A phone that reaches the product by the line, and may install the service worker."""
    with product.app.app_context():
        factories.user("keeper")
        factories.user("second")
        factories.item("Red heart", 5)
        factories.item("Globe", 3, store=factories.GUILDFORD)
    reached = replace(product, url=line.url)
    opened = open_profile(browser, reached, width, service_workers="allow")
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def prepare(page: Page, path: str = LIST) -> None:
    """Sign in, open a page, and wait until it works without a connection."""
    sign_in(page, path=path)
    page.evaluate(READY, "stock:gfm/main")


def test_what_was_read_opens_without_a_line_and_the_servers_page_once_it_is_back(page, line):
    prepare(page)
    cached = {urlsplit(address).path for address in page.evaluate(CACHED)}
    assert {path for path in cached if not path.startswith("/static/built/")} == {"/offline"}

    line.become(State.CUT)
    page.goto(LIST)
    expect(page.get_by_text("Red heart").first).to_be_visible()
    header = page.get_by_role("banner")
    expect(header).to_contain_text("No connection")
    expect(header).to_contain_text("keeper")
    assert page.title() == "Main stock · Quartermaster"
    assert not scrolls_sideways(page)
    page.goto(f"{LIST}/count")
    expect(page.get_by_role("heading", name="Stock check")).to_be_visible()
    expect(page.get_by_text("Red heart").first).to_be_visible()
    page.goto("/inventory/guildford")
    expect(page.get_by_role("heading", name=NEEDS)).to_be_visible()
    page.goto("/dashboard")
    expect(page.get_by_role("heading", name=NEEDS)).to_be_visible()
    assert not scrolls_sideways(page)
    page.get_by_role("link", name="GFM stock, Main").click()
    expect(page.get_by_text("Red heart").first).to_be_visible()

    line.become(State.GOOD)
    # As when the phone notices it; otherwise it is tested every few seconds.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    expect(page.get_by_text("Red heart").first).to_be_visible()

    line.become(State.SILENT)
    page.goto(LIST)
    expect(page.get_by_text("Red heart").first).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("No connection")


def test_nobody_sees_what_was_read_for_somebody_else(page, line):
    prepare(page)
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()
    page.get_by_label("Username").fill("second")
    assert page.evaluate(STORED) == [0, 0]
    line.become(State.CUT)
    page.goto(LIST)
    expect(page.get_by_text("Nobody is signed in on this device")).to_be_visible()
    expect(page.get_by_text("Red heart")).to_have_count(0)


def test_switched_off_the_worker_goes_with_the_next_page(page, line, product, tmp_path):
    prepare(page)
    with serving(product.database, tmp_path, settings={"OFFLINE": "off"}) as port:
        line.target = port
        line.become(State.GOOD)
        page.goto("/dashboard")
        page.evaluate(REMOVED)
        page.goto(LIST)
        expect(page.get_by_role("button", name="Menu")).to_be_visible()
        assert page.evaluate("() => navigator.serviceWorker.controller") is None


def test_the_worker_costs_nothing_before_a_page_is_loaded(browser, product, context, width):
    def loaded(profile: BrowserContext) -> list[str]:
        page = profile.new_page()
        requested: list[str] = []
        page.on("request", lambda request: requested.append(urlsplit(request.url).path))
        sign_in(page, path=LIST)
        return sorted(requested)

    without = open_profile(browser, product, width)
    try:
        assert loaded(context) == loaded(without)
    finally:
        without.close()
