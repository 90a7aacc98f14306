"""The kinds of what is due: their words, and what goes without saying for them; pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.upkeep.rules.kinds import Anchor, Blocks, DueKind


@dataclass(frozen=True)
class KindRule:
    """What goes for a kind of item.

    `runs_out` tells 'ran out' from 'was due'; `months` is how long one lasts without a plan, None
    where nothing follows by itself; `is_tested` tells whether it can be failed. `is_legal` ones
    can't be snoozed.
    """

    label: str
    runs_out: bool = False
    months: int | None = None
    is_legal: bool = False
    is_tested: bool = False
    blocks: Blocks = Blocks.WARN


KINDS: Mapping[DueKind, KindRule] = {
    DueKind.MOT: KindRule(
        "MOT", runs_out=True, months=12, is_legal=True, is_tested=True, blocks=Blocks.BLOCK
    ),
    DueKind.TAX: KindRule("Tax", runs_out=True, months=12, is_legal=True, blocks=Blocks.BLOCK),
    DueKind.INSURANCE: KindRule(
        "Insurance", runs_out=True, months=12, is_legal=True, blocks=Blocks.BLOCK
    ),
    DueKind.SERVICE: KindRule("Service"),
    DueKind.INSPECTION: KindRule("Inspection", is_tested=True, blocks=Blocks.BLOCK),
    DueKind.TYRES: KindRule("Tyres"),
    DueKind.LOLER: KindRule("LOLER", is_tested=True, blocks=Blocks.BLOCK),
    DueKind.TACHO: KindRule("Tachograph", is_tested=True),
    DueKind.BREAKDOWN: KindRule("Breakdown cover", runs_out=True, months=12),
    DueKind.WARRANTY: KindRule("Warranty", runs_out=True),
    DueKind.OTHER: KindRule("Other"),
}

DEFAULT_SOON_DAYS = 30
DEFAULT_SOON_MILES = 1000
MAX_SNOOZE_DAYS = 30

BLOCKS_LABELS: Mapping[Blocks, str] = {
    Blocks.NONE: "Nothing",
    Blocks.WARN: "A warning",
    Blocks.BLOCK: "It keeps the vehicle off the road",
}
ANCHOR_LABELS: Mapping[Anchor, str] = {
    Anchor.DONE: "From the day that it was done",
    Anchor.DUE: "From the day that it was due",
}


def in_sentence(label: str) -> str:
    """Return a label within a sentence: 'Service' as 'service', 'MOT' as it is."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
