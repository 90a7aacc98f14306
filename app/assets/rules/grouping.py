"""How the register is grouped; pure."""

from dataclasses import dataclass

from app.assets.rules.assets import Dimension

NO_SUBGROUPS = "nothing"
"""The second level in an address of groups without subgroups."""


@dataclass(frozen=True)
class Levels:
    """The dimensions of groups and of their subgroups, None without subgroups."""

    by: Dimension
    then: Dimension | None


def parse_levels(by: str, then: str) -> Levels:
    """Return the two levels; an unknown one, or the same one twice, becomes the default."""
    first = Dimension(by) if by in set(Dimension) else Dimension.LOCATION
    if then == NO_SUBGROUPS:
        return Levels(first, None)
    if then in set(Dimension) and then != first:
        return Levels(first, Dimension(then))
    is_category = first is Dimension.CATEGORY
    return Levels(first, Dimension.LOCATION if is_category else Dimension.CATEGORY)
