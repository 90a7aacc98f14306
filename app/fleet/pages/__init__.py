"""The pages of the fleet."""

from app.fleet.pages import check_form, checks, vehicles
from app.fleet.pages.scope import bp

BLUEPRINTS = (bp,)
SCREENS = [*vehicles.SCREENS, *check_form.SCREENS, *checks.SCREENS]
