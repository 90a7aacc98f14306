"""The byte budgets of pages, over the wire in a real browser."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import BrowserContext, Page

from app.assets.rules.fields import AssetState
from app.assets.services import moves
from app.db import transaction
from app.divisions import Division, Site, Store
from app.fleet.services import checks
from tests import factories
from tests.journeys.conftest import sign_in, start

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

KB = 1024
LOGIN = 12 * KB
LIST = 40 * KB
REPEAT = 10 * KB
UNCHANGED = 1 * KB
ROW = 3 * KB
WIDGET = 75 * KB


PAGES = [
    "/dashboard",
    "/choose",
    "/change-password",
    "/inventory/main",
    "/inventory/main/add",
    "/inventory/main/items/1/action",
    "/inventory/main/items/1/edit",
    "/inventory/main/items/1/remove",
    "/history",
    "/inventory/main/items/1/history",
    "/gpm/history",
    "/inventory/main/operations/1/undo",
    "/gpm/inventory/main",
    "/gpm/inventory/main/items/251/history",
    "/teams",
    "/services",
    "/keys",
    "/keys/1/history",
    "/gpm/deliveries",
    "/gpm/deliveries/1/deliver",
    "/gpm/deliveries/1/deliver-again",
    "/gpm/deliveries/new",
    "/vehicles",
    "/vehicles/1",
    "/vehicles/1/edit",
    "/vehicles/add",
    "/fleetChecksList",
    "/fleetChecksList/1/review",
    "/fleetChecksList/2/reviews/1/undo",
    "/assets",
    "/assets/1",
    "/assets/1/edit",
    "/assets/1/move",
    "/assets/add",
    "/assets/move?asset=1&asset=2",
    "/assets/history",
    "/assets/history/1/undo",
    "/assets/history/1/undo-all",
]
WIDGETS = ["/inventory/main/count", "/inventory/main/bulk", "/fleetChecks", "/assets/groups"]
NOT_PAGES = {
    "/",
    "/assets/export",
    "/assets/matching",
    "/assets/history/export",
    "/inventory/main/count-sheet",
    "/inventory/main/count-sheet.csv",
    "/inventory/main/operations/1",
    "/gpm/deliveries/new/items",
    "/gpm/history/export",
    "/gpm/inventory",
    "/history/export",
    "/inventory",
    "/inventory/main/add/namesake",
    "/fleetChecksList/vehicle-checks.csv",
    "/fleetChecksList/vehicle-checks.json",
    "/livez",
    "/login",
    "/readyz",
    "/teams/rename",
}
"""Redirects, fragments, downloads and health checks; the sign-in page has its own budget."""


class Wire:
    """Counts what a page receives, headers included."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        self.requests: list[str] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._count)
        session.on("Network.responseReceived", lambda e: self.requests.append(e["response"]["url"]))

    def _count(self, event: dict[str, float]) -> None:
        self.bytes += int(event["encodedDataLength"])

    def reset(self) -> None:
        self.bytes = 0
        self.requests = []


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("full lists", full_lists)


def full_lists():
    factories.user("keeper", Division.GFM)
    names = [(f"RED HANGING HEART T-LIGHT HOLDER {n:03d}", n * 7 + 5) for n in range(250)]
    factories.items(names, category="Holder")
    factories.user("trader", Division.GPM)
    factories.items(names[:30], store=Store(Division.GPM, Site.MAIN))
    factories.directory(100)
    for name, _ in names[:30]:
        factories.delivery(name)
    driver = factories.user("driver", Division.FLEET)
    for n in range(30):
        factories.vehicle(f"LK{n} VTE", make="Ford", model="Transit", location="Guildford")
    items = {"Name": "Ann Example", "Damage": "Dent in the left door", "Equipment": "Ladder"}
    for n in range(25):
        text = f"The left mirror is loose, {n}"
        factories.check(by=driver, items=items, notes=text, form_type="asbSolo", photos=[text])
    with transaction():
        checks.review_check(2, remark="", by=driver)
    factories.user("steward", Division.ASSETS)
    factories.assets([furniture(n) for n in range(200)])
    with transaction():
        moves.move_assets([1, 2], "Attic", by=None)


def furniture(n: int) -> AssetState:
    """Return an asset with every field filled in."""
    return AssetState(
        f"Office desk {n}",
        f"{n:032x}",
        "Ikea",
        "Bekant 160",
        f"SN-{n * 7919:08d}",
        f"Office Supplies {n % 20}",
        f"Head office, room {n % 40}",
        date(2024, 1, 1) + timedelta(days=n),
        n * 137 + 5,
        "Furniture",
        "In use",
        n % 9 + 1,
    )


def wired(context: BrowserContext) -> tuple[Page, Wire]:
    page = context.new_page()
    return page, Wire(page)


def user_for(path: str) -> str:
    """Return the username that may open a page."""
    if path.startswith(("/fleet", "/vehicles")):
        return "driver"
    if path.startswith("/assets"):
        return "steward"
    is_of_gpm = path.startswith(("/gpm/", "/teams", "/services", "/keys"))
    return "trader" if is_of_gpm else "keeper"


def settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")


def test_every_page_has_a_byte_budget(product):
    gaps = {
        "<site>": "main",
        "<int(max=2147483647):item_id>": "1",
        "<int(max=2147483647):operation_id>": "1",
        "<int(max=2147483647):key_id>": "1",
        "<int(max=2147483647):delivery_id>": "1",
        "<int(max=2147483647):vehicle_id>": "1",
        "<int(max=2147483647):check_id>": "1",
        "<int(max=2147483647):move_id>": "1",
        "<int(max=2147483647):number>": "1",
    }
    served = set()
    for rule in product.app.url_map.iter_rules():
        path = rule.rule
        if path.startswith("/gpm/"):
            path = path.replace("<int(max=2147483647):item_id>", "251")
        if path.startswith("/fleetChecksList/") and "/reviews/" in path:
            path = path.replace("<int(max=2147483647):check_id>", "2")
        for gap, value in gaps.items():
            path = path.replace(gap, value)
        if "GET" in rule.methods and not path.startswith("/api/"):
            served.add(path)
    # GPM's pages of stock are GFM's, without the tabs.
    twins = {path for path in served - set(PAGES) if path.startswith("/gpm/inventory/")}
    same = {path for path in twins if path[4:].replace("/251", "/1") in served}
    assert served - NOT_PAGES - same == {path.partition("?")[0] for path in (*PAGES, *WIDGETS)}


def test_the_sign_in_weighs_at_most_12_kb(new_context):
    page, wire = wired(new_context())
    page.goto("/login")
    settle(page)
    assert 0 < wire.bytes <= LOGIN, wire.requests


@pytest.mark.parametrize("username", ["keeper", "trader", "driver", "steward"])
def test_a_page_or_widget_keeps_its_budget_cold_and_again(new_context, username):
    context = new_context()
    start(context.new_page(), username)
    cookies = context.cookies()
    too_heavy = []
    for path in [path for path in (*PAGES, *WIDGETS) if user_for(path) == username]:
        cold = new_context()
        cold.add_cookies(cookies)
        page, wire = wired(cold)
        if path in WIDGETS:
            # Measure only what the widget adds to a page's shared files.
            page.goto("/dashboard")
            settle(page)
        for limit in (WIDGET + REPEAT if path in WIDGETS else LIST, REPEAT):
            wire.reset()
            page.goto(path)
            settle(page)
            if not 0 < wire.bytes <= limit:
                too_heavy.append((path, limit, wire.bytes, wire.requests))
            page.goto("about:blank")
        cold.close()
    assert too_heavy == []


def test_an_unchanged_list_weighs_under_1_kb(new_context):
    page, wire = wired(new_context())
    sign_in(page, path="/inventory/main")
    settle(page)
    wire.reset()
    page.reload()
    settle(page)
    assert page.locator("#rows tr").count() >= 101
    pages = [url for url in wire.requests if url.endswith("/inventory/main")]
    assert len(pages) == 1
    assert wire.bytes <= UNCHANGED, wire.requests


def test_a_withdrawal_weighs_at_most_3_kb_and_the_next_100_rows_at_most_10(new_context):
    page, wire = wired(new_context())
    sign_in(page, path="/inventory/main")
    page.locator("a[aria-label^=Withdraw]").first.click()
    page.get_by_role("dialog").get_by_label("Team").fill("Kitchen")
    settle(page)
    wire.reset()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    page.locator("#live p").wait_for()
    assert 0 < wire.bytes <= ROW, wire.requests
    wire.reset()
    page.locator("#more").scroll_into_view_if_needed()
    page.locator("#rows tr").nth(150).wait_for()
    assert 0 < wire.bytes <= REPEAT, wire.requests
