"""Rules of the maintenance file and of how long records are kept."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from app.errors import Invalid
from app.fields import LabelledEnum

MAX_MONTHS = 60
"""The most months of a record."""


def default_months(retention_months: int) -> int:
    """Return of how many months a record is, that names none."""
    return min(retention_months, MAX_MONTHS)


class RecordKind(LabelledEnum):
    """The kind of a record's entry and its part on paper, in the order of one moment."""

    OPEN = "Open", "Open"
    NOTHING_OPEN = "Nothing open"
    CHECK = "Check", "Checks"
    DEFECT = "Defect", "Defects"
    SIGHTING = "Seen again", "Defects"
    ASSESSMENT = "Assessment", "Defects"
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

_FIRST_PARTS = ("Open", "Checks", "Defects", "Repairs")
"""The first parts on paper; the others follow in the order of their kinds."""


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


@dataclass(frozen=True, kw_only=True)
class RecordEntry:
    """An entry in a vehicle's record; `at` is None if it was recorded on a later day.

    `reference` is 'D-0142' or the like, `answers` are a check's answers, `files` the SHA-256 hashes
    of its photos and documents.
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
    miles: int | None = None
    amounts: Amounts | None = None
    files: Sequence[str] = ()


_NO_MOMENT = datetime.min.replace(tzinfo=UTC)

_ORDER = {kind: number for number, kind in enumerate(RecordKind)}

_FIRST_KINDS = frozenset({RecordKind.OPEN, RecordKind.NOTHING_OPEN})


def place(entry: RecordEntry) -> tuple[str, date]:
    """Return an entry's place: by vehicle, then by day, what is open today before all days."""
    return entry.reg_key, date.min if entry.kind in _FIRST_KINDS else entry.day


def moment(entry: RecordEntry) -> tuple[bool, datetime, int]:
    """Return the place of an entry on its day: entries recorded on a later day are last."""
    return entry.at is None, entry.at or _NO_MOMENT, _ORDER[entry.kind]


def sections(entries: Iterable[RecordEntry]) -> Mapping[str, Sequence[RecordEntry]]:
    """Return the entries of a record by its sections, also the empty ones."""
    parts: dict[str, list[RecordEntry]] = {
        name: [] for name in (*_FIRST_PARTS, *(kind.label for kind in RecordKind)) if name
    }
    for entry in entries:
        if entry.kind.label:
            parts[entry.kind.label].append(entry)
    return parts


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
    kept = {node for node in is_old.keys() | targets.keys() if not is_old.get(node)}
    waiting = list(kept)
    while waiting:
        for target in targets[waiting.pop()]:
            if target in is_old and target not in kept:
                kept.add(target)
                waiting.append(target)
    return frozenset(is_old.keys() - kept)
