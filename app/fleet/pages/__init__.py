"""The pages of the fleet."""

from app.fleet.acts import ACTS
from app.fleet.pages import check_form, checks, vehicles
from app.records.acts import serve

BLUEPRINTS = (vehicles.bp,)
VEHICLES = vehicles.SCREENS
SCREENS = [*check_form.SCREENS, *checks.SCREENS]

serve(vehicles.bp, *ACTS, checks.REVIEW)
