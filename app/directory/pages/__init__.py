"""The pages of teams, services and keys."""

from app.directory.pages import keys, names
from app.directory.pages.blueprint import bp

__all__ = ["BLUEPRINTS", "SCREENS", "keys", "names"]

BLUEPRINTS = (bp,)
SCREENS = [*names.SCREENS, *keys.SCREENS]
