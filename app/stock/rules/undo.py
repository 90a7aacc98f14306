"""Take an operation back by a compensating one, whole and once; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.stock.rules.items import EntryKind
from app.stock.rules.operations import ChangedValues, Reverse


@dataclass(frozen=True)
class StoredLine:
    """A stored ledger line; `changes` is None if none were recorded."""

    item_id: int
    kind: EntryKind
    delta: int
    changes: ChangedValues | None


def plan_undo(lines: Sequence[StoredLine]) -> list[Reverse]:
    """Return the operations that take these lines of one site back, the last line first."""
    reverses = [Reverse(line.item_id, line.delta, _changes(line)) for line in reversed(lines)]
    return [reverse for reverse in reverses if reverse.delta or reverse.changes]


def _changes(line: StoredLine) -> ChangedValues:
    if line.changes is not None:
        return line.changes
    # Lines older than the column `changes`: their kind tells how the item changed.
    by_kind: dict[EntryKind, ChangedValues] = {
        EntryKind.ADDITION: {"removed": (True, False)},
        EntryKind.REMOVAL: {"removed": (False, True)},
    }
    return by_kind.get(line.kind, {})
