"""The screens of the register."""

from app.assets.pages import groups, history, register
from app.assets.pages.addresses import bp

BLUEPRINTS = (bp,)
SCREENS = [*register.SCREENS, *groups.SCREENS, *history.SCREENS]
