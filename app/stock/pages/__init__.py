"""The screens of stock."""

from app.stock.pages import (
    bulk,
    counts,
    history,
    inventory,
    item_page,
    items,
    movements,
    operations,
    references,
)
from app.stock.pages.stores import bp

BLUEPRINTS = (bp, history.bp)
SCREENS = [*inventory.SCREENS, *history.SCREENS]

__all__ = [
    "BLUEPRINTS",
    "SCREENS",
    "bulk",
    "counts",
    "item_page",
    "items",
    "movements",
    "operations",
    "references",
]
