"""The company's divisions, their sites with stock, and the roles of accounts in them."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.fields import LabelledEnum


class Division(LabelledEnum):
    """A part of the company; its value is the prefix in scopes and URLs."""

    GFM = "gfm", "GFM"
    GPM = "gpm", "GPM"
    FLEET = "fleet", "Fleet"
    ASSETS = "assets", "Assets"


OWNED = {
    Division.FLEET: "the fleet",
    Division.GFM: "GFM's stock",
    Division.GPM: "GPM's data",
    Division.ASSETS: "the asset register",
}
"""The property of each division in words; shared things belong to the first of their divisions."""


class Site(LabelledEnum):
    """A place that keeps stock."""

    MAIN = "main", "Main"
    GUILDFORD = "guildford", "Guildford"
    NORTHERN = "northern", "Northern"


SITES: dict[Division, tuple[Site, ...]] = {
    Division.GFM: (Site.MAIN, Site.GUILDFORD, Site.NORTHERN),
    Division.GPM: (Site.MAIN,),
}


@dataclass(frozen=True, order=True)
class Store:
    """One division's stock at one site."""

    division: Division
    site: Site

    def __str__(self) -> str:
        return f"{self.division.label} {self.site.label}"

    @property
    def place(self) -> dict[str, Any]:
        """Return the URL arguments that name the store."""
        return {"division": self.division.value, "site": self.site.value}

    @property
    def has_transfers(self) -> bool:
        """Return whether the division has another site to transfer stock to."""
        return len(SITES[self.division]) > 1


STORES = tuple(Store(division, site) for division, sites in SITES.items() for site in sites)
"""All stores, in the order of their divisions."""


class Role(StrEnum):
    """A role in a division, none of which implies another; see docs/domain.md, Roles."""

    VIEWER = "viewer"
    WORKER = "worker"
    MANAGER = "manager"


def role_words(roles: Collection[Role]) -> str:
    """Return roles in words, such as 'viewer and manager'; empty without any."""
    *others, last = [role.value for role in Role if role in roles] or [""]
    return f"{', '.join(others)} and {last}" if others else last


WHOLE_DIVISION = frozenset({Role.WORKER, Role.MANAGER})
"""The roles of a division that is granted without naming any, and of a scope."""
