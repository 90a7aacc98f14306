"""The division and store of a call: from its path, or the user's chosen ones."""

from typing import Any

from app.divisions import SITES, Division, Site, Store
from app.errors import Forbidden, NotFound
from app.web import access
from app.web.access import current_user

TITLE = "Stock"
ABOUT = (
    "Calls under /api/gfm refer to GFM's stock, under /api/gpm to GPM's. Without a prefix they "
    "refer to the chosen division if it keeps stock, else to GFM; without a site to GPM's main."
)

FOR_STOCK_DIVISIONS = access.api_call_by_prefix(*SITES)


def site_parameter(division: Division | None) -> dict[str, Any]:
    """Return the description of the site in the paths of a division's calls."""
    sites = [site.value for site in SITES[division or Division.GFM]]
    schema = {"type": "string", "enum": sites}
    return {"in": "path", "name": "site", "schema": schema, "required": True}


def owner_of(division: Division | None) -> Division:
    """Return the division that a call refers to; without one the chosen one, or GFM.

    Raises Forbidden when the user doesn't belong to it.
    """
    if division:
        return division
    chosen = current_user().chosen
    owner = chosen if chosen and chosen in SITES else Division.GFM
    if owner not in current_user().divisions:
        raise Forbidden(f"This belongs to {Division.GFM.label}; name your division in the address.")
    return owner


def store_of(division: Division | None, site: str | None) -> Store:
    """Return the store that a call refers to; without a site it is GPM's.

    Raises NotFound for a site that the division doesn't have, and Forbidden.
    """
    if site is None:
        if Division.GPM not in current_user().divisions:
            raise Forbidden("This belongs to GPM; name your site in the address.")
        return Store(Division.GPM, Site.MAIN)
    owner = owner_of(division)
    if site not in SITES[owner]:
        raise NotFound(f'{owner.label} has no site "{site[:40]}".')
    return Store(owner, Site(site))
