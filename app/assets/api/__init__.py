"""The JSON calls of the register, under /api (design §5)."""

from app.api.calls import Blueprint
from app.api.openapi import Api
from app.assets.api import groups, moves, register


def blueprints() -> list[Blueprint]:
    """Return the calls; the company has one register, so they have no prefix."""
    about = "The register of what the company owns, and how it moved."
    blueprint = Blueprint("assets", "Assets", about, url_prefix="/api")
    for part in (register, groups, moves):
        part.add_calls(blueprint)
    return [blueprint]


def register_calls(api: Api) -> None:
    """Serve the calls."""
    for blueprint in blueprints():
        api.register_blueprint(blueprint)
