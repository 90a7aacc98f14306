"""Sets of operations from other systems and the stock check (seed §7, PATCH)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from app import names
from app.divisions import Store
from app.errors import Invalid
from app.stock.queries import levels
from app.stock.rules.operations import Change, NotEnough
from app.stock.rules.patches import Op, find_moved, plan_patch
from app.stock.services.ledger import Context, StockMoved, apply_operations, check_list_was


@dataclass(frozen=True)
class PatchResult:
    """What a patch did: its operation, and the name and amount of each item afterwards."""

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
) -> PatchResult:
    """Apply all operations in one go, or none.

    `versions` are those of the list that the caller has seen, None where that doesn't matter.
    Raises OpsRefused, which says which can't be applied; StockMoved where an amount isn't the
    expected one; PreconditionFailed; and Conflict.
    """
    if not ops:
        raise Invalid("Send at least one operation.", "ops")
    renamed = [op.values.name for op in ops if isinstance(op.values, Change) and op.values.name]
    present = levels.items_named(store, [*(op.name for op in ops), *renamed])
    moved = find_moved(ops, present)
    if moved:
        raise StockMoved(moved)
    operations = plan_patch(ops, present, reason)
    context = Context(by=by, on=on, team=team, reason=reason)
    try:
        booked = apply_operations(store, operations, context)
    except NotEnough as error:
        key = names.key(error.name)
        place = max(place for place, op in enumerate(ops) if names.key(op.name) == key)
        error.fields = {f"ops.{place}": error.message}
        raise
    check_list_was(store, versions)
    return PatchResult(
        booked.operation_id, [(line.after.name, line.after.amount) for line in booked.lines]
    )
