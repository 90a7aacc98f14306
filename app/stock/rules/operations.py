"""What an operation does to an item, and when it may not; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from app import names
from app.errors import Conflict, Invalid
from app.money import MAX_AMOUNT, format_number, format_pence

LONGEST_NAME = 200
LONGEST_CATEGORY = 100
LONGEST_UNIT = 20
LONGEST_TEAM = 100
LONGEST_REASON = 400
DEFAULT_UNIT = "pcs"


class Kind(StrEnum):
    """Why a ledger line was written."""

    DELIVERY = "delivery"
    WITHDRAWAL = "withdrawal"
    TRANSFER = "transfer"
    COUNT = "count"
    ADDITION = "addition"
    CORRECTION = "correction"
    REMOVAL = "removal"

    @property
    def label(self) -> str:
        """Return the name people read."""
        return "Stock check" if self is Kind.COUNT else self.value.title()


@dataclass(frozen=True)
class ItemState:
    """An item as an operation finds or leaves it; `id` is None before it exists."""

    id: int | None
    name: str
    amount: int
    category: str = ""
    unit_price: int = 0
    unit: str = DEFAULT_UNIT
    removed: bool = False


@dataclass(frozen=True)
class Increase:
    """Op type inc: more of an item; `based_on` is the amount that its user has seen."""

    item_id: int
    quantity: int
    kind: Kind = Kind.DELIVERY
    based_on: int | None = None


@dataclass(frozen=True)
class Decrease:
    """Op type dec: less of an item; `based_on` is the amount that its user has seen."""

    item_id: int
    quantity: int
    kind: Kind = Kind.WITHDRAWAL
    based_on: int | None = None


@dataclass(frozen=True)
class Change:
    """Op type set: other values for an item; None leaves a value alone."""

    item_id: int
    name: str | None = None
    amount: int | None = None
    category: str | None = None
    unit_price: int | None = None
    unit: str | None = None
    based_on: int | None = None


@dataclass(frozen=True)
class Add:
    """Op type add: an item that isn't there yet."""

    item: ItemState
    kind: Kind = Kind.ADDITION


@dataclass(frozen=True)
class Remove:
    """Op type remove: an item leaves the list, with all that is left of it."""

    item_id: int
    based_on: int | None = None


Changes = Mapping[str, Sequence[Any]]
"""Values other than the amount that a line changed: name of the value → (before, after)."""


@dataclass(frozen=True)
class Reverse:
    """Take back what one line did: its delta, and its changes where they still stand."""

    item_id: int
    delta: int
    changes: Changes = field(default_factory=dict)


Operation = Increase | Decrease | Change | Add | Remove | Reverse


@dataclass(frozen=True)
class Line:
    """What one operation did to one item."""

    kind: Kind
    before: ItemState
    after: ItemState
    detail: str = ""

    @property
    def delta(self) -> int:
        """Return by how much the amount changed."""
        return self.after.amount - self.before.amount

    @property
    def changes(self) -> Changes:
        """Return the values other than the amount that it changed."""
        return {
            name: (getattr(self.before, name), getattr(self.after, name))
            for name in ("name", "category", "unit_price", "unit", "removed")
            if getattr(self.before, name) != getattr(self.after, name)
        }


def plan_delivery(item: ItemState, quantity: int) -> Sequence[Operation]:
    """Return the operations that take a delivery into stock."""
    return [Increase(_id(item), _at_least_one(quantity))]


def plan_withdrawal(
    item: ItemState, quantity: int, kind: Kind = Kind.WITHDRAWAL
) -> Sequence[Operation]:
    """Return the operations that take a quantity out of stock."""
    return [Decrease(_id(item), _at_least_one(quantity), kind)]


def plan_arrival(item: ItemState, existing: ItemState | None, quantity: int) -> Sequence[Operation]:
    """Return the operations that a transfer of an item needs at its destination."""
    if existing is None:
        return [Add(replace(item, id=None, amount=quantity), Kind.TRANSFER)]
    return [Increase(_id(existing), quantity, Kind.TRANSFER)]


def plan_addition(
    new: ItemState, existing: ItemState | None, based_on: int | None, *, keeps_price: bool = False
) -> Sequence[Operation]:
    """Return the operations that add an item, or update the one that has its name (seed §4).

    `based_on` is the amount of the existing item that the user has seen. Raises Conflict when
    that is not its amount now. What the user left empty stays as it was.
    """
    if existing is None:
        return [Add(new)]
    if based_on != existing.amount:
        raise NameExists(existing)
    return [
        Change(
            _id(existing),
            amount=new.amount,
            category=new.category or None,
            unit_price=None if keeps_price else new.unit_price,
        )
    ]


class NameExists(Conflict):
    """An addition would change an item that the user hasn't seen as it is now."""

    def __init__(self, existing: ItemState) -> None:
        super().__init__(
            f'Name already exists: "{existing.name}" has {format_number(existing.amount)}. '
            "Save again to update it.",
            "name",
        )
        self.existing = existing


@dataclass(frozen=True)
class Moved:
    """An item whose stock isn't what its user saw; `amount` is None when it is gone."""

    name: str
    seen: int
    amount: int | None


def based_on(operation: Operation) -> int | None:
    """Return the amount that an operation's user has seen, None where that doesn't matter."""
    return None if isinstance(operation, Add | Reverse) else operation.based_on


def apply(operation: Operation, item: ItemState | None) -> Line:
    """Return what an operation does to an item as it is now, None where there is none.

    Raises Conflict where stock would go below 0 or above MAX_AMOUNT, and where the item is gone.
    """
    if isinstance(operation, Add):
        _check_amount(operation.item)
        missing = replace(operation.item, amount=0, removed=True)
        return Line(operation.kind, missing, operation.item)
    if isinstance(operation, Reverse) and item is not None:
        return _reversed(operation, item)
    if item is None or item.removed:
        raise Conflict("This item is no longer in stock. Load the list again.")
    match operation:
        case Increase(quantity=quantity, kind=kind):
            return _counted(kind, item, item.amount + quantity)
        case Decrease(quantity=quantity, kind=kind):
            if quantity > item.amount:
                raise NotEnough(item)
            return _counted(kind, item, item.amount - quantity)
        case Remove():
            return Line(Kind.REMOVAL, item, replace(item, amount=0, removed=True))
        case Change():
            return _changed(operation, item)
    raise Conflict("This item is no longer in stock. Load the list again.")


class NotEnough(Conflict):
    """More is asked for of an item than there is (design §4)."""

    def __init__(self, item: ItemState) -> None:
        said = f'Not enough stock: "{item.name}" has {format_number(item.amount)}'
        super().__init__(said, "quantity")
        self.name = item.name


def _reversed(reverse: Reverse, item: ItemState) -> Line:
    left = item.amount - reverse.delta
    changes = dict(reverse.changes)
    if item.removed and "removed" not in changes:
        raise Conflict(f'"{item.name}" is no longer in stock, so this can\'t be undone.')
    for name, (_, after) in changes.items():
        if getattr(item, name) != after:
            raise Conflict(f'"{item.name}" was changed again since, so this can\'t be undone.')
    if left < 0:
        raise NotEnough(item)
    values = {name: before for name, (before, _) in changes.items()}
    if values.get("removed") and left:
        # An item that came by this operation and was filled up since stays with the rest.
        values = {}
    after = replace(item, amount=left, **values)
    _check_amount(after)
    return Line(Kind.CORRECTION, item, after, describe_change(item, after))


def _changed(change: Change, item: ItemState) -> Line:
    after = ItemState(
        id=item.id,
        name=item.name if change.name is None else change.name,
        amount=item.amount if change.amount is None else change.amount,
        category=item.category if change.category is None else change.category,
        unit_price=item.unit_price if change.unit_price is None else change.unit_price,
        unit=item.unit if change.unit is None else change.unit,
    )
    _check_amount(after)
    return Line(Kind.CORRECTION, item, after, describe_change(item, after))


def describe_change(before: ItemState, after: ItemState) -> str:
    """Say which values other than the amount differ, 'Unit price £2.00 → £2.50'."""
    pairs = (
        ("Name", before.name, after.name),
        ("Category", before.category or "–", after.category or "–"),
        ("Unit price", format_pence(before.unit_price), format_pence(after.unit_price)),
        ("Unit", before.unit, after.unit),
    )
    said = ", ".join(f"{what} {old} → {new}" for what, old, new in pairs if old != new)
    return said if len(said) <= LONGEST_REASON else said[: LONGEST_REASON - 1] + "…"


def is_same_name(one: str, other: str) -> bool:
    """Tell whether two names are the same item's (design §4)."""
    return names.key(one) == names.key(other)


def _counted(kind: Kind, item: ItemState, amount: int) -> Line:
    after = replace(item, amount=amount)
    _check_amount(after)
    return Line(kind, item, after)


def _check_amount(item: ItemState) -> None:
    if not 0 <= item.amount <= MAX_AMOUNT:
        raise Conflict(
            f'"{item.name}" can hold 0 to {format_number(MAX_AMOUNT)}, '
            f"not {format_number(item.amount)}",
            "quantity",
        )


def _at_least_one(quantity: int) -> int:
    if quantity < 1:
        raise Invalid("Quantity must be at least 1", "quantity")
    return quantity


def _id(item: ItemState) -> int:
    if item.id is None:
        raise Invalid(f'"{item.name}" is not in stock yet')
    return item.id
