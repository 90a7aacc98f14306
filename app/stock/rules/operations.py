"""Rules of operations, their events and their undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from app.divisions import Site, Store
from app.errors import Conflict
from app.events.rules import EventKind
from app.money import format_pence
from app.stock.rules.items import REASON, EntryKind, ItemState, check_amount, check_enough


@dataclass(frozen=True)
class Increase:
    """Add a quantity to an item (op type inc)."""

    item_id: int
    quantity: int
    kind: EntryKind = EntryKind.DELIVERY


@dataclass(frozen=True)
class Decrease:
    """Take a quantity from an item (op type dec); the ledger's reason has the detail."""

    item_id: int
    quantity: int
    kind: EntryKind = EntryKind.WITHDRAWAL
    detail: str = ""


@dataclass(frozen=True)
class Change:
    """Give an item other values; None leaves a value unchanged (op type set)."""

    item_id: int
    name: str | None = None
    amount: int | None = None
    category: str | None = None
    unit_price: int | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Add:
    """Add a new item (op type add)."""

    item: ItemState
    kind: EntryKind = EntryKind.ADDITION


@dataclass(frozen=True)
class Remove:
    """Take an item off the list with all that is left of it (op type remove)."""

    item_id: int


ChangedValues = Mapping[str, Sequence[Any]]
"""Values other than the amount that an operation changed: name of the value → (before, after)."""


@dataclass(frozen=True)
class Reverse:
    """Take back an operation's effect on an item: its delta and its changed values."""

    item_id: int
    delta: int
    changes: ChangedValues = field(default_factory=dict)


Operation = Increase | Decrease | Change | Add | Remove | Reverse


@dataclass(frozen=True)
class LedgerLine:
    """The effect of one operation on one item, as the ledger records it."""

    kind: EntryKind
    before: ItemState
    after: ItemState
    detail: str = ""

    @property
    def delta(self) -> int:
        """Return by how much the amount changed."""
        return self.after.amount - self.before.amount

    @property
    def changes(self) -> ChangedValues:
        """Return the values other than the amount that changed."""
        return {
            name: (getattr(self.before, name), getattr(self.after, name))
            for name in ("name", "category", "unit_price", "unit", "removed")
            if getattr(self.before, name) != getattr(self.after, name)
        }


def apply_operation(operation: Operation, item: ItemState | None) -> LedgerLine:
    """Apply an operation to its item, None for a new one; raises NotEnough or another Conflict."""
    if isinstance(operation, Add):
        check_amount(operation.item)
        missing = replace(operation.item, amount=0, removed=True)
        return LedgerLine(operation.kind, missing, operation.item)
    if item is None or (item.removed and not isinstance(operation, Reverse)):
        raise Conflict("This item is no longer in stock. Load the list again.")
    match operation:
        case Increase(quantity=quantity, kind=kind):
            return _set_amount(kind, item, item.amount + quantity)
        case Decrease(quantity=quantity, kind=kind, detail=detail):
            check_enough(item, quantity)
            return _set_amount(kind, item, item.amount - quantity, detail)
        case Remove():
            return LedgerLine(EntryKind.REMOVAL, item, replace(item, amount=0, removed=True))
        case Change():
            return _change(operation, item)
        case Reverse():
            return _reverse(operation, item)


def describe_change(before: ItemState, after: ItemState) -> str:
    """Describe changed values other than the amount: 'Unit price £2.00 → £2.50'."""
    values = (
        ("Name", before.name, after.name),
        ("Category", before.category or "–", after.category or "–"),
        ("Unit price", format_pence(before.unit_price), format_pence(after.unit_price)),
        ("Unit", before.unit, after.unit),
    )
    text = ", ".join(f"{label} {old} → {new}" for label, old, new in values if old != new)
    return text if len(text) <= REASON.limit else text[: REASON.limit - 1] + "…"


def _set_amount(kind: EntryKind, item: ItemState, amount: int, detail: str = "") -> LedgerLine:
    after = replace(item, amount=amount)
    check_amount(after)
    return LedgerLine(kind, item, after, detail)


def _change(change: Change, item: ItemState) -> LedgerLine:
    given = vars(change).items()
    values = {name: value for name, value in given if name != "item_id" and value is not None}
    after = replace(item, **values)
    check_amount(after)
    return LedgerLine(EntryKind.CORRECTION, item, after, describe_change(item, after))


def _reverse(reverse: Reverse, item: ItemState) -> LedgerLine:
    amount = item.amount - reverse.delta
    changes = dict(reverse.changes)
    if item.removed and "removed" not in changes:
        raise Conflict(f'"{item.name}" is no longer in stock. Undo its removal first.')
    for name, (_, after) in changes.items():
        if getattr(item, name) != after:
            raise Conflict(f'"{item.name}" has changed since. Undo the later change first.')
    check_enough(item, reverse.delta)
    values = {name: before for name, (before, _) in changes.items()}
    if values.get("removed") and amount:
        # The addition is taken back, but more was delivered since: the item stays with the rest.
        values = {}
    reversed_item = replace(item, amount=amount, **values)
    check_amount(reversed_item)
    detail = describe_change(item, reversed_item)
    return LedgerLine(EntryKind.CORRECTION, item, reversed_item, detail)


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


def event_of_operation(
    lines: Sequence[LedgerLine], sites: Sequence[Site], *, undoes: int | None
) -> tuple[EventKind, dict[str, dict[str, Any]]]:
    """Return an operation's kind of event and its values: of one item, or counts of many lines."""
    kinds = {KINDS[line.kind] for line in lines}
    kind = kinds.pop() if len(kinds) == 1 else EventKind.STOCK_CHANGED
    where: dict[str, Any] = {"sites": [site.value for site in sites]}
    if undoes is not None:
        kind, where["undoes"] = EventKind.STOCK_UNDONE, undoes
    if len(lines) != 1:
        added = sum(max(line.delta, 0) for line in lines)
        taken = sum(max(-line.delta, 0) for line in lines)
        where |= {"lines": len(lines), "units_in": added, "units_out": taken}
        return kind, {"before": {}, "after": where}
    (line,) = lines
    before, after = (
        {name: getattr(item, name) for name in ("amount", *line.changes)}
        for item in (line.before, line.after)
    )
    return kind, {"before": before, "after": where | {"item": line.after.id} | after}


@dataclass(frozen=True)
class StoredLine:
    """A line of an operation as it is stored; `changes` is None if none were recorded."""

    store: Store
    item_id: int
    name: str
    kind: EntryKind
    day: date
    delta: int
    changes: ChangedValues | None
    team: str
    reason: str
    is_imported: bool


def plan_undo(lines: Sequence[StoredLine]) -> list[Reverse]:
    """Return the operations that take these lines of one site back, the last line first."""
    reverses = [
        Reverse(line.item_id, line.delta, changed_values(line.kind, line.changes))
        for line in reversed(lines)
    ]
    return [reverse for reverse in reverses if reverse.delta or reverse.changes]


def changed_values(kind: EntryKind, recorded: ChangedValues | None) -> ChangedValues:
    """Return the values other than the amount that a stored line changed."""
    if recorded is not None:
        return recorded
    # Lines older than the column `changes`: their kind tells how the item changed.
    by_kind: dict[EntryKind, ChangedValues] = {
        EntryKind.ADDITION: {"removed": (True, False)},
        EntryKind.REMOVAL: {"removed": (False, True)},
    }
    return by_kind.get(kind, {})
