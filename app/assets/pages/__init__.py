"""The pages of the register."""

from app.assets.acts import ACTS
from app.assets.pages import asset, groups, history, move, register
from app.assets.pages.blueprint import bp
from app.records.acts import serve

__all__ = ["BLUEPRINTS", "SCREENS", "asset", "move"]

BLUEPRINTS = (bp,)
SCREENS = [*register.SCREENS, *groups.SCREENS, *history.SCREENS]

serve(bp, *ACTS)
