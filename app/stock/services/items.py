"""Add, edit and remove one item, as the dialogs do."""

from dataclasses import dataclass
from typing import Unpack

from app.divisions import Store
from app.errors import Conflict, EditConflict
from app.stock.queries import levels
from app.stock.queries.locks import LockedStock, lock_item, lock_items
from app.stock.rules import movements as rules
from app.stock.rules.items import EntryKind, ItemState, NoSuchItem, stored_id
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Change, Operation, Remove, apply_operation
from app.stock.services.ledger import Details, OperationDetails, Step, record_operation
from app.stock.services.movements import deliver


@dataclass(frozen=True)
class ItemResult:
    """The change of one item, in plain values that a replay can repeat.

    `existed` is False for a new item; `operation` is 0 if nothing changed.
    """

    item_id: int
    name: str
    before: int
    after: int
    unit: str
    existed: bool = True
    operation: int = 0


def add_item(
    store: Store,
    new: ItemState,
    *,
    based_on: int | None,
    keeps_price: bool = False,
    **details: Unpack[Details],
) -> ItemResult:
    """Add an item, or update the amount, category and price of the item with its name.

    `based_on` is that item's amount as the user has read it. An empty category leaves its category
    unchanged, and `keeps_price` its price. Raises ItemNameTaken if the amount has changed since.
    """
    stock = lock_items([store], [new.name])
    existing = next(iter(stock.at(store)), None)
    operation = rules.plan_addition(new, existing, based_on, keeps_price=keeps_price)
    return _record(stock, store, operation, details)


def deliver_instead(
    store: Store, name: str, quantity: int, **details: Unpack[Details]
) -> ItemResult:
    """Deliver a quantity to an existing item instead of setting its amount by an addition."""
    existing = levels.find_item(store, name)
    if existing is None:
        raise NoSuchItem
    line = StockLine(existing.id, quantity)
    result = deliver(store, [line], **details)
    return ItemResult(*result.items[0], operation=result.operation)


def edit_item(
    store: Store, change: Change, *, revision: int, **details: Unpack[Details]
) -> ItemResult:
    """Change an item's name, category, price or unit.

    Raises EditConflict when somebody else has edited the item since `revision`, and Conflict
    when the new name is another item's.
    """
    stock, item = lock_item(store, change.item_id)
    if item.revision != revision:
        raise EditConflict("item")
    before = item.state
    if apply_operation(change, before).after == before:
        return ItemResult(change.item_id, before.name, before.amount, before.amount, before.unit)
    namesake = levels.find_item(store, change.name) if change.name else None
    if namesake is not None and namesake.id != change.item_id:
        raise Conflict(f'Name already exists: "{namesake.name}"', "name")
    return _record(stock, store, change, details)


def remove_item(
    store: Store, item_id: int, *, based_on: int, **details: Unpack[Details]
) -> ItemResult:
    """Take an item off the list with its remaining stock.

    Raises Conflict when its amount isn't `based_on`, the amount that the user has confirmed.
    """
    stock, item = lock_item(store, item_id)
    name, amount = item.state.name, item.state.amount
    if amount != based_on:
        raise Conflict(f'"{name}" has {amount} now, not {based_on}. Remove it all the same?')
    return _record(stock, store, Remove(item_id), details)


def _record(stock: LockedStock, store: Store, operation: Operation, details: Details) -> ItemResult:
    recorded = record_operation(stock, [Step(store, [operation])], OperationDetails(**details))
    line = recorded.lines[0]
    return ItemResult(
        item_id=stored_id(line.after),
        name=line.after.name,
        before=line.before.amount,
        after=line.after.amount,
        unit=line.after.unit,
        existed=line.kind is not EntryKind.ADDITION,
        operation=recorded.id,
    )
