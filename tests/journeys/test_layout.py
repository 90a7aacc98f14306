"""Lists fit every width: as lines, or as a table where there is room for one."""

from datetime import timedelta

import pytest

from app import dates
from app.assets.services import moves
from app.db import transaction
from tests import factories
from tests.journeys.conftest import sign_in, start
from tests.journeys.test_weight import full_lists

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

LISTS = {
    "keeper": ["/inventory/main?q=holder", "/inventory/main/count", "/history"],
    "trader": ["/gpm/deliveries?q=bunzl", "/gpm/deliveries?status=delivered", "/keys"],
    "driver": ["/vehicles", "/fleetChecksList"],
    "steward": ["/assets", "/assets/1", "/assets/history", "/assets/groups"],
}
"""The lists that each user works in."""

NOT_COUNTED = {"/assets/1", "/assets/history", "/gpm/deliveries?status=delivered"}
"""Pages with other content above their list, or with few rows in the test's data."""

ROWS = ":is(#list, [data-widget]) tbody tr:not(.detail, .more-row, .gap)"

BROKEN_WORDS = """() => {
  const found = new Set(), range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const isHidden = !text.parentElement.checkVisibility() || text.parentElement.offsetWidth < 2;
    if (isHidden || text.parentElement.closest("thead")?.offsetWidth < 2) continue;
    for (const word of text.data.matchAll(/(?<![\\p{L}\\d])[\\p{L}\\d]{2,20}(?![\\p{L}\\d])/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.add(word[0]);
    }
  }
  return [...found];
}"""
"""Finds words that go on in the next line."""

HIDDEN_ACTIONS = """() => [...document.querySelectorAll("tbody .acts > *")].filter((action) => {
  if (!action.checkVisibility()) return false;
  action.scrollIntoView({ block: "center" });
  const { left, right, top, bottom } = action.getBoundingClientRect();
  const atItsMiddle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left < 0 || right > innerWidth || !action.contains(atItsMiddle);
}).map((action) => action.outerHTML)"""
"""Finds what can't be clicked without scrolling sideways, or is covered."""

COVERED_CELLS = """() => [...document.querySelectorAll("tbody tr:first-child")].flatMap((row) => {
  const cells = [...row.children].map((cell) => [cell, cell.getBoundingClientRect()]);
  return cells.filter(([one, a]) => a.width && cells.some(([other, b]) => one !== other && b.width
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  )).map(([cell]) => cell.outerHTML);
})"""
"""Finds cells that lie over each other."""

LEADING_DOTS = """() => [...document.querySelectorAll("td")].filter(
  (cell) => getComputedStyle(cell, "::before").content.includes("·")
).map((cell) => cell.outerHTML)"""
"""Finds separators that come before what they separate."""

LEFT_EDGES = """() => ["header .tag", ".head", ":is(#list, [data-widget]) .fit"].map(
  (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().left)
)"""


@pytest.fixture(autouse=True)
def stock(product):
    product.fill("lists to lay out", lists_to_lay_out)


def lists_to_lay_out():
    full_lists()
    ordered = dates.today() - timedelta(days=20)
    for n in range(20):
        order = {"supplier": "Bunzl Catering", "ordered_by": "Priya Raman"}
        name = f"Compostable coffee cups, {n} oz"
        factories.delivery(name, 24, unit_cost=1299, ordered_on=ordered, **order)
    for name in ("Nitrile gloves, medium", "Mop"):
        factories.delivered(name, recipient="Priya Raman", confirmation="POD 48213")
    with transaction():
        moves.move_assets([1], "Guildford, meeting room", by=None)


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
            scrolls = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            found = [["scrolls sideways"] if scrolls else []]
            checks = (BROKEN_WORDS, HIDDEN_ACTIONS, COVERED_CELLS, LEADING_DOTS)
            found += [page.evaluate(check)[:3] for check in checks]
            faults += [(path, width, what) for what in found if what]
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
