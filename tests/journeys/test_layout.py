"""Lists fit every width: as lines, or as a table where there is room for one."""

import pytest

from tests.journeys.conftest import sign_in, start
from tests.look import upkeep
from tests.look.checks import BROKEN_WORDS, HEAD_ROWS, ROWS, WHOLE_ROWS, layout_faults
from tests.look.data import DRIVER, FULL, full_lists
from tests.look.screens import EVERYBODY, views

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LISTS = {
    user: [view.path for view in views(FULL) if view.screen.by == user and view.is_list]
    for user in EVERYBODY
}
"""The lists that each user works in."""

NOT_COUNTED = {
    *("/assets/1", "/assets/history"),
    *("/gpm/deliveries?status=delivered", "/gpm/deliveries?status=cancelled"),
}
"""Pages with other content above their list, or with few rows in the test's data."""

WITH_EDGES = {768, 1400, 1900}
"""The widths at which header and content begin at the same edge."""

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until scripts and layout have seen a new width of the window."""

LEFT_EDGES = """() => ["header .tag", ".head", ":is(#list, [data-widget]) .fit"].map(
  (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().left)
)"""


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("full lists", full_lists)


@pytest.mark.parametrize("username", LISTS)
def test_a_list_fits_every_width_and_shows_6_cards_on_a_phone_and_14_rows_at_a_desk(
    new_context, username
):
    phone, desk = new_context("phone").new_page(), new_context().new_page()
    faults = []
    for page in (phone, desk):
        start(page, username)
    for path in LISTS[username]:
        faults += [(path, *fault) for fault in faults_on_a_phone(phone, path)]
        faults += [(path, *fault) for fault in faults_at_a_desk(desk, path)]
    assert faults == []


def faults_on_a_phone(page, path):
    """Yield what a list does wrong on a phone, each with the window's width."""
    open_at(page, path, 360, 740)
    if (cards := page.evaluate(WHOLE_ROWS, ROWS)) < 6 and path not in NOT_COUNTED:
        yield 360, f"{cards} cards above the fold"
    yield from ((360, fault) for fault in layout_faults(page))


def faults_at_a_desk(page, path):
    """Yield what a list does wrong as its window gets another width, each with the width."""
    open_at(page, path, 1366, 768)
    if (rows := page.evaluate(WHOLE_ROWS, ROWS)) < 14 and path not in NOT_COUNTED:
        yield 1366, f"{rows} rows above the fold"
    has_edge = page.locator(".fit").count() and path not in NOT_COUNTED
    for width in (320, 640, 768, 1024, 1280, 1400, 1900):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(NEXT_FRAME)
        yield from ((width, fault) for fault in layout_faults(page))
        if has_edge and width in WITH_EDGES and len(edges := set(page.evaluate(LEFT_EDGES))) > 1:
            yield width, f"header and content begin at {edges}"


def open_at(page, path, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)
    page.locator(f"{ROWS}, main tbody tr").first.wait_for()


def test_the_lists_of_upkeep_fit_a_phone_some_with_all_actions_beside_their_title(new_context):
    page = new_context("phone").new_page()
    start(page, DRIVER)
    for name, path in upkeep.LISTS.items():
        page.goto(path)
        assert layout_faults(page) == [], name
        assert name not in ("due", "defects") or page.evaluate(HEAD_ROWS) == 1, name


def test_titles_keep_their_words_whole_on_a_phone_at_200_percent(new_context):
    page = new_context().new_page()
    sign_in(page)
    for path in ("/inventory/main", "/history", "/change-password"):
        page.set_viewport_size({"width": 180, "height": 370})
        page.goto(path)
        broken = page.evaluate(BROKEN_WORDS)
        assert not set(broken) & set(page.locator("h1").inner_text().split()), path


def test_a_move_shows_where_from_and_where_to_on_a_phone(new_context):
    page = new_context("phone").new_page()
    start(page, "steward")
    page.goto("/assets/1")
    arrow = "() => getComputedStyle(document.querySelector('td:has(+ .to)'), '::after').content"
    assert "→" in page.evaluate(arrow)
