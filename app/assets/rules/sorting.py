"""The orders of the lists of assets, groups and moves; pure."""

from enum import StrEnum

from app.assets.rules.fields import ASSET_FIELDS
from app.fields import Day, Pounds, WholeNumber
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

VALUE = "value"
"""The column of quantity × purchase price."""

SORT_COLUMNS = {**{field.json: name for name, field in ASSET_FIELDS.items()}, VALUE: VALUE}
"""The orders of the register: its fields, by their JSON names, and the value."""

DEFAULT_ORDER = SortOrder("item")
"""The order of the register unless an address has another one."""


class GroupColumn(StrEnum):
    """A column that groups are sorted by."""

    NAME = "name"
    QUANTITY = "quantity"
    VALUE = "value"


def heading_of(name: str) -> str:
    """Return the heading of the column of a field, or of the value."""
    label = "Value" if name == VALUE else ASSET_FIELDS[name].label
    return " ".join(word[0].upper() + word[1:] for word in label.split())


def is_number(name: str) -> bool:
    """Return whether a column of the register holds numbers."""
    return name == VALUE or isinstance(ASSET_FIELDS[name], WholeNumber | Pounds)


def _kind(name: str) -> SortKind:
    if is_number(name):
        return SortKind.NUMBER
    return SortKind.DAY if isinstance(ASSET_FIELDS[name], Day) else SortKind.TEXT


REGISTER_COLUMNS = SortColumns(
    {
        column: SortColumn(heading_of(name), _kind(name), indexed=True)
        for column, name in SORT_COLUMNS.items()
    },
    DEFAULT_ORDER,
)

HIGHEST_VALUE_FIRST = SortOrder(GroupColumn.VALUE, descending=True)

GROUP_COLUMNS = SortColumns(
    {
        GroupColumn.NAME: SortColumn("Name", indexed=True),
        GroupColumn.QUANTITY: SortColumn("Quantity", SortKind.NUMBER, indexed=True),
        GroupColumn.VALUE: SortColumn("Value", SortKind.NUMBER, indexed=True),
    },
    HIGHEST_VALUE_FIRST,
)

MOVE_ORDERS = SortColumns(
    {
        "date": SortColumn("Date", SortKind.DAY, indexed=True),
        "asset": SortColumn("Asset"),
        "from": SortColumn("From"),
        "to": SortColumn("To"),
        "who": SortColumn("Who"),
    },
    SortOrder("date", descending=True),
)
