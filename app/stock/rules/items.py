"""An item of stock, and the ways it refuses a change; pure."""

from dataclasses import dataclass
from enum import StrEnum

from app.errors import Conflict, ErrorCode, Invalid, NotFound
from app.money import MAX_AMOUNT, format_number
from app.stock.rules.item_fields import QUANTITY

DEFAULT_UNIT = "pcs"


class EntryKind(StrEnum):
    """Why a ledger entry was written."""

    DELIVERY = "delivery"
    WITHDRAWAL = "withdrawal"
    TRANSFER = "transfer"
    COUNT = "count"
    ADDITION = "addition"
    CORRECTION = "correction"
    REMOVAL = "removal"

    @property
    def label(self) -> str:
        """Return the name that people read."""
        return "Stock check" if self is EntryKind.COUNT else self.value.title()


@dataclass(frozen=True)
class ItemState:
    """The values of an item before or after an operation; `id` is None before it is stored."""

    id: int | None
    name: str
    amount: int
    category: str = ""
    unit_price: int = 0
    unit: str = DEFAULT_UNIT
    removed: bool = False


class NoSuchItem(NotFound):
    """The item isn't in stock, or no longer."""

    def __init__(self) -> None:
        super().__init__("This item is no longer in stock. Load the list again.")


class NotEnough(Conflict):
    """The requested quantity of an item exceeds its stock; `details` have the available amount."""

    code = ErrorCode.NOT_ENOUGH_STOCK

    def __init__(self, item: ItemState) -> None:
        message = f'Not enough stock: "{item.name}" has {format_number(item.amount)}'
        super().__init__(message, "quantity")
        self.name = item.name
        self.details = {"available": item.amount}


class ItemNameTaken(Conflict):
    """An addition would change an item whose current amount the user hasn't confirmed."""

    code = ErrorCode.NAME_TAKEN

    def __init__(self, existing: ItemState) -> None:
        super().__init__(
            f'Name already exists: "{existing.name}" has {format_number(existing.amount)}. '
            "Choose Update to change it, or deliver instead.",
            "name",
        )


def check_enough(item: ItemState, quantity: int) -> None:
    """Check that at least `quantity` of an item is in stock.

    So its amount never falls below 0, and a refused change takes nothing: raises NotEnough
    (docs/domain.md, Stock and its ledger).
    """
    if quantity > item.amount:
        raise NotEnough(item)


def check_amount(item: ItemState) -> None:
    """Check that an item's amount is from 0 to MAX_AMOUNT; raises Conflict."""
    if not 0 <= item.amount <= MAX_AMOUNT:
        raise Conflict(
            f'"{item.name}" would have {format_number(item.amount)}. '
            f"An item has 0 to {format_number(MAX_AMOUNT)}.",
            "quantity",
        )


def check_quantity(quantity: int) -> int:
    """Return a quantity that is at least 1; raises Invalid."""
    if quantity < QUANTITY.minimum:
        raise Invalid(QUANTITY.minimum_message, "quantity")
    return quantity


def stored_id(item: ItemState) -> int:
    """Return the id of an item that is stored; raises Invalid for a new one."""
    if item.id is None:
        raise Invalid(f'"{item.name}" is not in stock yet. Add it first.')
    return item.id
