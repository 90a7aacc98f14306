"""The order of a list of assets or groups; pure."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from app.assets.rules.fields import ASSET_FIELDS

VALUE = "value"
"""The column of quantity × purchase price."""

SORT_COLUMNS = {**{field.json: name for name, field in ASSET_FIELDS.items()}, VALUE: VALUE}
"""What the register is sorted by: its fields, by their JSON names, and the value."""


class GroupColumn(StrEnum):
    """A column that groups are sorted by."""

    NAME = "name"
    QUANTITY = "quantity"
    VALUE = "value"


@dataclass(frozen=True)
class SortOrder:
    """The column that a list is sorted by and its direction; 'value' or '-value' in addresses."""

    by: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.by}" if self.descending else str(self.by)

    @property
    def direction(self) -> str:
        """Return the direction in words, as `aria-sort` has it."""
        return "descending" if self.descending else "ascending"

    def reversed(self) -> "SortOrder":
        """Return the order in the other direction."""
        return replace(self, descending=not self.descending)


DEFAULT_ORDER = SortOrder("item")
"""The order of the register unless an address has another one."""


def parse_order(text: str, columns: Collection[str], default: SortOrder) -> SortOrder:
    """Return the order of a text such as '-value', `default` for a column that isn't known."""
    column = text.removeprefix("-")
    return SortOrder(column, descending=text.startswith("-")) if column in columns else default
