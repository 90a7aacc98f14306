"""The pages of the register."""

from app.assets.acts import ACTS
from app.assets.pages import groups, moves, register
from app.assets.pages.register import bp
from app.records.acts import serve

__all__ = ["BLUEPRINTS", "SCREENS"]

BLUEPRINTS = (bp,)
SCREENS = [*register.SCREENS, *groups.SCREENS, *moves.SCREENS]

serve(bp, *ACTS)
