"""The kinds of due items: their words, and their rules without a plan; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from app.errors import Invalid
from app.upkeep.rules.kinds import Blocks, DueKind


@dataclass(frozen=True)
class KindRule:
    """The rules of a kind of item.

    `runs_out` chooses 'ran out' instead of 'was due'; `months` is its interval without a plan, None
    if nothing follows by itself; `is_tested` kinds can be failed. `is_legal` kinds are due on a day
    and never at a mileage, and can't be snoozed.
    """

    runs_out: bool = False
    months: int | None = None
    is_legal: bool = False
    is_tested: bool = False
    blocks: Blocks = Blocks.WARN


KINDS: Mapping[DueKind, KindRule] = {
    DueKind.MOT: KindRule(
        runs_out=True, months=12, is_legal=True, is_tested=True, blocks=Blocks.BLOCK
    ),
    DueKind.TAX: KindRule(runs_out=True, months=12, is_legal=True, blocks=Blocks.BLOCK),
    DueKind.INSURANCE: KindRule(runs_out=True, months=12, is_legal=True, blocks=Blocks.BLOCK),
    DueKind.SERVICE: KindRule(),
    DueKind.INSPECTION: KindRule(is_tested=True, blocks=Blocks.BLOCK),
    DueKind.TYRES: KindRule(),
    DueKind.LOLER: KindRule(is_tested=True, blocks=Blocks.BLOCK),
    DueKind.TACHO: KindRule(is_tested=True),
    DueKind.BREAKDOWN: KindRule(runs_out=True, months=12),
    DueKind.WARRANTY: KindRule(runs_out=True),
    DueKind.OTHER: KindRule(),
}

DEFAULT_SOON_DAYS = 30
DEFAULT_SOON_MILES = 1000
MAX_SNOOZE_DAYS = 30


def blocks_when_overdue(kind: DueKind, by_plan: Blocks | None) -> Blocks:
    """Return the effect of an overdue item by its plan, else by its kind.

    No plan weakens MOT, tax and insurance, without which a vehicle may not be used.
    """
    rule = KINDS[kind]
    return rule.blocks if by_plan is None or rule.is_legal else by_plan


def check_due(kind: DueKind, due_on: date | None, due_miles: int | None) -> None:
    """Check that an item of a kind is due on a day or at a mileage. Raises Invalid."""
    check_miles(kind, due_miles, "due_miles")
    if due_on is None and KINDS[kind].is_legal:
        raise Invalid("Enter the day on which it runs out.", "due_on")
    if due_on is None and due_miles is None:
        raise Invalid("Enter a day, a mileage, or both.", "due_on")


def check_miles(kind: DueKind, miles: int | None, field: str) -> None:
    """Check that no MOT, tax or insurance is counted in miles. Raises Invalid at a field."""
    if miles is not None and KINDS[kind].is_legal:
        raise Invalid(f"{kind.label} runs out on a day. Leave the miles empty.", field)


def in_sentence(label: str) -> str:
    """Return a label within a sentence: 'Service' as 'service', 'MOT' as it is."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
