"""Sets of operations sent by other systems, which name their items; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app import names
from app.errors import Conflict, ErrorCode, Invalid, QuartermasterError, SeveralErrors
from app.money import format_number
from app.stock.rules.items import DEFAULT_UNIT, EntryKind, ItemState, check_quantity
from app.stock.rules.movements import plan_addition
from app.stock.rules.operations import Change, Decrease, Increase, Operation, Remove


class OpType(StrEnum):
    """The types of a patch's operations."""

    INC = "inc"
    DEC = "dec"
    SET = "set"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True)
class Op:
    """One operation as sent, based on the amount `expected`; a set or an add has `values`."""

    type: OpType
    name: str
    delta: int = 0
    expected: int | None = None
    values: Change | ItemState | None = None


class StockChanged(Conflict):
    """Items have other amounts than operations expect, None if not in stock; `details` has them."""

    code = ErrorCode.STALE_AMOUNTS

    def __init__(self, stale: Sequence[tuple[Op, int | None]]) -> None:
        (first, amount), *others = stale
        state = "is no longer in stock"
        if amount is not None:
            expected = format_number(first.expected or 0)
            state = f"has {format_number(amount)} now, not {expected}"
        message = f'Stock changed meanwhile: "{first.name}" {state}.'
        if others:
            message = f"The stock of {format_number(len(stale))} items changed meanwhile."
        super().__init__(message)
        moved = [{"id": op.name, "expected": op.expected, "amount": now} for op, now in stale]
        self.details = {"moved": moved}


def entry_kind(reason: str) -> EntryKind | None:
    """Return the kind of a patch's moves by the first words of its reason, else None."""
    key = names.key(reason)
    if key.startswith("stock check"):
        return EntryKind.COUNT
    if key.startswith(("transfer to", "transfer from")):
        return EntryKind.TRANSFER
    return None


def check_amounts(ops: Sequence[Op], items: Mapping[str, ItemState]) -> None:
    """Check the expected amounts against the items by key; raises StockChanged."""
    stale: list[tuple[Op, int | None]] = []
    for op in ops:
        item = items.get(names.key(op.name))
        amount = item.amount if item else None
        is_update = op.type is OpType.ADD and item is not None
        if op.expected not in (None, amount) and not is_update:
            stale.append((op, amount))
    if stale:
        raise StockChanged(stale)


def plan_patch(ops: Sequence[Op], items: Mapping[str, ItemState], reason: str) -> list[Operation]:
    """Return a patch's operations; raises SeveralErrors, which names every refused one."""
    problems: dict[int, QuartermasterError] = {}
    operations: list[Operation] = []
    closed: set[str] = set()
    kind = entry_kind(reason)
    for index, op in enumerate(ops):
        try:
            if names.key(op.name) in closed:
                raise Conflict(f'"{op.name}" is added, renamed or removed by another op.')
            operations.append(_plan(op, items, kind))
            closed |= _closed_names(op)
        except (Conflict, Invalid) as error:
            problems[index] = error
    if problems:
        raise SeveralErrors({f"ops.{index}": error for index, error in problems.items()})
    return operations


def _closed_names(op: Op) -> set[str]:
    if isinstance(op.values, Change) and op.values.name is not None:
        return {names.key(op.name), names.key(op.values.name)}
    return {names.key(op.name)} if op.type in (OpType.ADD, OpType.REMOVE) else set()


def _plan(op: Op, items: Mapping[str, ItemState], kind: EntryKind | None) -> Operation:
    item = items.get(names.key(op.name))
    if isinstance(op.values, ItemState):
        if item is not None and op.expected is None:
            raise Conflict(f'Name already exists: "{item.name}" has {format_number(item.amount)}.')
        new = replace(op.values, unit=op.values.unit or DEFAULT_UNIT)
        return plan_addition(new, item, op.expected)
    if item is None or item.id is None:
        raise Invalid(f'Item not found: "{op.name}"')
    match op.type:
        case OpType.INC:
            return Increase(item.id, op.delta, _checked_kind(op, kind or EntryKind.DELIVERY))
        case OpType.DEC:
            return Decrease(item.id, op.delta, _checked_kind(op, kind or EntryKind.WITHDRAWAL))
        case OpType.REMOVE:
            return Remove(item.id)
        case _ if isinstance(op.values, Change):
            namesake = items.get(names.key(op.values.name or ""))
            if namesake is not None and namesake.id != item.id:
                raise Conflict(f'Name already exists: "{namesake.name}"')
            return replace(op.values, item_id=item.id)
    raise Invalid(f'Item not found: "{op.name}"')


def _checked_kind(op: Op, kind: EntryKind) -> EntryKind:
    # Only a stock check records that an amount was counted and found right.
    if kind is not EntryKind.COUNT:
        check_quantity(op.delta)
    return kind
