"""The company's divisions, and their sites with stock."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Division(StrEnum):
    """A part of the company; its value is the prefix in scopes and URLs."""

    GFM = "gfm"
    GPM = "gpm"
    FLEET = "fleet"
    ASSETS = "assets"

    @property
    def label(self) -> str:
        """Return the display name, such as 'GFM' or 'Fleet'."""
        return self.value.upper() if self in (Division.GFM, Division.GPM) else self.value.title()


OWNED = {
    Division.FLEET: "the fleet",
    Division.GFM: "GFM's stock",
    Division.GPM: "GPM's data",
    Division.ASSETS: "the asset register",
}
"""The property of each division in words; shared things belong to the first of their divisions."""


class Site(StrEnum):
    """A place that keeps stock."""

    MAIN = "main"
    GUILDFORD = "guildford"
    NORTHERN = "northern"

    @property
    def label(self) -> str:
        """Return the display name."""
        return self.value.title()


SITES: dict[Division, tuple[Site, ...]] = {
    Division.GFM: (Site.MAIN, Site.GUILDFORD, Site.NORTHERN),
    Division.GPM: (Site.MAIN,),
}


@dataclass(frozen=True, order=True)
class Store:
    """One division's stock at one site."""

    division: Division
    site: Site

    @property
    def place(self) -> dict[str, Any]:
        """Return the URL arguments that name the store."""
        return {"division": self.division.value, "site": self.site.value}

    @property
    def has_transfers(self) -> bool:
        """Return whether the division has another site to transfer stock to."""
        return len(SITES[self.division]) > 1
