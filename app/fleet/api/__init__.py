"""The JSON calls of the fleet, under /api/fleet, /api/gpm and /api (design §5)."""

from app.api.calls import Blueprint
from app.api.openapi import Api
from app.divisions import Division
from app.fleet.api import checks, photos, vehicles


def blueprints() -> list[Blueprint]:
    """Return the calls under each prefix that owns them."""
    made = []
    for division in (Division.FLEET, Division.GPM, None):
        prefix = f"/{division.value}" if division else ""
        blueprint = Blueprint(
            f"fleet_{division or 'any'}",
            "Fleet",
            "Vehicles and their checks, which Fleet and GPM share.",
            url_prefix=f"/api{prefix}",
        )
        for part in (vehicles, checks, photos):
            part.add_calls(blueprint, division)
        made.append(blueprint)
    return made


def register_calls(api: Api) -> None:
    """Serve the calls."""
    for blueprint in blueprints():
        api.register_blueprint(blueprint)
