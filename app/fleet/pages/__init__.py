"""The screens of the fleet."""

from app.fleet.pages import checks, forms, vehicles
from app.fleet.pages.addresses import bp

BLUEPRINTS = (bp,)
SCREENS = [*vehicles.SCREENS, *forms.SCREENS, *checks.SCREENS]
