"""The screens of stock."""

from app.stock.pages import history, inventory, movements, widgets
from app.stock.pages.stores import bp

BLUEPRINTS = (bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS]

__all__ = ["BLUEPRINTS", "SCREENS", "movements", "widgets"]
