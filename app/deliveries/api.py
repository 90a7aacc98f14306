"""The JSON calls of deliveries, under /api/gpm and /api (design §5)."""

from app.web.api import Blueprint


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gpm and /api."""
    return []
