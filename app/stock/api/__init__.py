"""The JSON calls of stock, under each prefix that owns them (design §5)."""

from app.divisions import Division
from app.stock.api import history, inventory
from app.stock.api.scope import Scope
from app.web.api import Blueprint


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gfm, /api/gpm and /api."""
    made = []
    for division in (Division.GFM, Division.GPM, None):
        prefix = f"/{division.value}" if division else ""
        blueprint = Blueprint(
            f"api_stock_{division or 'any'}", __name__, url_prefix=f"/api{prefix}"
        )
        blueprint.description = (
            f"Stock of {division.label}"
            if division
            else ("Stock of the chosen division where it keeps stock, else of GFM")
        )
        inventory.add_calls(blueprint, Scope(division))
        history.add_calls(blueprint, Scope(division))
        made.append(blueprint)
    return made
