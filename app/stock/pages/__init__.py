"""The screens of stock."""

from app.stock.pages import counts, history, inventory, items, movements, operations
from app.stock.pages.stores import bp

BLUEPRINTS = (bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS]

__all__ = ["BLUEPRINTS", "SCREENS", "counts", "items", "movements", "operations"]
