"""The JSON calls of stock, under each prefix that owns them (design §5)."""

from app.api.calls import Blueprint
from app.api.openapi import Api
from app.divisions import Division
from app.stock.api import history, inventory
from app.stock.api.scope import Scope

ABOUT = (
    "Under /api/gfm it is GFM's, under /api/gpm GPM's. Without a prefix the chosen division is "
    "meant where it keeps stock, else GFM; without a site GPM's main."
)


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gfm, /api/gpm and /api."""
    made = []
    for division in (Division.GFM, Division.GPM, None):
        prefix = f"/{division.value}" if division else ""
        blueprint = Blueprint(
            f"stock_{division or 'any'}", "Stock", ABOUT, url_prefix=f"/api{prefix}"
        )
        inventory.add_calls(blueprint, Scope(division))
        history.add_calls(blueprint, Scope(division))
        made.append(blueprint)
    return made


def register_calls(api: Api) -> None:
    """Serve the calls."""
    for blueprint in blueprints():
        api.register_blueprint(blueprint)
