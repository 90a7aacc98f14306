"""The page of the dashboard, and the waiting work of each division."""

from app.dashboard.pages.needs import waiting_in
from app.dashboard.pages.overview import BLUEPRINTS

__all__ = ["BLUEPRINTS", "waiting_in"]
