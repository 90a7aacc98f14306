"""Accessibility in both colour schemes, touch targets, and layout on a phone and at a desk."""

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app import dates
from app.assets.rules.fields import AssetState
from app.assets.services import moves
from app.db import transaction
from app.divisions import Division
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories
from tests.journeys.conftest import sign_in, start

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# The rows of a long list have the same markup, so only the first ones are checked.
ALIKE = [
    "tbody tr:nth-child(n+9)",
    ":is(ol, ul) > li:nth-child(n+9)",
    "section > details:nth-of-type(n+9)",
    "h3:nth-of-type(n+9) ~ *",
]
AXE = Path(__file__).resolve().parents[2] / "widgets/node_modules/axe-core/axe.min.js"
LONG = "EXTRAORDINARILY " * 10 + "x" * 40
PATHS = {
    "keeper": [
        "/dashboard",
        "/choose",
        "/change-password",
        "/inventory/main",
        "/inventory/northern",
        "/inventory/main/add",
        "/inventory/main/items/1",
        "/inventory/main/items/1/action",
        "/inventory/main/items/1/edit",
        "/inventory/main/items/1/remove",
        "/inventory/main/items/1/history",
        "/inventory/main/count",
        "/inventory/main/count-sheet",
        "/inventory/main/bulk",
        "/history",
        f"/history?event=Withdrawal&team={'W' * 32}&site=main&from=2011-12-09&q=nothing",
    ],
    "trader": [
        "/gpm/deliveries",
        "/gpm/deliveries?status=delivered",
        "/gpm/deliveries/1/deliver",
        "/gpm/deliveries/new",
        "/teams",
        "/services",
        "/keys",
        "/keys?q=nothing",
        "/keys/1/history",
    ],
    "driver": [
        "/vehicles",
        "/vehicles?q=nothing",
        "/vehicles/1",
        "/vehicles/1/edit",
        "/vehicles/add",
        "/fleetChecks",
        "/fleetChecksList",
        "/fleetChecksList/1/review",
    ],
    "steward": [
        "/assets",
        "/assets?q=nothing",
        "/assets?item=" + "w" * 60 + "&make=ikea",
        "/assets/1",
        "/assets/1/edit",
        "/assets/1/move",
        "/assets/move?asset=1&asset=2",
        "/assets/add",
        "/assets/history",
        "/assets/groups",
        "/assets/groups?by=item&then=make&sort=name",
        "/assets/groups?by=supplier&then=item&open=–",
    ],
}
"""The pages that each user opens."""
TOUCH_PATHS = [
    "/inventory/main",
    "/inventory/main/add",
    "/inventory/main/items/1",
    "/inventory/main/items/1/action",
    *PATHS["trader"],
    *PATHS["driver"],
    *PATHS["steward"],
]


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("the worst texts", the_worst_texts)


def the_worst_texts():
    factories.user("keeper", Division.GFM)
    factories.user("trader", Division.GPM)
    overdue = dates.today() - timedelta(days=20)
    worst = {"unit_cost": 999_999_999, "supplier": "s" * 100, "ordered_by": "o" * 100}
    factories.delivery(LONG, 999_999_999, ordered_on=overdue, **worst)
    factories.delivered("RED HEART", recipient="r" * 100, confirmation="c" * 200)
    factories.items([(LONG, 999_999_999)], category="c" * 100, unit_price=999_999_999)
    factories.items([(f"RED HEART HOLDER {n:03d}", n) for n in range(60)], category="Holder")
    factories.add_history(
        *(
            PastEntry(
                dates.utc_now() - timedelta(weeks=n),
                HistoryEvent.WITHDRAWAL,
                LONG,
                999_999_999,
                "W" * 32,
                unit_price=999_999_999,
            )
            for n in range(12)
        )
    )
    factories.team("W" * 100)
    factories.key("W" * 60, name="N" * 100, holder="W" * 100, notes="notes " * 60)
    factories.service("W" * 100, "description " * 30)
    driver = factories.user("driver", Division.FLEET)
    factories.vehicle(
        "W" * 20,
        make="M" * 60,
        model="o" * 60,
        status="S" * 40,
        classification="C" * 60,
        location="L" * 100,
        odometer=999_999_999,
    )
    for n in range(30):
        factories.vehicle(f"LK{n} VTE", make="Ford", status="Off the road", location="Depot")
    factories.check("W" * 20, by=driver, odometer=999_999_999)
    factories.check(
        "W" * 20,
        by=driver,
        items={"Damage": LONG, "x" * 60: LONG},
        notes=LONG * 3,
        cost=999_999_999,
        form_type="mixed",
        photos=[LONG[:200], "back"],
    )
    factories.user("steward", Division.ASSETS)
    factories.asset(
        "W" * 120,
        id="W" * 64,
        make="M" * 80,
        model="o" * 80,
        serial="s" * 80,
        supplier="S" * 80,
        location="L" * 100,
        purchase_date=dates.today(),
        purchase_price=999_999_999,
        category="c" * 60,
        status="s" * 40,
        quantity=999_999_999,
    )
    factories.assets([AssetState(f"DESK {n}", location="Main Store") for n in range(30)])
    with transaction():
        moves.move_assets([1], "L" * 99, by=None)


def violations(page, *schemes):
    """Check all rules in the first colour scheme, and only contrast in the others."""
    page.evaluate(AXE.read_text())
    found = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        rules = WCAG_22_AA if scheme == schemes[0] else ["color-contrast"]
        judged = page.evaluate(
            "([runOnly, exclude]) => axe.run({exclude}, {runOnly, resultTypes: ['violations']})",
            [rules, ALIKE],
        )["violations"]
        found += [(scheme, v["id"], [n["html"][:120] for n in v["nodes"]]) for v in judged]
    return found


SCHEMES = {"phone": ("light", "dark"), "desk": ("dark",)}


def faults(page, width, path=""):
    """Return accessibility violations, sideways scrolling and controls too low to tap."""
    found = violations(page, *SCHEMES[width])
    if width == "desk":
        found += scrolling_widths(page)
    elif path in TOUCH_PATHS:
        found += page.evaluate(LOW_CONTROLS)
    return found


def scrolling_widths(page):
    """Return the window widths at which a page scrolls sideways."""
    found, before = [], page.viewport_size
    for pixels in (320, 360, 640, 768, 1199, 1400):
        page.set_viewport_size({"width": pixels, "height": 740})
        if page.evaluate("() => document.documentElement.scrollWidth") > pixels:
            found.append(pixels)
    page.set_viewport_size(before)
    return found


# Inputs hidden behind a label (file inputs) are tapped on the label.
LOW_CONTROLS = """() => [...document.querySelectorAll(
  "button, select, a.btn, input:not([type=radio], [type=hidden], .sr)"
)].filter((control) => {
  const { width, height } = control.getBoundingClientRect();
  const isVisible = width && height && getComputedStyle(control).visibility === "visible";
  return isVisible && height < 44;
}).map((control) => control.outerHTML)"""


def test_the_sign_in_and_a_refused_dialog_are_accessible(new_context, width):
    page = new_context(width).new_page()
    page.goto("/login")
    assert faults(page, width) == []
    sign_in(page, path="/inventory/main")
    page.get_by_role("link", name="Withdraw RED HEART HOLDER 001").click()
    expect(page.get_by_role("dialog").get_by_label("Quantity")).to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    assert violations(page, *SCHEMES[width]) == []


@pytest.mark.parametrize("username", PATHS)
def test_every_page_passes_wcag_22_aa_and_fits_window_and_finger(new_context, width, username):
    page = new_context(width).new_page()
    start(page, username)
    for path in PATHS[username]:
        page.goto(path)
        for summary in page.locator("summary:visible").all()[:9]:
            summary.click()
        assert faults(page, width, path) == [], path


def test_the_check_form_passes_wcag_22_aa_also_with_everything_wrong(new_context, width):
    page = new_context(width).new_page()
    sign_in(page, "driver", "/fleetChecks")
    submit = page.get_by_role("button", name="Submit Check")
    expect(submit).to_be_visible()
    submit.click()
    expect(page.get_by_role("alert").filter(has_text="There is a problem")).to_be_focused()
    assert faults(page, width) == []


def test_a_refused_form_beside_a_list_passes_wcag_22_aa(new_context, width):
    page = new_context(width).new_page()
    sign_in(page, "trader", path="/teams")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("alert")).to_be_focused()
    assert faults(page, width) == []


def test_what_asks_before_stock_changes_passes_wcag_22_aa(new_context, width):
    page = new_context(width).new_page()
    sign_in(page, path="/inventory/main/count")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("No differences to apply.")).to_be_visible()
    assert faults(page, width) == []
    page.get_by_role("searchbox").fill("extraordinarily")
    page.get_by_label(f"Counted {LONG}", exact=True).fill("0")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("button", name="Apply 1")).to_be_visible()
    assert faults(page, width) == []

    page.get_by_role("button", name="Keep counting").click()
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="Add Item").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Item name").fill("red heart holder 001")
    dialog.get_by_label("Amount").fill("999,999,998")
    deliver = dialog.get_by_role("button", name="Deliver 999,999,998 instead: 999,999,999")
    expect(deliver).to_be_visible()
    assert faults(page, width) == []


def test_a_phone_shows_6_cards_and_a_desk_14_rows_above_the_fold(new_context):
    phone = new_context("phone").new_page()
    sign_in(phone, path="/inventory/main?q=holder")
    assert whole_rows(phone, 740) >= 6
    desk = new_context().new_page()
    desk.set_viewport_size({"width": 1366, "height": 768})
    sign_in(desk, path="/inventory/main?q=holder")
    assert whole_rows(desk, 768) >= 14


def whole_rows(page, height):
    boxes = page.locator("#rows tr").all()
    return sum(1 for row in boxes if (b := row.bounding_box()) and b["y"] + b["height"] <= height)


def test_the_list_can_be_worked_with_the_keyboard_alone(product, new_context):
    page = new_context().new_page()
    sign_in(page, path="/inventory/main?q=holder 007")
    page.get_by_role("searchbox").focus()
    keys = page.keyboard
    while "Withdraw" not in (page.evaluate("() => document.activeElement.ariaLabel") or ""):
        keys.press("Tab")
    keys.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Quantity")).to_be_focused()
    keys.type("2")
    keys.press("Tab")
    keys.type("Kitchen")
    keys.press("Enter")
    expect(dialog).to_be_hidden()
    assert product.amount("RED HEART HOLDER 007") == 5


def test_the_menu_opens_on_a_phone(new_context):
    page = new_context("phone").new_page()
    sign_in(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Northern").click()
    expect(page.get_by_text("No items in this inventory.")).to_be_visible()
