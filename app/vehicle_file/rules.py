"""Rules of the costs of vehicles, of their record, and of its retention; docs/domain.md, Upkeep."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NamedTuple

from app import periods
from app.due.rules.fields import DueKind
from app.errors import Invalid
from app.fields import LabelledEnum, WholeNumber
from app.periods import AmountSeries, Period

MIN_MILES = 100
"""The fewest miles that a cost per mile is worked out from."""

WHICH_COSTS = (
    "Repairs with their parts from stock, what was done of what is due, and what checks report "
    "until one of their defects is repaired. Reversed repairs don't count."
)

WHICH_MILES = "Miles are the newest accepted reading in these days less the oldest."


class CostKind(LabelledEnum):
    """The purpose of a cost: repairs, reports of checks, and each kind of due item."""

    REPAIR = "repair", "Repairs"
    CHECK = "check", "Reported in checks"
    vars().update({kind.name: (kind.value, kind.label) for kind in DueKind})


class MonthCost(NamedTuple):
    """The cost of a kind in the month that begins on a day, in pence."""

    month: date
    kind: CostKind
    pence: int


def miles_driven(oldest: int, newest: int) -> int | None:
    """Return the miles between two readings, None for too few to work anything out from."""
    miles = newest - oldest
    return miles if miles >= MIN_MILES else None


def pence_per_mile(pence: int, miles: int | None) -> float | None:
    """Return the cost of a mile in pence to a tenth, None without enough miles."""
    return None if miles is None else round(pence / miles, 1)


def format_per_mile(per_mile: float | None) -> str:
    """Format a cost per mile, such as '12.4p', '–' for none."""
    return "–" if per_mile is None else f"{per_mile:,.1f}p"


def kind_costs(costs: Iterable[MonthCost]) -> Sequence[tuple[CostKind, int]]:
    """Return the sums of the kinds that cost something, the highest first."""
    totals: Counter[CostKind] = Counter()
    for cost in costs:
        totals[cost.kind] += cost.pence
    found = [(kind, totals[kind]) for kind in CostKind if totals[kind]]
    return sorted(found, key=lambda total: -total[1])


def series(costs: Sequence[MonthCost], each: Sequence[Period]) -> Sequence[AmountSeries[CostKind]]:
    """Return the costs of periods by kind, the highest first; the lowest of many are one."""
    ordered = [cost for kind in CostKind for cost in costs if cost.kind is kind]
    amounts = [(cost.kind, cost.month, cost.pence) for cost in ordered]
    return periods.series(amounts, each, lambda kind: kind.label, "Other kinds")


MAX_MONTHS = 60
MONTHS = WholeNumber(
    minimum=1, maximum=MAX_MONTHS, range_message=f"Choose 1 to {MAX_MONTHS} months."
)


class RecordKind(LabelledEnum):
    """The kind of a record's entry, in the order of one moment, and its section on paper."""

    OPEN = "Open", "Open"
    NOTHING_OPEN = "Nothing open"
    CHECK = "Check", "Checks"
    DEFECT = "Defect", "Defects"
    SIGHTING = "Seen again", "Defects"
    ASSESSMENT = "Assessment", "Defects"
    BOOKING = "Booked in", "Defects"
    NOTE = "Note", "Defects"
    OFF_ROAD = "Off the road", "Off the road"
    REPAIR = "Repair", "Repairs"
    SIGN_OFF = "Sign-off", "Defects"
    CLOSING = "Closed", "Defects"
    DONE = "Due and done", "MOT, service and what else was due"
    DUE_CHANGED = "Due changed", "MOT, service and what else was due"
    RETURN = "Back on the road", "Off the road"
    READING = "Reading", "Odometer readings"
    FILE = "Document", "Other photos and documents"


NOTHING_OPEN = "No defect is open, nothing is overdue, and it isn't off the road."

SECTIONS = (
    *("Open", "Checks", "Defects", "Repairs", "Off the road", RecordKind.DONE.label),
    *(RecordKind.READING.label, RecordKind.FILE.label),
)
"""The parts of a record on paper; of an empty one the page says so itself."""


@dataclass(frozen=True, kw_only=True)
class Amounts:
    """The cost of a repair or other work, in pence."""

    labour: int = 0
    parts: int = 0
    other: int = 0
    stock: int = 0

    @property
    def total(self) -> int:
        """Return the sum."""
        return self.labour + self.parts + self.other + self.stock


class RecordEntry(NamedTuple):
    """An entry in a vehicle's record; `at` is None if it was recorded on a later day.

    `files` are SHA-256 hashes, `who` the account, `name` the given one of a driver or mechanic.
    """

    reg: str
    reg_key: str
    day: date
    kind: RecordKind
    at: datetime | None = None
    reference: str = ""
    title: str = ""
    outcome: str = ""
    detail: str = ""
    answers: str = ""
    who: str = ""
    name: str = ""
    miles: int | None = None
    amounts: Amounts | None = None
    files: Sequence[str] = ()


_NO_MOMENT = datetime.min.replace(tzinfo=UTC)

_ORDER = {kind: number for number, kind in enumerate(RecordKind)}


def place(entry: RecordEntry) -> tuple[str, date]:
    """Return an entry's place: by vehicle, then by day, what is open today before all days."""
    is_first = entry.kind in (RecordKind.OPEN, RecordKind.NOTHING_OPEN)
    return entry.reg_key, date.min if is_first else entry.day


def moment(entry: RecordEntry) -> tuple[bool, datetime, int]:
    """Return the place of an entry on its day: entries recorded on a later day are last."""
    return entry.at is None, entry.at or _NO_MOMENT, _ORDER[entry.kind]


def sections(entries: Sequence[RecordEntry]) -> Mapping[str, Sequence[RecordEntry]]:
    """Return the entries of a record by its sections, also the empty ones."""
    return {name: [each for each in entries if each.kind.label == name] for name in SECTIONS}


def sentences(*texts: str) -> str:
    """Return the texts that aren't empty as sentences."""
    stripped = (text.strip() for text in texts)
    return " ".join(text if text[-1] in ".!?" else f"{text}." for text in stripped if text)


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
    BOOKING = "bookings"


Node = tuple[Kept, int]
"""A row: its kind and its id."""


def parse_months(text: str, *, least: int) -> int:
    """Return the months of a text such as '15m'; raises Invalid, also for fewer than `least`."""
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
    """Return the old rows that no reference (source, target) from a kept row reaches."""
    targets: defaultdict[Node, list[Node]] = defaultdict(list)
    for source, target in references:
        targets[source].append(target)
    # Rows outside `is_old` are kept.
    kept = {node for node in is_old.keys() | targets.keys() if not is_old.get(node)}
    waiting = list(kept)
    while waiting:
        for target in targets[waiting.pop()]:
            if target in is_old and target not in kept:
                kept.add(target)
                waiting.append(target)
    return frozenset(is_old.keys() - kept)
