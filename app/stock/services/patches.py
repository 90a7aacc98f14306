"""Sets of operations from other systems and the stock check (seed §7, PATCH)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.divisions import Store
from app.errors import Invalid
from app.stock.queries import levels
from app.stock.rules.operations import Change
from app.stock.rules.patches import Op, find_moved, plan_patch
from app.stock.services.ledger import Context, StockMoved, apply_operations


@dataclass(frozen=True)
class PatchResult:
    """What a patch did: its operation, and the name and amount of each item afterwards."""

    operation: int
    items: list[tuple[str, int]]


def patch_stock(
    store: Store, ops: Sequence[Op], *, reason: str, team: str, on: date, by: int
) -> PatchResult:
    """Apply all operations in one go, or none.

    Raises OpsRefused, which says which can't be applied; StockMoved where an amount isn't the
    expected one; and Conflict.
    """
    if not ops:
        raise Invalid("Send at least one operation.", "ops")
    renamed = [op.values.name for op in ops if isinstance(op.values, Change) and op.values.name]
    present = levels.items_named(store, [*(op.name for op in ops), *renamed])
    moved = find_moved(ops, present)
    if moved:
        raise StockMoved(moved)
    operations = plan_patch(ops, present, reason)
    booked = apply_operations(store, operations, Context(by=by, on=on, team=team, reason=reason))
    return PatchResult(
        booked.operation_id, [(line.after.name, line.after.amount) for line in booked.lines]
    )
