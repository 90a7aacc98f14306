"""The screens of stock."""

from app.stock.pages import history, inventory, movements, widgets

BLUEPRINTS = (inventory.bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS]

__all__ = ["BLUEPRINTS", "SCREENS", "movements", "widgets"]
