"""Apply sets of operations from other systems and the stock check."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from app import names
from app.divisions import Store
from app.errors import Invalid
from app.idempotency import UNSTAMPED, Stamp
from app.stock.queries import operations
from app.stock.queries.locks import lock_items
from app.stock.rules import patches as rules
from app.stock.rules.items import NotEnough
from app.stock.rules.operations import Change
from app.stock.rules.patches import Op
from app.stock.services.ledger import (
    OperationDetails,
    Step,
    check_base_version,
    record_operation,
)


@dataclass(frozen=True)
class PatchResult:
    """The operation of a patch, and the name and amount of each item afterwards."""

    operation: int
    items: list[tuple[str, int]]


def patch_stock(
    store: Store,
    ops: Sequence[Op],
    *,
    versions: Collection[int] | None = None,
    reason: str,
    team: str,
    on: date,
    by: int,
    stamp: Stamp = UNSTAMPED,
) -> PatchResult:
    """Apply all operations at once, or none.

    `versions` are the versions of the list that the caller has read, None for any. Raises
    StockChanged for an unexpected amount, Conflict or Invalid with the refused operations, and
    PreconditionFailed.
    """
    if not ops:
        raise Invalid("Send at least one operation.", "ops")
    new_names = [op.values.name for op in ops if isinstance(op.values, Change) and op.values.name]
    stock = lock_items([store], [*(op.name for op in ops), *new_names])
    items = stock.by_key(store)
    rules.check_amounts(ops, items)
    step = Step(store, rules.plan_patch(ops, items, reason))
    details = OperationDetails(by=by, on=on, team=team, reason=reason, stamp=stamp)
    try:
        recorded = record_operation(stock, [step], details)
    except NotEnough as error:
        # Together the operations exceed the stock: blame the last one that names the item.
        key = names.key(error.name)
        index = max(index for index, op in enumerate(ops) if names.key(op.name) == key)
        error.fields = {f"ops.{index}": error.message}
        raise
    check_base_version(store, versions)
    return PatchResult(
        recorded.id, [(line.after.name, line.after.amount) for line in recorded.lines]
    )


def rebuild_patch(operation_id: int) -> PatchResult:
    """Return the result of a patch from the ledger, once the stored one was deleted."""
    lines = operations.made_lines(operation_id)
    return PatchResult(operation_id, [(line.name, line.after) for line in lines])
