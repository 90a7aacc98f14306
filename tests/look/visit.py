"""One run of `make look`: opens each view in each window, photographs and checks it."""

import shutil
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize

from tests.journeys.conftest import Product, open_profile, start
from tests.look import checks
from tests.look.album import DESK_FRAMES, PHONE_FRAMES, Frame, Photograph, photograph
from tests.look.data import DATA, DEMO, FULL, KEEPER, WORST
from tests.look.html import faults_of
from tests.look.screens import Screen, View, views

FRAMES = {"phone": PHONE_FRAMES, "desk": DESK_FRAMES}
README_PICTURES = {"stock-360.png": "phone", "stock-1400.png": "desk"}


ROWS_IN_VIEW: dict[str, tuple[ViewportSize, int]] = {
    "360": ({"width": 360, "height": 740}, 6),
    "1400": ({"width": 1366, "height": 768}, 14),
}
"""In a frame's place, the window in which a list shows at least so many rows."""


class Visit:
    """Visits a served product; collects photographs in a folder, and faults.

    A fault is a view's name, the check that failed, and what it found.
    """

    def __init__(self, product: Product, browser: Browser, folder: Path) -> None:
        self.product = product
        self.browser = browser
        self.folder = folder
        self.photographs: list[Photograph] = []
        self.faults: list[tuple[str, str, str]] = []
        self._pages = folder / "html"
        self._pages.mkdir()

    def look_at(self, data: str, screens: tuple[Screen, ...]) -> None:
        """Photograph and check screens with a set of data."""
        if not any(views(data, screens=screens)):
            return
        self._fill(data)
        for width in FRAMES:
            found = list(views(data, width, screens))
            for user in dict.fromkeys(view.screen.by for view in found):
                print(f"{data}: {user or 'nobody'}, {width}", flush=True)
                self._look_as(user, [view for view in found if view.screen.by == user], width)

    def check_html(self) -> None:
        """Run the HTML checker on all pages visited."""
        for name, faults in faults_of(self._pages).items():
            view = name.removesuffix(".html")
            self.faults += [(view, "HTML", ": ".join(fault)) for fault in sorted(faults)]
        shutil.rmtree(self._pages)

    def photograph_for_readme(self, folder: Path) -> None:
        """Make the README's pictures anew: the demo's stock list."""
        self._fill(DEMO)
        for file, width in README_PICTURES.items():
            context = self._profile(width)
            page = context.new_page()
            start(page, KEEPER)
            page.goto("/inventory/main")
            checks.settle(page)
            page.screenshot(path=folder / file)
            context.close()

    def _fill(self, data: str) -> None:
        self.product.renew()
        with self.product.app.app_context():
            DATA[data]()

    def _profile(self, width: str = "desk") -> BrowserContext:
        return open_profile(self.browser, self.product, width)

    def _look_as(self, user: str | None, found: list[View], width: str) -> None:
        context = self._profile(width)
        page = context.new_page()
        checks.load_axe(page)
        if user:
            start(page, user)
        for view in found:
            first, *others = FRAMES[width]
            page.set_viewport_size(first.size)
            if self._open(page, view, width):
                for frame in (first, *others):
                    self.photographs += photograph(page, view, frame, self.folder)
                    self._check(page, view, frame)
        is_weighed = user and width == "desk" and found[0].data == FULL
        if is_weighed:
            self._weigh(list(dict.fromkeys(view.screen for view in found)), context)
        context.close()

    def _open(self, page: Page, view: View, width: str) -> bool:
        """Open a view and keep its HTML; return whether it was reached."""
        try:
            reply = view.open(page)
        except (Error, AssertionError) as error:
            self._add(view, f"reached, {width}", str(error).splitlines()[:1])
            return False
        if width == "desk" and reply.status == view.state.status:
            (self._pages / f"{view.name.replace('/', ' ')}.html").write_bytes(reply.body())
        return True

    def _check(self, page: Page, view: View, frame: Frame) -> None:
        self._add(view, f"axe, {frame.name}", checks.violations(page, *frame.schemes))
        if frame.is_touched:
            self._add(view, "too low to tap", page.evaluate(checks.LOW_CONTROLS))
        # Twice as large, not even the longest texts and largest numbers need to be in one piece.
        if frame.is_zoomed and view.data == WORST:
            faults: list[object] = ["scrolls sideways"] if checks.scrolls_sideways(page) else []
        else:
            may_break_numbers = view.data == WORST and not view.is_list
            faults = checks.layout_faults(page, may_break_numbers=may_break_numbers)
        self._add(view, f"layout, {frame.name}", faults)
        if view.is_list and view.data in (FULL, DEMO) and frame.name in ROWS_IN_VIEW:
            size, least = ROWS_IN_VIEW[frame.name]
            page.set_viewport_size(size)
            self._add(view, f"rows, {frame.name}", checks.too_few_rows(page, least))

    def _weigh(self, screens: list[Screen], context: BrowserContext) -> None:
        names = {screen.path: screen.name for screen in screens if screen.budget}
        weighed = [screen for screen in screens if screen.budget]
        for path, limit, size, _ in checks.overweights(self._profile, context.cookies(), weighed):
            self.faults.append((names[path], "bytes", f"{path}: {size:,} of {limit:,}"))

    def _add(self, view: View, check: str, found: list) -> None:
        for each in found:
            fault = view.name, check, str(each)[:300]
            # A run takes long; whoever looks on needn't wait for its end.
            print("  ", *fault, sep="  ", flush=True)
            self.faults.append(fault)
