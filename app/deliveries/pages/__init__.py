"""The pages of deliveries."""

from app.deliveries.pages import arrivals, deliveries, orders
from app.deliveries.pages.blueprint import bp

__all__ = ["BLUEPRINTS", "SCREENS", "arrivals", "orders"]

BLUEPRINTS = (bp,)
SCREENS = deliveries.SCREENS
