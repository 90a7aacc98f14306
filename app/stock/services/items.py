"""Change items: one, as the dialogs do, or a whole list by an import or a call."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Unpack

from app import dates, names
from app.audit.rules import Event
from app.audit.services import record, record_import
from app.divisions import Store
from app.errors import Conflict, check_revision
from app.events.rules import EventKind
from app.events.services import record_event
from app.idempotency import UNSTAMPED, Stamp
from app.lists import ListChange, check_unique, lock_rows_and_version
from app.stock.queries import levels
from app.stock.queries.locks import LockedStock, lock_item, lock_items, lock_site, lock_whole_stock
from app.stock.rules import movements as rules
from app.stock.rules.items import DEFAULT_UNIT, EntryKind, ItemState, NoSuchItem, stored_id
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Add, Change, Operation, Remove, apply_operation
from app.stock.services.ledger import Details, OperationDetails, Progress, Step, record_operation
from app.stock.services.movements import deliver, moved_item
from app.versions import check_version


@dataclass(frozen=True)
class ItemResult:
    """The change of one item, kept for replays; `operation` is 0 if nothing changed."""

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
    """Add an item, or update the amount, category and price of its namesake, as `plan_addition`.

    If it `delivers`, the amount is delivered to the namesake by a team instead.
    """
    if delivers:
        existing = levels.find_item(store, new.name)
        if existing is None:
            raise NoSuchItem
        lines = [StockLine(existing.id, new.amount)]
        result = deliver(store, lines, team=team, by=by, stamp=stamp)
        return ItemResult(*result.items[0], operation=result.operation)
    stock = lock_items([store], [new.name])
    namesake = stock.by_key(store).get(names.key(new.name))
    operation = rules.plan_addition(new, namesake, based_on, keeps_price=keeps_price)
    return _record(stock, store, operation, by, stamp)


def edit_item(
    store: Store,
    item_id: int,
    *,
    revision: int,
    by: int | None,
    stamp: Stamp = UNSTAMPED,
    **values: Any,
) -> ItemResult:
    """Change an item's values except None; raises EditConflict after `revision`, and Conflict."""
    stock, item = lock_item(store, item_id)
    check_revision("item", item.revision, revision)
    before = item.state
    change = Change(item_id, **values)
    if apply_operation(change, before).after == before:
        return ItemResult(item_id, before.name, before.amount, before.amount, before.unit)
    namesake = levels.find_item(store, change.name) if change.name else None
    if namesake is not None and namesake.id != item_id:
        raise Conflict(f'Name already exists: "{namesake.name}"', "name")
    return _record(stock, store, change, by, stamp)


def remove_item(
    store: Store, item_id: int, *, based_on: int, by: int | None, stamp: Stamp = UNSTAMPED
) -> ItemResult:
    """Take an item off the list with its stock; raises Conflict if that isn't `based_on`."""
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
    existed = line.kind is not EntryKind.ADDITION
    return ItemResult(*moved_item(line), existed=existed, operation=recorded.id)


def set_stock(
    store: Store,
    listed: Sequence[ItemState],
    *,
    reason: str,
    keeps: Collection[str] = (),
    removed: Collection[str] = (),
    on: date | None = None,
    progress: Progress = iter,
    by: int | None = None,
) -> ListChange:
    """Give the listed items these values (an import); others, and values that it `keeps`, stay.

    `keeps` are names of ItemState, `removed` the keys of items that leave for an undo.
    """
    stock = lock_whole_stock(store)
    existing = stock.by_key(store)
    operations = _plan_values(listed, existing, keeps)
    operations += [Remove(stored_id(existing[key])) for key in removed if key in existing]
    day, event = on or dates.today(), EventKind.STOCK_IMPORTED
    imported = OperationDetails(by=by, on=day, reason=reason, event=event)
    return _record_list(stock, store, operations, len(listed), imported, progress)


def replace_stock(
    store: Store, listed: Sequence[ItemState], **details: Unpack[Details]
) -> ListChange:
    """Replace a list, an empty one without `versions`. Raises Invalid, PreconditionFailed."""
    check_unique([(names.key(item.name), item.name) for item in listed], "item")
    stock, version = lock_rows_and_version(
        lambda: lock_whole_stock(store), lambda: lock_site(store).version
    )
    check_version(details.pop("versions", None), version, is_empty=not stock.items)
    existing = stock.by_key(store)
    operations = _plan_values(listed, existing, takes_spelling=True)
    listed_keys = {names.key(item.name) for item in listed}
    operations += [
        Remove(stored_id(item)) for key, item in existing.items() if key not in listed_keys
    ]
    details["reason"] = details.get("reason") or "Full list"
    replaced = OperationDetails(**details, event=EventKind.STOCK_REPLACED)
    return _record_list(stock, store, operations, len(listed), replaced)


def offer_count(store: Store, *, is_offered: bool) -> None:
    """Show the stock check on a site's page, or hide it."""
    site = lock_site(store)
    site.hides_count = not is_offered
    site.version += 1
    state = "visible" if is_offered else "hidden"
    record(Event.SETTING, f"{store.division} {store.site} stock check", state=state)
    kind = EventKind.STOCK_CHECK_OFFERED if is_offered else EventKind.STOCK_CHECK_HIDDEN
    record_event(kind, "site", site.id, division=store.division)


def _plan_values(
    listed: Sequence[ItemState],
    existing: Mapping[str, ItemState],
    keeps: Collection[str] = (),
    *,
    takes_spelling: bool = False,
) -> list[Operation]:
    """Return the operations that give the listed items their values; unchanged ones get none."""
    operations: list[Operation] = []
    for new in listed:
        before = existing.get(names.key(new.name))
        if before is None:
            operations.append(Add(replace(new, unit=new.unit or DEFAULT_UNIT)))
            continue
        change = Change(
            stored_id(before),
            amount=new.amount,
            category=None if "category" in keeps else new.category,
            unit_price=None if "unit_price" in keeps else new.unit_price,
            unit=None if "unit" in keeps or not new.unit else new.unit,
            name=new.name if takes_spelling else None,
        )
        if apply_operation(change, before).after != before:
            operations.append(change)
    return operations


def _record_list(
    stock: LockedStock,
    store: Store,
    operations: Sequence[Operation],
    listed: int,
    details: OperationDetails,
    progress: Progress = iter,
) -> ListChange:
    if operations:
        record_operation(stock, [Step(store, operations)], details, progress=progress)
    added = sum(isinstance(operation, Add) for operation in operations)
    removed = sum(isinstance(operation, Remove) for operation in operations)
    changed = len(operations) - added - removed
    change = ListChange(added, changed, listed - added - changed, removed)
    record_import(f"{store.division} {store.site} stock", change, by=details.by)
    return change
