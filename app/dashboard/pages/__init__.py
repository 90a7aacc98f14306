"""The page of the dashboard, and what waits in each division."""

from app.dashboard.pages.needs import waiting_in
from app.dashboard.pages.overview import BLUEPRINTS, SCREENS

__all__ = ["BLUEPRINTS", "SCREENS", "waiting_in"]
