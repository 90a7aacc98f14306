"""The menu of a division's screens: each feature names the ones it has."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, request, url_for

from app.divisions import Division
from app.web.access import safe_next


@dataclass(frozen=True)
class Screen:
    """A page that a division's people open from the menu and the dashboard."""

    division: Division
    label: str
    endpoint: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Return its address."""
        return url_for(self.endpoint, **self.values)


def screens_of(division: Division | None) -> list[Screen]:
    """Return the screens of a division, in the order of the menu."""
    screens: Sequence[Screen] = current_app.extensions["screens"]
    return [screen for screen in screens if screen.division == division]


def back_link(ending: str) -> str | None:
    """Return the page of ours that led here, so that Back finds it as it was.

    It is one whose address ends in `ending`, and not the page itself.
    """
    referrer = request.referrer or ""
    if not referrer.startswith(request.host_url):
        return None
    path = safe_next("/" + referrer.removeprefix(request.host_url))
    leads = path and urlsplit(path).path
    return path if leads and leads.endswith(ending) and leads != request.path else None


def init_app(app: Flask, screens: Sequence[Screen]) -> None:
    """Offer the screens to every template."""
    app.extensions["screens"] = screens
    app.jinja_env.globals["screens_of"] = screens_of
