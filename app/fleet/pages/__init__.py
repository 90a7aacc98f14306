"""The pages of the fleet."""

from app.fleet.acts import ACTS
from app.fleet.pages import check_form, checks, vehicles
from app.fleet.pages.scope import bp
from app.records.acts import serve

BLUEPRINTS = (bp,)
SCREENS = [*vehicles.SCREENS, *check_form.SCREENS, *checks.SCREENS]

serve(bp, *ACTS)
