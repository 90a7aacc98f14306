"""The menu of a division: the screens that each feature declares."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, request, url_for

from app.divisions import Division
from app.web.access import safe_next


@dataclass(frozen=True)
class Screen:
    """A page in the menu and on the dashboard of a division."""

    division: Division
    label: str
    endpoint: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Return the URL of the screen."""
        return url_for(self.endpoint, **self.values)


def screens_of(division: Division | None) -> list[Screen]:
    """Return the screens of a division, in the order of the menu."""
    screens: Sequence[Screen] = current_app.extensions["screens"]
    return [screen for screen in screens if screen.division == division]


def referring_path() -> str | None:
    """Return the path with query of our page that led here, None if there was none."""
    referrer = request.referrer or ""
    if not referrer.startswith(request.host_url):
        return None
    return safe_next("/" + referrer.removeprefix(request.host_url))


def back_link(ending: str) -> str | None:
    """Return the path with query of the page that linked here, for a Back link.

    None unless its path ends with `ending` and differs from this page's.
    """
    path = referring_path()
    referring = path and urlsplit(path).path
    return path if referring and referring.endswith(ending) and referring != request.path else None


def init_app(app: Flask, screens: Sequence[Screen]) -> None:
    """Register the screens, and give templates `screens_of`."""
    app.extensions["screens"] = screens
    app.jinja_env.globals["screens_of"] = screens_of
