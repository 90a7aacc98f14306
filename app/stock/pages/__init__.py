"""The screens of stock."""

from app.stock.pages import counts, inventory, items, operations
from app.stock.pages.inventory import SCREENS
from app.stock.pages.stores import bp

__all__ = ["SCREENS", "bp", "counts", "inventory", "items", "operations"]
