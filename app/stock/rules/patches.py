"""Sets of operations as other systems send them: ops that name their items (seed §3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app import names
from app.errors import Conflict, Invalid, QuartermasterError
from app.money import format_number
from app.stock.rules.operations import (
    DEFAULT_UNIT,
    Change,
    Decrease,
    Increase,
    ItemState,
    Kind,
    Moved,
    Operation,
    Remove,
    plan_addition,
)


class OpType(StrEnum):
    """The seed's types of operations."""

    INC = "inc"
    DEC = "dec"
    SET = "set"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True)
class Op:
    """One operation as it was sent: `name` acts as id; `expected` is the amount it is based on.

    `values` hold what a set changes or what an add brings.
    """

    type: OpType
    name: str
    delta: int = 0
    expected: int | None = None
    values: Change | ItemState | None = None


class OpsRefused(QuartermasterError):
    """Some operations can't be applied, so none was; `fields` says which and why."""

    status = 422

    def __init__(self, problems: Mapping[int, QuartermasterError]) -> None:
        first = problems[min(problems)]
        super().__init__(first.message)
        self.status = first.status
        self.fields = {f"ops.{place}": error.message for place, error in sorted(problems.items())}


class ItemNotFound(QuartermasterError):
    """An operation names an item that isn't in stock."""

    status = 422

    def __init__(self, name: str) -> None:
        super().__init__(f'Item not found: "{name}"')


def kind_of(reason: str, usual: Kind) -> Kind:
    """Return why an increase or decrease happens, as the seed's clients say it in the reason."""
    key = names.key(reason)
    if key.startswith("stock check"):
        return Kind.COUNT
    if key.startswith(("transfer to", "transfer from")):
        return Kind.TRANSFER
    return usual


def find_moved(ops: Sequence[Op], present: Mapping[str, ItemState]) -> list[Moved]:
    """Return the items whose amount isn't the expected one, in the order of the ops."""
    moved: list[Moved] = []
    for op in ops:
        item = present.get(names.key(op.name))
        if op.expected is None or (op.type is OpType.ADD and item is not None):
            continue
        amount = item.amount if item else None
        if amount != op.expected:
            moved.append(Moved(op.name, op.expected, amount))
    return moved


def plan_patch(ops: Sequence[Op], present: Mapping[str, ItemState], reason: str) -> list[Operation]:
    """Return the operations of a patch on the items it names, by key.

    An add whose name exists updates that item and must say the amount it is based on. Raises
    OpsRefused.
    """
    problems: dict[int, QuartermasterError] = {}
    operations: list[Operation] = []
    settled: set[str] = set()
    for place, op in enumerate(ops):
        try:
            if names.key(op.name) in settled:
                raise Conflict(f'"{op.name}" is added, renamed or removed by another op.')
            operations += _plan(op, present, reason)
            settled |= _settles(op)
        except QuartermasterError as error:
            problems[place] = error
    if problems:
        raise OpsRefused(problems)
    return operations


def _settles(op: Op) -> set[str]:
    """Return the names of which no other op of the set can speak any more."""
    if isinstance(op.values, Change) and op.values.name is not None:
        return {names.key(op.name), names.key(op.values.name)}
    return {names.key(op.name)} if op.type in (OpType.ADD, OpType.REMOVE) else set()


def _plan(op: Op, present: Mapping[str, ItemState], reason: str) -> Sequence[Operation]:
    item = present.get(names.key(op.name))
    if isinstance(op.values, ItemState):
        if item is not None and op.expected is None:
            raise Conflict(f'Name already exists: "{item.name}" has {format_number(item.amount)}.')
        new = replace(op.values, unit=op.values.unit or DEFAULT_UNIT)
        return plan_addition(new, item, op.expected)
    if item is None or item.id is None:
        raise ItemNotFound(op.name)
    match op.type:
        case OpType.INC:
            kind = _checked(op, kind_of(reason, Kind.DELIVERY))
            return [Increase(item.id, op.delta, kind, based_on=op.expected)]
        case OpType.DEC:
            kind = _checked(op, kind_of(reason, Kind.WITHDRAWAL))
            return [Decrease(item.id, op.delta, kind, based_on=op.expected)]
        case OpType.REMOVE:
            return [Remove(item.id, based_on=op.expected)]
        case _ if isinstance(op.values, Change):
            namesake = present.get(names.key(op.values.name or ""))
            if namesake is not None and namesake.id != item.id:
                raise Conflict(f'Name already exists: "{namesake.name}"')
            return [replace(op.values, item_id=item.id, based_on=op.expected)]
    raise ItemNotFound(op.name)


def _checked(op: Op, kind: Kind) -> Kind:
    # Only a stock check says that an amount was looked at and is right.
    if op.delta == 0 and kind is not Kind.COUNT:
        raise Invalid("Quantity must be at least 1")
    return kind
