"""Taking an operation back: a compensating operation, whole and once (design §4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.stock.rules.operations import Changes, Kind, Reverse


@dataclass(frozen=True)
class BookedLine:
    """A line of the ledger as undoing needs it."""

    item_id: int
    kind: Kind
    delta: int
    changes: Changes | None


def plan_undo(lines: Sequence[BookedLine]) -> list[Reverse]:
    """Return what takes these lines of one site back, the last one first."""
    reverses = [Reverse(line.item_id, line.delta, _changes(line)) for line in reversed(lines)]
    return [reverse for reverse in reverses if reverse.delta or reverse.changes]


def _changes(line: BookedLine) -> Changes:
    if line.changes is not None:
        return line.changes
    # Lines from before changes were recorded say by their kind what became of the item.
    whole: dict[Kind, Changes] = {
        Kind.ADDITION: {"removed": (True, False)},
        Kind.REMOVAL: {"removed": (False, True)},
    }
    return whole.get(line.kind, {})
