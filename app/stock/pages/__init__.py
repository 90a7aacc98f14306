"""The screens of stock."""

from app.stock.pages import history, inventory, items, movements, widgets
from app.stock.pages.stores import bp

BLUEPRINTS = (bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS]

__all__ = ["BLUEPRINTS", "SCREENS", "items", "movements", "widgets"]
