"""Add, edit and remove one item, as the dialogs do."""

from dataclasses import dataclass

from app.divisions import Store
from app.errors import Conflict, EditConflict
from app.idempotency import UNSTAMPED, Stamp
from app.stock.queries import levels
from app.stock.queries.locks import LockedStock, lock_item, lock_items
from app.stock.rules import movements as rules
from app.stock.rules.items import EntryKind, ItemState, NoSuchItem, stored_id
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Change, Operation, Remove, apply_operation
from app.stock.services.ledger import OperationDetails, Step, record_operation
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
    delivers: bool = False,
    team: str = "",
    by: int | None,
    stamp: Stamp = UNSTAMPED,
) -> ItemResult:
    """Add an item, or update the amount, category and price of the item with its name.

    `based_on` is that item's amount as the user has read it. An empty category leaves its category
    unchanged, and `keeps_price` its price; if it `delivers`, the amount is delivered to it by a
    team instead. Raises ItemNameTaken if the amount has changed since.
    """
    if delivers:
        existing = levels.find_item(store, new.name)
        if existing is None:
            raise NoSuchItem
        lines = [StockLine(existing.id, new.amount)]
        result = deliver(store, lines, team=team, by=by, stamp=stamp)
        return ItemResult(*result.items[0], operation=result.operation)
    stock = lock_items([store], [new.name])
    namesake = next(iter(stock.at(store)), None)
    operation = rules.plan_addition(new, namesake, based_on, keeps_price=keeps_price)
    return _record(stock, store, operation, by, stamp)


def edit_item(
    store: Store,
    item_id: int,
    *,
    name: str | None = None,
    category: str | None = None,
    unit_price: int | None = None,
    unit: str | None = None,
    revision: int,
    by: int | None,
    stamp: Stamp = UNSTAMPED,
) -> ItemResult:
    """Change an item's name, category, price or unit; None leaves a value unchanged.

    Raises EditConflict when somebody else has edited the item since `revision`, and Conflict
    when the new name is another item's.
    """
    stock, item = lock_item(store, item_id)
    if item.revision != revision:
        raise EditConflict("item")
    before = item.state
    change = Change(item_id, name=name, category=category, unit_price=unit_price, unit=unit)
    if apply_operation(change, before).after == before:
        return ItemResult(item_id, before.name, before.amount, before.amount, before.unit)
    namesake = levels.find_item(store, name) if name else None
    if namesake is not None and namesake.id != item_id:
        raise Conflict(f'Name already exists: "{namesake.name}"', "name")
    return _record(stock, store, change, by, stamp)


def remove_item(
    store: Store, item_id: int, *, based_on: int, by: int | None, stamp: Stamp = UNSTAMPED
) -> ItemResult:
    """Take an item off the list with its remaining stock.

    Raises Conflict when its amount isn't `based_on`, the amount that the user has confirmed.
    """
    stock, item = lock_item(store, item_id)
    name, amount = item.state.name, item.state.amount
    if amount != based_on:
        raise Conflict(f'"{name}" has {amount} now, not {based_on}. Remove it all the same?')
    return _record(stock, store, Remove(item_id), by, stamp)


def _record(
    stock: LockedStock, store: Store, operation: Operation, by: int | None, stamp: Stamp
) -> ItemResult:
    details = OperationDetails(by=by, stamp=stamp)
    recorded = record_operation(stock, [Step(store, [operation])], details)
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
