"""In which order a list of assets stands; pure."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, Self, TypeVar


class Column(StrEnum):
    """What the register can be sorted by: the entity's fields (seed §3), and value."""

    ITEM = "item"
    ID = "id"
    MAKE = "make"
    MODEL = "model"
    SERIAL = "serial"
    SUPPLIER = "supplier"
    LOCATION = "location"
    PURCHASE_DATE = "purchaseDate"
    PURCHASE_PRICE = "purchasePrice"
    CATEGORY = "category"
    STATUS = "status"
    QUANTITY = "quantity"
    VALUE = "value"


class GroupColumn(StrEnum):
    """What groups can be sorted by."""

    NAME = "name"
    QUANTITY = "quantity"
    VALUE = "value"


By = TypeVar("By", bound=StrEnum)


@dataclass(frozen=True)
class Order(Generic[By]):
    """A column, and whether the greatest come first; written 'value' or '-value'."""

    by: By
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.by}" if self.descending else self.by.value

    def turned(self) -> Self:
        """Return the other direction."""
        return replace(self, descending=not self.descending)


def order_said(text: str, kind: type[By], otherwise: Order[By]) -> Order[By]:
    """Read an order such as '-value', `otherwise` where the text says nothing of the kind."""
    name = text.removeprefix("-")
    if name not in set(kind):
        return otherwise
    return Order(kind(name), descending=text.startswith("-"))
