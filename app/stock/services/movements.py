"""Movements, patches and undo."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, Unpack

from blinker import Signal

from app import names
from app.audit.rules import Event
from app.audit.services import record
from app.divisions import SITES, Division, Site, Store
from app.errors import AlreadyUndone, Conflict, Invalid
from app.idempotency import UNSTAMPED, Stamp
from app.stock.queries import operations
from app.stock.queries.locks import lock_items, lock_past_items
from app.stock.queries.operations import MovedItem
from app.stock.rules import movements as rules
from app.stock.rules import patches
from app.stock.rules.items import DEFAULT_UNIT, NotEnough, stored_id
from app.stock.rules.movements import Action, StockLine
from app.stock.rules.operations import Change, LedgerLine, plan_undo
from app.stock.rules.patches import Op
from app.stock.services.ledger import Details, OperationDetails, Step, record_operation


@dataclass(frozen=True)
class MovementResult:
    """The effect of a delivery, withdrawal or transfer on its site's items; kept for replays."""

    operation: int
    items: list[MovedItem]
    record_version: ClassVar = 2

    def __post_init__(self) -> None:
        """Turn the stored items, which are lists, into tuples."""
        object.__setattr__(self, "items", [MovedItem(*item) for item in self.items])

    @classmethod
    def upgrade_record(cls, _version: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of today for a result stored by a dialog or a bulk update before."""
        if "lines" in values:
            items = [(0, *line, DEFAULT_UNIT) for line in values["lines"]]
        else:
            items = [tuple(values[name] for name in MovedItem._fields)]
        return {"operation": values["operation"], "items": items}


def move(
    action: Action,
    store: Store,
    lines: Sequence[StockLine],
    *,
    destination: Site | None = None,
    auto_create: bool = False,
    books_available: bool = False,
    **details: Unpack[Details],
) -> MovementResult:
    """Deliver, withdraw or transfer quantities of items, in one operation.

    With `auto_create` a delivery adds missing items; with `books_available` less may be taken. An
    item that a transfer's destination lacks is added there. Raises Invalid or Conflict with the
    refused lines, NotFound, PreconditionFailed, and StepFailed if the destination can't take it.
    """
    if not lines:
        raise Invalid("Add at least one item.", "lines")
    summed = rules.sum_lines(lines)
    target = check_destination(store, destination) if action is Action.TRANSFER else None
    ids = [line.item for line in summed if isinstance(line.item, int)]
    item_names = [line.item for line in summed if isinstance(line.item, str)]
    stores = [store, target] if target else [store]
    stock = lock_items(stores, item_names, ids=ids, namesakes=target is not None)
    items = stock.by_key(store).values()
    planned = rules.plan_lines(
        action, summed, items, auto_create=auto_create, books_available=books_available
    )
    leaving = [line.operation for line in planned]
    steps = [Step(store, leaving, f"Transfer to {target.site}" if target else "")]
    if target:
        arriving = rules.plan_arrivals(planned, stock.by_key(target))
        reason, failure = f"Transfer from {store.site}", "Transfer failed on destination site"
        steps.append(Step(target, arriving, reason, failure))
    recorded = record_operation(stock, steps, OperationDetails(**details))
    return MovementResult(recorded.id, list(map(moved_item, recorded.lines[: len(leaving)])))


deliver = partial(move, Action.DELIVERY)
withdraw = partial(move, Action.WITHDRAWAL)
transfer = partial(move, Action.TRANSFER)


def rebuild_movement(operation_id: int) -> MovementResult:
    """Return the result of a movement from the ledger, once the stored one was deleted."""
    return MovementResult(operation_id, operations.moved_items(operation_id))


def check_destination(store: Store, destination: Site | None) -> Store:
    """Return the store of a transfer; raises Invalid unless it is another site of the division."""
    if len(SITES[store.division]) == 1:
        raise Invalid("Transfers require multiple sites.")
    if destination is None or destination == store.site or destination not in SITES[store.division]:
        raise Invalid("Choose a destination other than this site.", "destination")
    return Store(store.division, destination)


def moved_item(line: LedgerLine) -> MovedItem:
    """Return the item of a line with its amounts."""
    after = line.after
    return MovedItem(stored_id(after), after.name, line.before.amount, after.amount, after.unit)


@dataclass(frozen=True)
class PatchResult:
    """The operation of a patch, and the name and amount of each item afterwards."""

    operation: int
    items: list[tuple[str, int]]


def patch_stock(store: Store, ops: Sequence[Op], **details: Unpack[Details]) -> PatchResult:
    """Apply all operations at once, or none; raises StockChanged, Conflict, Invalid."""
    if not ops:
        raise Invalid("Send at least one operation.", "ops")
    new_names = [op.values.name for op in ops if isinstance(op.values, Change) and op.values.name]
    stock = lock_items([store], [*(op.name for op in ops), *new_names])
    items = stock.by_key(store)
    patches.check_amounts(ops, items)
    step = Step(store, patches.plan_patch(ops, items, details.get("reason", "")))
    try:
        recorded = record_operation(stock, [step], OperationDetails(**details))
    except NotEnough as error:
        # Together the operations exceed the stock: blame the last one that names the item.
        key = names.key(error.name)
        index = max(index for index, op in enumerate(ops) if names.key(op.name) == key)
        error.fields = {f"ops.{index}": error.message}
        raise
    return PatchResult(
        recorded.id, [(line.after.name, line.after.amount) for line in recorded.lines]
    )


def rebuild_patch(operation_id: int) -> PatchResult:
    """Return the result of a patch from the ledger, once the stored one was deleted."""
    items = operations.moved_items(operation_id)
    return PatchResult(operation_id, [(item.name, item.after) for item in items])


UNDO_REASON = "Undo: "


@dataclass(frozen=True)
class UndoResult:
    """The operation that took another back, and how many lines it took back at one site."""

    operation: int
    lines: int


undo_requested = Signal()
"""Sent with an `operation_id` before it is undone; a receiver refuses by raising Conflict."""

operation_undone = Signal()
"""Sent with an `operation_id` after it was undone by the user `by`, in the same transaction."""


def undo(division: Division, operation_id: int, *, by: int, stamp: Stamp = UNSTAMPED) -> UndoResult:
    """Take an operation back as `take_back` does, unless it belongs to another record's change."""
    undo_requested.send(operation_id)
    result = take_back(division, operation_id, by=by, stamp=stamp)
    operation_undone.send(operation_id, by=by)
    return result


def is_refused(operation_id: int) -> bool:
    """Return whether the undo of an operation is refused, since it belongs to another record."""
    try:
        undo_requested.send(operation_id)
    except Conflict:
        return True
    return False


def take_back(
    division: Division, operation_id: int, *, by: int | None, stamp: Stamp = UNSTAMPED
) -> UndoResult:
    """Take an operation back by a compensating one. Raises NotFound, and Conflict if it can't."""
    lines = operations.get_lines(operation_id, division)
    if operations.is_undone(operation_id):
        raise AlreadyUndone
    if any(line.is_imported for line in lines):
        raise Conflict("Imported history can't be undone.")
    reason = f"{UNDO_REASON}{lines[0].reason or lines[0].kind.label}"
    steps = [
        Step(store, plan_undo(list(store_lines)), reason=reason)
        for store, store_lines in groupby(lines, key=lambda line: line.store)
    ]
    reverses = [reverse for step in steps for reverse in step.operations]
    if not reverses:
        raise Conflict("There is nothing to undo: it changed no stock.")
    stock = lock_past_items([step.store for step in steps], {line.item_id for line in lines})
    details = OperationDetails(by=by, team=lines[0].team, stamp=stamp, undoes=operation_id)
    try:
        recorded = record_operation(stock, steps, details)
    except Conflict as error:
        if error.field != "name":
            raise
        raise Conflict(
            "An item of that name is in stock again. Rename it before you undo this."
        ) from error
    record(Event.UNDO, f"{division} operation {operation_id}", by=by, operation=recorded.id)
    return UndoResult(recorded.id, max(len(step.operations) for step in steps))
