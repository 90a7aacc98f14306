"""The screens of stock."""

from app.stock.pages import history, insight, inventory, levels, movements, widgets

BLUEPRINTS = (inventory.bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS, *insight.SCREENS]

__all__ = ["BLUEPRINTS", "SCREENS", "levels", "movements", "widgets"]
