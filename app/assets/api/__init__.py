"""The JSON calls of the register, under /api (design §5)."""

from app.assets.api import groups, moves, register
from app.web.api import Blueprint


def blueprints() -> list[Blueprint]:
    """Return the calls; the company has one register, so they have no prefix."""
    blueprint = Blueprint("api_assets", __name__, url_prefix="/api")
    blueprint.description = "The register of what the company owns, and how it moved"
    for part in (register, groups, moves):
        part.add_calls(blueprint)
    return [blueprint]
