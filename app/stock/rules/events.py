"""The event of an operation; pure."""

from collections.abc import Sequence
from typing import Any

from app.divisions import Site
from app.events.rules import EventKind
from app.stock.rules.items import EntryKind
from app.stock.rules.operations import LedgerLine

KINDS = {
    EntryKind.DELIVERY: EventKind.STOCK_DELIVERED,
    EntryKind.WITHDRAWAL: EventKind.STOCK_WITHDRAWN,
    EntryKind.TRANSFER: EventKind.STOCK_TRANSFERRED,
    EntryKind.COUNT: EventKind.STOCK_COUNTED,
    EntryKind.ADDITION: EventKind.STOCK_ITEM_ADDED,
    EntryKind.CORRECTION: EventKind.STOCK_ITEM_EDITED,
    EntryKind.REMOVAL: EventKind.STOCK_ITEM_REMOVED,
}
"""The kind of event of an operation whose lines are all of one kind."""


def kind_of_operation(lines: Sequence[LedgerLine], *, is_undo: bool) -> EventKind:
    """Return the kind of event of an operation by its lines."""
    if is_undo:
        return EventKind.STOCK_UNDONE
    kinds = {KINDS[line.kind] for line in lines}
    return kinds.pop() if len(kinds) == 1 else EventKind.STOCK_CHANGED


def values_of_operation(
    lines: Sequence[LedgerLine], sites: Sequence[Site], *, undoes: int | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an operation's values before and after: of one item, or counts of many lines."""
    where: dict[str, Any] = {"sites": [site.value for site in sites]}
    if undoes is not None:
        where["undoes"] = undoes
    if len(lines) != 1:
        added = sum(max(line.delta, 0) for line in lines)
        taken = sum(max(-line.delta, 0) for line in lines)
        return {}, where | {"lines": len(lines), "units_in": added, "units_out": taken}
    (line,) = lines
    old = {name: pair[0] for name, pair in line.changes.items()}
    new = {name: pair[1] for name, pair in line.changes.items()}
    amounts = (line.before.amount, line.after.amount)
    before = {"amount": amounts[0]} | old
    return before, where | {"item": line.after.id, "amount": amounts[1]} | new
