"""Changes of one item, as the dialogs make them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app import names
from app.divisions import SITES, Site, Store
from app.errors import Conflict, EditConflict, Invalid
from app.stock.queries import levels
from app.stock.rules import operations as rules
from app.stock.rules.operations import Change, ItemState, Kind, Operation, Remove
from app.stock.services.ledger import (
    Booked,
    Context,
    Step,
    apply_operations,
    apply_steps,
    locked,
)


@dataclass(frozen=True)
class StockChange:
    """What happened to one item, in plain values that a replay can repeat."""

    item_id: int
    name: str
    before: int
    after: int
    unit: str
    existed: bool = True
    operation: int = 0


def deliver(
    store: Store, item_id: int, quantity: int, *, team: str, on: date, by: int
) -> StockChange:
    """Take a delivery of an item into stock."""
    item = levels.state_of(levels.item(store, item_id))
    operations = rules.plan_delivery(item, quantity)
    return _one(apply_operations(store, operations, Context(by=by, on=on, team=team)))


def withdraw(
    store: Store, item_id: int, quantity: int, *, team: str, on: date, by: int
) -> StockChange:
    """Take a quantity of an item out of stock.

    Raises Conflict where there isn't enough: never clamped.
    """
    item = levels.state_of(levels.item(store, item_id))
    operations = rules.plan_withdrawal(item, quantity)
    return _one(apply_operations(store, operations, Context(by=by, on=on, team=team)))


def transfer(
    store: Store,
    item_id: int,
    quantity: int,
    destination: Site | None,
    *,
    team: str,
    on: date,
    by: int,
) -> StockChange:
    """Move a quantity of an item to another site of the division, in one operation.

    An item that the destination lacks is created there with its category and price. Raises
    Conflict where there isn't enough, and where the destination can't take it: then neither
    site has changed.
    """
    item = levels.state_of(levels.item(store, item_id))
    steps = transfer_steps(store, destination, [(item, quantity)])
    return _one(apply_steps(steps, Context(by=by, on=on, team=team)))


def check_destination(store: Store, destination: Site | None) -> Store:
    """Return the store that a transfer goes to.

    Raises Invalid when the division has one site, or when it isn't another one of its sites.
    """
    if len(SITES[store.division]) == 1:
        raise Invalid("Transfers require multiple sites.")
    if destination is None or destination == store.site or destination not in SITES[store.division]:
        raise Invalid("Choose a destination other than this site.", "destination")
    return Store(store.division, destination)


def transfer_steps(
    store: Store, destination: Site | None, moving: Sequence[tuple[ItemState, int]]
) -> list[Step]:
    """Return the two steps that move items from one site of a division to another.

    Raises Invalid when they can't go there.
    """
    there = check_destination(store, destination)
    present = levels.items_named(there, [item.name for item, _ in moving])
    leaving: list[Operation] = []
    arriving: list[Operation] = []
    for item, quantity in moving:
        leaving += rules.plan_withdrawal(item, quantity, Kind.TRANSFER)
        arriving += rules.plan_arrival(item, present.get(names.key(item.name)), quantity)
    return [
        Step(store, leaving, reason=f"Transfer to {there.site}"),
        Step(
            there,
            arriving,
            reason=f"Transfer from {store.site}",
            failure="Transfer failed on destination site",
        ),
    ]


def add_item(
    store: Store, new: ItemState, *, based_on: int | None, keeps_price: bool = False, by: int
) -> StockChange:
    """Add an item, or update the amount, category and price of the one that has its name.

    A category left empty stays as it was, and so does the price with `keeps_price`. Raises
    NameExists when that one's amount isn't `based_on`.
    """
    found = levels.item_named(store, new.name)
    existing = levels.state_of(locked(found.id)) if found else None
    if existing and (existing.removed or not rules.is_same_name(existing.name, new.name)):
        raise Conflict("An item of this name has just changed. Check and save again.", "name")
    operations = rules.plan_addition(new, existing, based_on, keeps_price=keeps_price)
    return _one(apply_operations(store, operations, Context(by=by)))


def edit_item(store: Store, change: Change, *, revision: int, by: int) -> StockChange:
    """Change an item's name, category, price or unit.

    Raises Conflict when the name is taken, and when somebody else edited the item since
    `revision`.
    """
    levels.item(store, change.item_id)
    item = locked(change.item_id)
    if item.revision != revision:
        raise EditConflict("item")
    before = levels.state_of(item)
    if rules.apply(change, before).after == before:
        return StockChange(item.id, item.name, item.amount, item.amount, item.unit)
    namesake = levels.item_named(store, change.name) if change.name else None
    if namesake is not None and namesake.id != item.id:
        raise Conflict(f'Name already exists: "{namesake.name}"', "name")
    return _one(apply_operations(store, [change], Context(by=by)))


def remove_item(store: Store, item_id: int, *, based_on: int, by: int) -> StockChange:
    """Take an item off the list with what is left of it.

    Raises Conflict when its amount isn't `based_on`, the one that the question named.
    """
    levels.item(store, item_id)
    item = locked(item_id)
    if item.amount != based_on:
        raise Conflict(
            f'"{item.name}" has {item.amount} now, not {based_on}. Remove it all the same?'
        )
    return _one(apply_operations(store, [Remove(item_id)], Context(by=by)))


def _one(booked: Booked) -> StockChange:
    line = booked.lines[0]
    if line.after.id is None:
        raise RuntimeError("apply_operations left an item without an id")
    return StockChange(
        item_id=line.after.id,
        name=line.after.name,
        before=line.before.amount,
        after=line.after.amount,
        unit=line.after.unit,
        existed=line.kind is not Kind.ADDITION,
        operation=booked.operation_id,
    )
