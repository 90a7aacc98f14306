"""Several lines of name and quantity at once: what they come to, and which of them fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app import names
from app.errors import QuartermasterError
from app.stock.rules.operations import (
    Add,
    ItemState,
    Kind,
    NotEnough,
    Operation,
    plan_delivery,
    plan_withdrawal,
)


class Action(StrEnum):
    """What a dialog does with stock."""

    DELIVERY = "delivery"
    WITHDRAWAL = "withdrawal"
    TRANSFER = "transfer"


@dataclass(frozen=True)
class BulkLine:
    """A name and how many."""

    name: str
    quantity: int


@dataclass(frozen=True)
class SummedLine:
    """The lines of one item taken together; `lines` are their places in the request."""

    name: str
    quantity: int
    lines: tuple[int, ...]


class LinesRefused(QuartermasterError):
    """Some lines can't be applied, so none was; `fields` says which and why."""

    status = 422

    def __init__(self, problems: Mapping[int, str], *, is_conflict: bool) -> None:
        super().__init__(problems[min(problems)])
        self.fields = {f"lines.{line}.name": said for line, said in sorted(problems.items())}
        if is_conflict:
            self.status = 409


def sum_lines(lines: Sequence[BulkLine]) -> list[SummedLine]:
    """Add up the lines that name the same item, in the order of first mention (seed §5)."""
    summed: dict[str, SummedLine] = {}
    for place, line in enumerate(lines):
        key = names.key(line.name)
        before = summed.get(key, SummedLine(line.name, 0, ()))
        summed[key] = SummedLine(
            before.name, before.quantity + line.quantity, (*before.lines, place)
        )
    return list(summed.values())


def find_items(
    action: Action,
    lines: Sequence[SummedLine],
    present: Mapping[str, ItemState],
    *,
    auto_create: bool,
) -> list[tuple[ItemState | None, int]]:
    """Return each line's item, None where a delivery will create it, with its quantity.

    Raises LinesRefused with the seed's messages (§5) for items that aren't there, and where
    there isn't enough of them.
    """
    problems: dict[int, str] = {}
    is_conflict = True
    found: list[tuple[ItemState | None, int]] = []
    for line in lines:
        item = present.get(names.key(line.name))
        found.append((item, line.quantity))
        said = None
        if item is None and not (action is Action.DELIVERY and auto_create):
            said = _not_found(action, line.name)
            is_conflict = False
        elif item is not None and action is not Action.DELIVERY and line.quantity > item.amount:
            said = NotEnough(item).message
        if said:
            problems |= dict.fromkeys(line.lines, said)
    if problems:
        raise LinesRefused(problems, is_conflict=is_conflict)
    return found


def plan_bulk(
    action: Action, lines: Sequence[SummedLine], found: Sequence[tuple[ItemState | None, int]]
) -> list[Operation]:
    """Return the operations of a bulk delivery or withdrawal.

    An item that a delivery creates has no category and costs nothing (seed §5).
    """
    operations: list[Operation] = []
    for line, (item, quantity) in zip(lines, found, strict=True):
        if item is None:
            operations.append(Add(ItemState(None, line.name, quantity), Kind.DELIVERY))
        elif action is Action.DELIVERY:
            operations += plan_delivery(item, quantity)
        else:
            operations += plan_withdrawal(item, quantity)
    return operations


def _not_found(action: Action, name: str) -> str:
    if action is Action.DELIVERY:
        return f'Item not found: "{name}" (enable auto-create or add it first)'
    return f'Item not found for {action}: "{name}"'
