"""Lists fit every width: as lines, or as a table where there is room for one."""

import pytest

from tests.journeys.conftest import sign_in, start
from tests.look.checks import BROKEN_WORDS, layout_faults
from tests.look.data import FULL, full_lists
from tests.look.screens import users, views

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LISTS = {
    user: [view.path for view in views(FULL) if view.screen.by == user and view.is_list]
    for user in users()
}
"""The lists that each user works in."""

NOT_COUNTED = {
    *("/assets/1", "/assets/history"),
    *("/gpm/deliveries?status=delivered", "/gpm/deliveries?status=cancelled"),
}
"""Pages with other content above their list, or with few rows in the test's data."""

ROWS = ":is(#list, [data-widget]) tbody tr:not(.detail, .more-row, .gap)"

LEFT_EDGES = """() => ["header .tag", ".head", ":is(#list, [data-widget]) .fit"].map(
  (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().left)
)"""


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("full lists", full_lists)


def open_at(page, path, width, height=900):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)
    page.locator(f"{ROWS}, main tbody tr").first.wait_for()


@pytest.mark.parametrize("username", LISTS)
def test_a_list_keeps_its_words_and_actions_whole_at_every_width(new_context, username):
    page = new_context().new_page()
    start(page, username)
    faults = []
    for path in LISTS[username]:
        for width in (320, 360, 640, 768, 1024, 1280, 1400):
            open_at(page, path, width)
            faults += [(path, width, fault) for fault in layout_faults(page)]
    assert faults == []


@pytest.mark.parametrize("username", LISTS)
def test_a_phone_shows_6_cards_and_a_desk_14_rows_above_the_fold(new_context, username):
    phone, desk = new_context("phone").new_page(), new_context().new_page()
    too_few = []
    for page, (width, height), least in ((phone, (360, 740), 6), (desk, (1366, 768), 14)):
        start(page, username)
        for path in LISTS[username]:
            if path in NOT_COUNTED:
                continue
            open_at(page, path, width, height)
            if (counted := whole_rows(page, height)) < least:
                too_few.append((path, width, counted))
    assert too_few == []


def whole_rows(page, height):
    boxes = [row.bounding_box() for row in page.locator(ROWS).all()[:30]]
    return sum(1 for box in boxes if box and box["y"] + box["height"] <= height)


@pytest.mark.parametrize("username", LISTS)
def test_header_and_content_begin_at_the_same_edge(new_context, username):
    page = new_context().new_page()
    start(page, username)
    for path in LISTS[username]:
        for width in (768, 1400, 1900):
            open_at(page, path, width)
            if page.locator(".fit").count() and path not in NOT_COUNTED:
                assert len(set(page.evaluate(LEFT_EDGES))) == 1, (path, width)


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
