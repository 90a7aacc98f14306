"""The removal of records after the months of retention; pure.

docs/domain.md, Upkeep.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum

from app.errors import Invalid

_MONTHS = re.compile(r"(\d{1,4})m", re.ASCII)


class Kept(StrEnum):
    """The kinds of rows that are removed after a time, by the names that people read."""

    CHECK = "checks"
    DEFECT = "defects"
    REPAIR = "repairs"
    OFF_ROAD = "times off the road"
    ITEM = "closed items"
    DONE = "done items"
    READING = "readings"


Node = tuple[Kept, int]
"""A row: its kind and its id."""


def parse_months(text: str, *, least: int) -> int:
    """Return the months of a text such as '15m'.

    Raises Invalid for any other text, and for fewer months than records are kept.
    """
    found = _MONTHS.fullmatch(text.strip())
    if found is None:
        raise Invalid(f'"{text[:20]}" is no time. Write months as 15m, 9999m at most.')
    months = int(found[1])
    if months < least:
        raise Invalid(f"Records are kept for {least} months (RETENTION_MONTHS). Nothing was done.")
    return months


def removable(
    is_old: Mapping[Node, bool], references: Iterable[tuple[Node, Node]]
) -> frozenset[Node]:
    """Return the old rows without a reference from a kept row, directly or through others.

    `references` lead from a row to its target. Rows outside `is_old` are kept.
    """
    targets: defaultdict[Node, list[Node]] = defaultdict(list)
    for source, target in references:
        targets[source].append(target)
    kept = {node for node in is_old.keys() | targets.keys() if not is_old.get(node)}
    waiting = list(kept)
    while waiting:
        for target in targets[waiting.pop()]:
            if target in is_old and target not in kept:
                kept.add(target)
                waiting.append(target)
    return frozenset(is_old.keys() - kept)
