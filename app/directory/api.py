"""The JSON calls of directory, under /api/gpm and /api (design §5)."""

from app.web.api import Blueprint


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/gpm and /api."""
    return []
