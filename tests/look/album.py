"""Photographs of views, and the page to look through them."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize

from tests.look.checks import RENDER_ROWS
from tests.look.screens import View

MAX_HEIGHT = 2_400
"""Pixels of a page that a photograph shows."""


@dataclass(frozen=True)
class Frame:
    """A window to photograph in: its name, pixels and colour schemes."""

    name: str
    width: int
    height: int
    schemes: tuple[str, ...] = ("light", "dark")
    is_touched: bool = False
    is_zoomed: bool = False

    @property
    def size(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}


PHONE_FRAMES = (
    Frame("360", 360, 740, is_touched=True),
    Frame("360 at 200 %", 180, 370, ("light",), is_zoomed=True),
)
DESK_FRAMES = (
    Frame("768", 768, 1024),
    Frame("1024", 1024, 768),
    Frame("1400", 1400, 900),
    Frame("1400 at 200 %", 700, 450, ("light",), is_zoomed=True),
)


@dataclass(frozen=True)
class Photograph:
    """What the index needs to know of a picture."""

    file: str
    screen: str
    state: str
    data: str
    width: str
    scheme: str


def photograph(page: Page, view: View, frame: Frame, folder: Path) -> Iterator[Photograph]:
    """Photograph the open page in a frame's window, in each of its schemes."""
    page.set_viewport_size(frame.size)
    page.evaluate(RENDER_ROWS)
    page.evaluate("() => { window.scrollTo(0, 0); }")
    height = page.evaluate("() => document.documentElement.scrollHeight")
    height = min(max(height, frame.height), MAX_HEIGHT)
    clip: FloatRect = {"x": 0, "y": 0, "width": frame.width, "height": height}
    for scheme in frame.schemes:
        page.emulate_media(color_scheme=scheme)
        file = f"{_slug(f'{view.name} {frame.name} {scheme}')}.jpg"
        page.screenshot(path=folder / file, type="jpeg", quality=70, full_page=True, clip=clip)
        yield Photograph(file, view.screen.name, view.state.name, view.data, frame.name, scheme)
    page.emulate_media(color_scheme="light")


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def write_index(folder: Path, photographs: list[Photograph], faults: str) -> Path:
    """Write the page to look through the photographs; returns its path."""
    template = Path(__file__).with_name("index.html").read_text()
    data = json.dumps([asdict(photograph) for photograph in photographs])
    index = folder / "index.html"
    index.write_text(
        template.replace("[/* photographs */]", data).replace(
            "<!-- faults -->", html.escape(faults)
        )
    )
    return index
