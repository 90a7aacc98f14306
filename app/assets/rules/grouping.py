"""By what the register is grouped; pure."""

from dataclasses import dataclass

from app.assets.rules.assets import Dimension
from app.assets.rules.sorting import GroupColumn, Order

NOTHING = "nothing"
"""What an address says where groups have no sub-groups."""

DEAREST_FIRST = Order(GroupColumn.VALUE, descending=True)

PLURALS = {
    Dimension.LOCATION: "locations",
    Dimension.ITEM: "items",
    Dimension.CATEGORY: "categories",
    Dimension.SUPPLIER: "suppliers",
    Dimension.MAKE: "makes",
    Dimension.MODEL: "models",
}


@dataclass(frozen=True)
class Levels:
    """By what assets are grouped, and by what within each group; None is not at all."""

    by: Dimension
    then: Dimension | None


def levels_said(by: str, then: str) -> Levels:
    """Read the two levels; what isn't one, or the second that is the first, is the default."""
    first = Dimension(by) if by in set(Dimension) else Dimension.LOCATION
    if then == NOTHING:
        return Levels(first, None)
    if then in set(Dimension) and then != first:
        return Levels(first, Dimension(then))
    is_category = first is Dimension.CATEGORY
    return Levels(first, Dimension.LOCATION if is_category else Dimension.CATEGORY)
