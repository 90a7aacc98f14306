"""What is checked of an open page: accessibility, layout, touch targets and weight."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.look.screens import KB, WIDGET, Screen

AXE = Path(__file__).resolve().parents[2] / "widgets/node_modules/axe-core/axe.min.js"
WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
CONTRAST = ["color-contrast"]
ALIKE = [
    "tbody tr:nth-child(n+5)",
    ":is(ol, ul) > li:nth-child(n+5)",
    "section > details:nth-of-type(n+5)",
    "h3:nth-of-type(n+5) ~ *",
]
"""Left out: the rows of a long list have the same markup, so only the first ones are checked."""

REPEAT = 10 * KB
"""Byte budget of a page that is opened again."""

OPEN_AT_ONCE = 6

LATER = ["*/built/register-*", "*/built/sending-*", "*/built/shortcuts-*"]
"""The addresses of what is loaded once a page can be used."""

RENDER_ROWS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("tr { content-visibility: visible !important }");
  document.adoptedStyleSheets = [sheet];
}"""
"""Renders the rows of a list that are out of view too, which a phone leaves out until then."""


def load_axe(page: Page) -> None:
    """Load axe with every page that is opened from now on: faster than once it is open."""
    page.add_init_script(path=AXE)


def violations(page: Page, *schemes: str, rules: list[str] = WCAG_22_AA) -> list[object]:
    """Check rules in the first colour scheme, and only contrast in the others; see `load_axe`.

    The window is as high as the page meanwhile: what sticks to its edges covers nothing then.
    """
    before = page.viewport_size
    page.evaluate(RENDER_ROWS)
    height = page.evaluate("() => document.documentElement.scrollHeight")
    if before:
        page.set_viewport_size({"width": before["width"], "height": max(height, before["height"])})
    found = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        judged = page.evaluate(
            "([runOnly, exclude]) => axe.run({exclude}, {runOnly, resultTypes: ['violations']})",
            [rules if scheme == schemes[0] else CONTRAST, ALIKE],
        )["violations"]
        found += [(scheme, v["id"], [n["html"][:120] for n in v["nodes"]]) for v in judged]
    if before:
        page.set_viewport_size(before)
    return found


def scrolls_sideways(page: Page) -> bool:
    # A phone's innerWidth grows with what is too wide: it zooms out to show that.
    return page.evaluate(
        "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )


def scrolling_widths(page: Page) -> list[object]:
    """Return the window widths at which a page scrolls sideways."""
    found, before = [], page.viewport_size
    for pixels in (1400, 1199, 768, 640, 360, 320):
        if before["width"] != pixels:
            page.set_viewport_size({"width": pixels, "height": 740})
        if scrolls_sideways(page):
            found.append(pixels)
    page.set_viewport_size(before)
    return found


LOW_CONTROLS = """() => [...document.querySelectorAll(
  "button:not(.sr), select, a.btn, input:not([type=radio], [type=hidden], .sr)"
)].filter((control) => {
  const target = control.type === "checkbox" ? control.closest("label") ?? control : control;
  const { width, height } = target.getBoundingClientRect();
  const isVisible = width && height && getComputedStyle(control).visibility === "visible";
  return isVisible && height < 44;
}).map((control) => control.outerHTML)"""
"""Finds what is too low to tap; what is hidden behind its label is tapped on that."""

BROKEN_WORDS = """() => {
  const found = new Set(), range = document.createRange();
  const room = document.documentElement.clientWidth - 24;
  const width = () => [...range.getClientRects()].reduce((sum, each) => sum + each.width, 0);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const isHidden = !text.parentElement.checkVisibility() || text.parentElement.offsetWidth < 2;
    if (isHidden || text.parentElement.closest("thead")?.offsetWidth < 2) continue;
    for (const word of text.data.matchAll(/(?<![\\p{L}\\d])[\\p{L}\\d]{2,19}(?![\\p{L}\\d])/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size < 2) continue;
      range.setStart(text, text.data.slice(0, word.index).search(/\\S*$/));
      range.setEnd(text, word.index + text.data.slice(word.index).match(/^\\S*/)[0].length);
      if (width() <= room) found.add(word[0]);
    }
  }
  return [...found];
}"""
"""Finds words and numbers that go on in the next line, unless no line has room for them."""

HIDDEN_ACTIONS = """() => [...document.querySelectorAll("tbody .acts > *")].filter((action) => {
  if (!action.checkVisibility() || document.querySelector(":modal, :popover-open")) return false;
  action.scrollIntoView({ block: "center" });
  const { left, right, top, bottom } = action.getBoundingClientRect();
  const atItsMiddle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isCut = left < 0 || right > document.documentElement.clientWidth;
  return isCut || !action.contains(atItsMiddle);
}).map((action) => action.outerHTML)"""
"""Finds what can't be clicked without scrolling sideways, or is covered."""

COVERED_CELLS = """() => [...document.querySelectorAll("tbody tr:first-child")].flatMap((row) => {
  const cells = [...row.children].map((cell) => [cell, cell.getBoundingClientRect()]);
  return cells.filter(([one, a]) => a.width && cells.some(([other, b]) => one !== other && b.width
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  )).map(([cell]) => cell.outerHTML);
})"""
"""Finds cells that lie over each other."""

LONE_DOTS = """() => [...document.querySelectorAll("td")].filter(
  (cell) => [":before", ":after"].some((at) => getComputedStyle(cell, at).content.includes("·"))
).map((cell) => cell.outerHTML)"""
"""Finds separators of cells, which stand alone at the end or the beginning of a broken line."""

CUT_TABS = """() => [...document.querySelectorAll(".tabs")].filter(
  ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth
).map((tabs) => tabs.outerHTML)"""
"""Finds tabs that are seen only after scrolling."""

TOUCHED_TABLES = """() => [...document.querySelectorAll(".fit")].filter((table) => {
  const below = table.nextElementSibling?.querySelector(".btn")?.getBoundingClientRect();
  return below?.height && below.top - table.getBoundingClientRect().bottom < 8;
}).map((table) => table.nextElementSibling.outerHTML)"""
"""Finds buttons that touch the table above them."""

HEAD_ROWS = """() => {
  const visible = [...document.querySelectorAll(".head > *")].filter((each) => each.offsetHeight);
  const boxes = visible.map((each) => each.getBoundingClientRect());
  return Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom))
    ? 1 : 2;
}"""
"""Returns 1 if the parts of a page's head are beside each other, 2 if some are below others."""

ROWS = ":is(#list, [data-widget]) tbody tr:not(.detail, .more-row, .gap)"

WHOLE_ROWS = """(rows) => [...document.querySelectorAll(rows)].slice(0, 30).filter((row) => {
  const { height, bottom } = row.getBoundingClientRect();
  return height && bottom <= innerHeight;
}).length"""
"""Counts the rows, of those that a selector finds, that are seen whole without scrolling."""

LAYOUT = {
    "broken words": BROKEN_WORDS,
    "hidden actions": HIDDEN_ACTIONS,
    "covered cells": COVERED_CELLS,
    "lone dots": LONE_DOTS,
    "cut tabs": CUT_TABS,
    "touched tables": TOUCHED_TABLES,
}


def layout_faults(page: Page, *, may_break_numbers: bool = False) -> list[object]:
    """Return what a page does wrong in the window's width."""
    page.evaluate(RENDER_ROWS)
    found: list[object] = ["scrolls sideways"] if scrolls_sideways(page) else []
    for name, check in LAYOUT.items():
        faults = page.evaluate(check)
        if may_break_numbers and check == BROKEN_WORDS:
            faults = [word for word in faults if not word.isdigit()]
        if faults:
            found.append((name, faults[:3]))
    return found


def too_few_rows(page: Page, least: int) -> list[object]:
    """Return how many rows show without scrolling, if a list has more and they are too few."""
    page.evaluate("() => { scrollTo(0, 0); }")
    visible, listed = page.evaluate(WHOLE_ROWS, ROWS), page.locator(ROWS).count()
    return [f"{visible} of {listed} rows, not {least}"] if visible < min(least, listed) else []


class Wire:
    """Counts what a page receives, headers included.

    Photos are left out, since people's own have any size. What comes once the page can be used is
    blocked: the script that prepares the browser for work without a connection, with all that it
    loads, that of the keys, and those that send what a widget was filled in with.
    """

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        self.requests: list[str] = []
        self.left_out: set[str] = set()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setBlockedURLs", {"urls": LATER})
        session.on("Network.loadingFinished", self._count)
        session.on("Network.responseReceived", self._receive)

    def _receive(self, event: dict[str, Any]) -> None:
        url = event["response"]["url"]
        if "/photos/" in url:
            self.left_out.add(event["requestId"])
        else:
            self.requests.append(url)

    def _count(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self.left_out:
            self.bytes += int(event["encodedDataLength"])

    def reset(self) -> None:
        self.bytes = 0
        self.requests = []


def settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")


class Visitor:
    """A browser profile that counts what it receives."""

    def __init__(self, context: BrowserContext, cookies: list) -> None:
        context.add_cookies(cookies)
        self.page = context.new_page()
        self.wire = Wire(self.page)
        self._session = context.new_cdp_session(self.page)

    def forget(self, screen: Screen) -> int:
        """Know nothing of the product yet; return the byte budget of a screen."""
        self.page.goto("/manifest.webmanifest")
        self.page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
        self._session.send("Network.clearBrowserCache")
        if screen.budget != WIDGET:
            return screen.budget or 0
        # Measure only what the widget adds to a page's shared files.
        self.page.goto("/dashboard")
        return WIDGET + REPEAT

    def open(self, screen: Screen) -> None:
        settle(self.page)
        self.page.goto("about:blank")
        self.wire.reset()
        self.page.goto(screen.path)


def overweights(
    new_context: Callable[[], BrowserContext],
    cookies: list,
    screens: Sequence[Screen],
    *,
    again: bool = True,
) -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield a page's address, budget, weight and requests if it weighs too much, cold or `again`.

    Some pages are open at once, since most of the time passes until nothing more is loaded.
    """
    visitors = [Visitor(new_context(), cookies) for _ in range(OPEN_AT_ONCE)]
    for first in range(0, len(screens), OPEN_AT_ONCE):
        visits = list(zip(visitors, screens[first : first + OPEN_AT_ONCE], strict=False))
        budgets = [visitor.forget(screen) for visitor, screen in visits]
        for limits in (budgets, [REPEAT] * len(visits))[: 1 + again]:
            for visitor, screen in visits:
                visitor.open(screen)
            for (visitor, screen), limit in zip(visits, limits, strict=True):
                settle(visitor.page)
                if not 0 < (wire := visitor.wire).bytes <= limit:
                    yield screen.path, limit, wire.bytes, wire.requests
