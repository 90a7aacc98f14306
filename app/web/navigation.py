"""The menu of a division: the screens that each feature declares."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, request, url_for

from app.divisions import Division
from app.web.access import current_user, safe_next
from app.web.policies import may_change, policy_of


@dataclass(frozen=True)
class Screen:
    """A page in the menu and on the dashboard of a division.

    `menu_label` is its shorter name in the menu; one that `is_more` stands behind More there. `key`
    is the letter that leads to it after g.
    """

    division: Division
    label: str
    endpoint: str
    values: dict[str, Any] = field(default_factory=dict)
    menu_label: str = ""
    is_more: bool = False
    key: str = ""

    @property
    def url(self) -> str:
        """Return the URL of the screen."""
        return url_for(self.endpoint, **self.values)

    @property
    def is_useful(self) -> bool:
        """Return whether it is of use to the user: who may only look fills in no form."""
        policy = policy_of(self.endpoint, self.values)
        return policy is None or not policy.changes or may_change(policy, current_user())


def shared_screens(
    divisions: Iterable[Division],
    label: str,
    endpoint: str,
    *,
    in_path: bool = False,
    **options: Any,
) -> list[Screen]:
    """Return the screens of a page that divisions share; its path may name the division."""
    return [
        Screen(each, label, endpoint, {"division": each.value} if in_path else {}, **options)
        for each in divisions
    ]


def screens_of(division: Division | None) -> list[Screen]:
    """Return the screens of a division that are of use to the user, in the order of the menu."""
    screens: Sequence[Screen] = current_app.extensions["screens"]
    return [screen for screen in screens if screen.division == division and screen.is_useful]


def menu_of(division: Division | None) -> Mapping[str, Sequence[Screen]]:
    """Return the screens of a division by the groups of the menu, in their order."""
    groups: Mapping[str, Sequence[Screen]] = current_app.extensions["menu"]
    found = {
        name: [screen for screen in screens if screen.division == division and screen.is_useful]
        for name, screens in groups.items()
    }
    return {name: screens for name, screens in found.items() if screens}


def current_screen(division: Division | None) -> str | None:
    """Return the URL of a division's screen that the page is, or belongs to as a vehicle's does."""
    urls = [screen.url for screen in screens_of(division)]
    around = [url for url in urls if f"{request.path}/".startswith(f"{url}/")]
    return max(around, key=len, default=None)


def referring_path() -> str | None:
    """Return the path with query of our page that led here, or None."""
    referrer = request.referrer or ""
    if not referrer.startswith(request.host_url):
        return None
    return safe_next("/" + referrer.removeprefix(request.host_url))


def back_link(ending: str) -> str | None:
    """Return the path and query of the page that linked here if its path ends with `ending`.

    None without such a page, and for this page itself.
    """
    path = referring_path()
    referring = path and urlsplit(path).path
    return path if referring and referring.endswith(ending) and referring != request.path else None


def init_app(
    app: Flask,
    menu: Mapping[str, Sequence[Screen]],
    waiting_in: Callable[[Division], Sequence[str]],
) -> None:
    """Register the menu's screens; `waiting_in` returns a division's waiting work in words."""
    app.extensions["menu"] = menu
    app.extensions["screens"] = [screen for screens in menu.values() for screen in screens]
    app.jinja_env.globals.update(
        screens_of=screens_of, menu_of=menu_of, current_screen=current_screen, waiting_in=waiting_in
    )
