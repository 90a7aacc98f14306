"""The menu of a division's screens: each feature names the ones it has."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, current_app, url_for

from app.divisions import Division


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


def init_app(app: Flask, screens: Sequence[Screen]) -> None:
    """Offer the screens to every template."""
    app.extensions["screens"] = screens
    app.jinja_env.globals["screens_of"] = screens_of
