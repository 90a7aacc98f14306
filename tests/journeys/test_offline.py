"""Pages without a connection: a real service worker, a real database, and a line that is cut."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.divisions import Division
from tests import factories
from tests.chaos.line import Line, State
from tests.journeys.conftest import PHONE, Product, choose, notice_the_line, sign_in, sign_out
from tests.look.checks import LOW_CONTROLS, load_axe, scrolls_sideways, violations
from tests.profiles import wait_until_ready

LIST = "/inventory/main"
NEEDS = "This page needs a connection"

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

PREPARED = """() => {
  const [{ loadEventStart }] = performance.getEntriesByType("navigation");
  const prepared = performance.getEntriesByType("resource").filter(({ name }) =>
    /(register|moves)-|[/](session|reference|offline)/.test(name));
  const early = prepared.filter(({ startTime }) => startTime < loadEventStart);
  return [prepared, early].map((found) => found.map(({ name }) => name));
}"""
"""Lists what prepares a page for work without a line, and what of it came before it was loaded."""

MISSING = """async () => {
  const named = document.querySelectorAll("script[src], [data-src], [data-moves]");
  const scripts = new Set([...named].map((each) => {
    const { src, moves } = each.dataset;
    return new URL(src ?? moves ?? each.src, location.href).href;
  }));
  const missing = [];
  // A set goes on with what is added meanwhile.
  for (const address of scripts) {
    const reply = await fetch(address, { cache: "no-store" }).catch(() => null);
    if (!reply?.ok) missing.push(address);
    const imported = ((await reply?.text()) ?? "").matchAll(/"([.][/][A-Za-z0-9_-]+[.]js)"/g);
    for (const [, name] of imported) scripts.add(new URL(name, address).href);
  }
  return [scripts.size, missing];
}"""
"""Counts the scripts that a page loads at once or later, and lists those that can't be loaded."""

pytestmark = [PHONE, pytest.mark.parametrize("product", ["sqlite"], indirect=True)]


@pytest.fixture
def context(new_context, product: Product, line: Line, width: str) -> BrowserContext:
    """A phone that reaches the product by the line, and may install the service worker."""
    with product.app.app_context():
        factories.user("keeper")
        factories.user("second")
        factories.item("Red heart", 5)
        factories.item("Globe", 3, store=factories.GUILDFORD)
    return new_context(width, base_url=line.url, service_workers="allow")


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def prepare(page: Page, path: str = LIST) -> None:
    """Sign in, open a page, and wait until it works without a connection."""
    sign_in(page, path=path)
    wait_until_ready(page, "stock:gfm/main", "stock:gfm/guildford")


def test_what_was_read_opens_without_a_line_and_the_servers_page_once_it_is_back(page, line):
    prepare(page)
    cached = {urlsplit(address).path for address in page.evaluate(CACHED)}
    assert {path for path in cached if not path.startswith("/static/built/")} == {
        "/offline",
        "/offline/move-stock",
    }

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
    expect(page.get_by_text("Globe").first).to_be_visible()
    page.goto("/dashboard")
    expect(page.get_by_role("heading", name=NEEDS)).to_be_visible()
    assert not scrolls_sideways(page)
    page.get_by_role("link", name="GFM stock, Main").click()
    expect(page.get_by_text("Red heart").first).to_be_visible()

    line.become(State.GOOD)
    notice_the_line(page)
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    expect(page.get_by_text("Red heart").first).to_be_visible()

    line.become(State.SILENT)
    page.goto(LIST)
    expect(page.get_by_text("Red heart").first).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("No connection")


def test_the_other_divisions_list_opens_without_a_line_right_after_a_switch(page, product, line):
    with product.app.app_context():
        factories.user("both", Division.GFM, Division.GPM)
        factories.item("Padlock", 4, store=factories.GPM)
    sign_in(page, "both", "/choose")
    # A page that is requested while the worker takes over isn't answered by it.
    wait_until_ready(page, "stock:gfm/main")
    choose(page, "GFM")
    wait_until_ready(page, "stock:gfm/main", "stock:gpm/main")
    page.goto("/choose")
    choose(page, "GPM")
    line.become(State.CUT)
    page.goto("/gpm/inventory/main")
    expect(page.get_by_text("Padlock").first).to_be_visible()


@pytest.mark.parametrize("path", [LIST, f"{LIST}/count"])
def test_a_live_page_loads_what_it_needs_later_after_the_line_is_cut(page, line, path):
    prepare(page, path)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    line.become(State.CUT)
    scripts, missing = page.evaluate(MISSING)
    assert scripts > 10
    assert missing == []


def test_the_pages_without_a_line_pass_wcag_22_aa(page, line):
    load_axe(page)
    prepare(page)
    line.become(State.CUT)
    found = {}
    for path in (LIST, f"{LIST}/count", "/dashboard", "/outbox"):
        page.goto(path)
        expect(page.get_by_role("banner")).to_contain_text("No connection")
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        found[path] = violations(page, "light", "dark") + page.evaluate(LOW_CONTROLS)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


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


def test_nothing_is_prepared_before_a_page_can_be_used(context):
    page = context.new_page()
    sign_in(page, path=LIST)
    wait_until_ready(page, "stock:gfm/main")
    prepared, early = page.evaluate(PREPARED)
    assert len(prepared) > 4
    assert early == []
