"""Deliver, withdraw and transfer: plan the operations, and find the lines that fail; pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app import names
from app.errors import Conflict, Invalid, QuartermasterError
from app.money import format_number
from app.stock.rules import items as stock
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.operations import Add, Change, Decrease, Increase, Operation


class Action(StrEnum):
    """The action of a dialog or a bulk update on stock."""

    DELIVERY = "delivery"
    WITHDRAWAL = "withdrawal"
    TRANSFER = "transfer"


@dataclass(frozen=True)
class StockLine:
    """A quantity of an item, by id or name: one line of a request, or the sum of several."""

    item: int | str
    quantity: int
    indexes: tuple[int, ...] = ()


@dataclass(frozen=True)
class PlannedLine:
    """A quantity of an item that is booked, with the operation on it."""

    item: ItemState
    quantity: int
    operation: Operation


def plan_delivery(item: ItemState, quantity: int) -> Operation:
    """Return the operation of a delivery; raises Conflict for an amount above MAX_AMOUNT."""
    operation = Increase(stock.stored_id(item), stock.check_quantity(quantity))
    stock.check_amount(replace(item, amount=item.amount + quantity))
    return operation


def plan_withdrawal(
    item: ItemState,
    quantity: int,
    *,
    kind: EntryKind = EntryKind.WITHDRAWAL,
    books_available: bool = False,
) -> Operation:
    """Return the operation that takes a quantity; raises NotEnough unless it `books_available`."""
    stock.check_quantity(quantity)
    if books_available and quantity > item.amount:
        # The goods are gone all the same: if the books have none, an entry of 0 notes it.
        numbers = map(format_number, (quantity, item.amount, quantity - item.amount))
        note = "Taken {}, the books had {}: difference {}".format(*numbers)
        return Decrease(stock.stored_id(item), item.amount, kind, note)
    stock.check_enough(item, quantity)
    return Decrease(stock.stored_id(item), quantity, kind)


def plan_addition(
    new: ItemState, existing: ItemState | None, based_on: int | None, *, keeps_price: bool = False
) -> Operation:
    """Return the operation that adds an item, or updates its namesake, which has `based_on`.

    An empty category leaves the existing one unchanged. Raises ItemNameTaken for another amount.
    """
    if existing is None:
        return Add(new)
    if based_on != existing.amount:
        raise stock.ItemNameTaken(existing)
    return Change(
        stock.stored_id(existing),
        amount=new.amount,
        category=new.category or None,
        unit_price=None if keeps_price else new.unit_price,
    )


def sum_lines(lines: Sequence[StockLine]) -> list[StockLine]:
    """Add up the lines of the same item, in the order of first mention."""
    sums: dict[int | str, StockLine] = {}
    for index, line in enumerate(lines):
        key = _key(line.item)
        earlier = sums.get(key, StockLine(line.item, 0))
        quantity = earlier.quantity + line.quantity
        sums[key] = StockLine(earlier.item, quantity, (*earlier.indexes, index))
    return list(sums.values())


def plan_lines(
    action: Action,
    lines: Sequence[StockLine],
    items: Collection[ItemState],
    *,
    auto_create: bool = False,
    books_available: bool = False,
) -> list[PlannedLine]:
    """Plan lines of an action on locked `items`. Raises an error that names all failed lines."""
    kind = EntryKind(action)
    by_reference: dict[int | str | None, ItemState] = {item.id: item for item in items}
    by_reference |= {names.key(item.name): item for item in items}
    problems: dict[int, QuartermasterError] = {}
    planned: list[PlannedLine] = []
    for line in lines:
        item = by_reference.get(_key(line.item))
        try:
            if item is None:
                item = _new_item(line, action, auto_create=auto_create)
                operation: Operation = Add(item, kind)
            elif action is Action.DELIVERY:
                operation = plan_delivery(item, line.quantity)
            else:
                operation = plan_withdrawal(
                    item, line.quantity, kind=kind, books_available=books_available
                )
            booked = operation.quantity if isinstance(operation, Decrease) else line.quantity
            planned.append(PlannedLine(item, booked, operation))
        except (Conflict, Invalid) as error:
            problems |= dict.fromkeys(line.indexes, error)
    if problems:
        raise refuse_lines(problems)
    return planned


def plan_arrivals(
    lines: Sequence[PlannedLine], existing: Mapping[str, ItemState]
) -> list[Operation]:
    """Return a transfer's operations at its destination, whose items are `existing` by key."""
    operations: list[Operation] = []
    for line in lines:
        if not line.quantity:
            continue
        target = existing.get(names.key(line.item.name))
        if target is None:
            new = replace(line.item, id=None, amount=line.quantity)
            operations.append(Add(new, EntryKind.TRANSFER))
        else:
            operations.append(Increase(stock.stored_id(target), line.quantity, EntryKind.TRANSFER))
    return operations


def refuse_lines(problems: Mapping[int, QuartermasterError]) -> QuartermasterError:
    """Return the error of lines by index, in `fields`: a Conflict if stock refuses every line."""
    is_conflict = all(isinstance(error, Conflict) for error in problems.values())
    fields = {f"lines.{index}.name": problems[index].message for index in sorted(problems)}
    field, message = next(iter(fields.items()))
    error = (Conflict if is_conflict else Invalid)(message, field)
    error.fields = fields
    if is_conflict:
        error.code = problems[min(problems)].code
    if len({id(problem) for problem in problems.values()}) == 1:
        error.details = problems[min(problems)].details
    return error


def _key(item: int | str) -> int | str:
    return names.key(item) if isinstance(item, str) else item


def _new_item(line: StockLine, action: Action, *, auto_create: bool) -> ItemState:
    if isinstance(line.item, int):
        raise stock.NoSuchItem
    if action is not Action.DELIVERY:
        raise Invalid(f'Item not found for {action}: "{line.item}"')
    if not auto_create:
        raise Invalid(f'Item not found: "{line.item}" (enable auto-create or add it first)')
    new = ItemState(None, line.item, stock.check_quantity(line.quantity))
    stock.check_amount(new)
    return new
