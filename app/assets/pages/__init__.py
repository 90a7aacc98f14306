"""The screens of the register."""

from app.assets.pages import asset, groups, history, moving, register
from app.assets.pages.addresses import bp

__all__ = ["BLUEPRINTS", "SCREENS", "asset", "moving"]

BLUEPRINTS = (bp,)
SCREENS = [*register.SCREENS, *groups.SCREENS, *history.SCREENS]
