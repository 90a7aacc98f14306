"""Whose stock a call means: its prefix says it, or the chosen division does."""

from dataclasses import dataclass
from typing import Any

from app.divisions import SITES, Division, Site, Store
from app.errors import Forbidden, NotFound
from app.web import access
from app.web.access import Policy, current_user


@dataclass(frozen=True)
class Scope:
    """The calls under one prefix; without a division they mean the chosen one (design §5)."""

    division: Division | None

    @property
    def policy(self) -> Policy:
        """Return what its calls ask of their user."""
        return access.api_call(*([self.division] if self.division else SITES))

    @property
    def site_parameter(self) -> dict[str, Any]:
        """Return how the site in an address is documented."""
        sites = SITES[self.division or Division.GFM]
        described = {"type": "string", "enum": [site.value for site in sites]}
        return {"in": "path", "name": "site", "schema": described, "required": True}

    def owner(self, usual: Division) -> Division:
        """Return the division that a call means; `usual` where none is chosen that keeps stock.

        Raises Forbidden when its user doesn't belong to that.
        """
        if self.division:
            return self.division
        chosen = current_user().chosen
        meant = chosen if chosen and chosen in SITES else usual
        if meant not in current_user().divisions:
            raise Forbidden(f"This belongs to {usual.label}; name your division in the address.")
        return meant

    def store(self, site: str | None) -> Store:
        """Return the stock that a call means; without a site that is GPM's.

        Raises NotFound for a site that the division doesn't have.
        """
        if site is None:
            if Division.GPM not in current_user().divisions:
                raise Forbidden("This belongs to GPM; name your site in the address.")
            return Store(Division.GPM, Site.MAIN)
        owner = self.owner(Division.GFM)
        if site not in SITES[owner]:
            raise NotFound(f'{owner.label} has no site "{site[:40]}".')
        return Store(owner, Site(site))
