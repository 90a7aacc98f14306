"""The limits of imported files, and what a comparison of one with its list shows."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from app.errors import Invalid
from app.money import format_number
from app.paging import Page, page_of
from app.records.targets import RowState
from app.tables.sheets import MAX_BYTES, Sheet

MAX_NAME_LENGTH = 120
MAX_ROWS = 50_000
MAX_COLUMNS = 200
MAX_CELL_LENGTH = 32_767
MAX_DRAFTS = 5
DRAFT_LIFETIME = timedelta(hours=24)
UNDO_LIFETIME = timedelta(days=90)
ROWS_PER_PAGE = 50

TOO_LARGE = f"It has more than {MAX_BYTES // 1024**2} MB. Split it."


def check_size(sheet: Sheet) -> int:
    """Return the number of a table's rows below the header. Raises Invalid beyond the limits."""
    rows = 0
    for line, row in sheet:
        rows += 1
        _check(len(row), MAX_COLUMNS, "columns", "Leave some out.")
        longest = max(map(len, row), default=0)
        if longest > MAX_CELL_LENGTH:
            _check(longest, MAX_CELL_LENGTH, f"characters in a cell of row {line}", "Shorten it.")
    # The header isn't counted.
    _check(rows - 1, MAX_ROWS, "rows", "Split it.")
    if not rows:
        raise Invalid("It is empty. Choose a file with a header and rows.")
    return rows - 1


def _check(number: int, limit: int, what: str, remedy: str) -> None:
    if number > limit:
        found, most = format_number(number), format_number(limit)
        raise Invalid(f"It has {found} {what}; at most {most}. {remedy}")


@dataclass(frozen=True)
class Look:
    """The comparison of a file with its list.

    Attributes:
        rows: Its rows as JSON, which are read as far as they are shown.
        states: The states of the rows, one character each: the first of a RowState.
        units: The units of its rows in the list now, and after the import; empty without any.
        value: Their value in pence likewise.
        sums: The numbers of the rows that only add up others.
        reading: How days and numbers were read, '' for a file of ours.
        problem: Why the file can't be compared or applied, '' if it can.
        changed: The places of rows that differ from the look before.
        revision: The revision of the draft that was compared.
    """

    rows: Sequence[str] = ()
    states: str = ""
    units: Sequence[int] = ()
    value: Sequence[int] = ()
    sums: Sequence[int] = ()
    reading: str = ""
    problem: str = ""
    changed: Sequence[int] = ()
    revision: int = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the number of rows by state."""
        return {state.value: self.states.count(state[0]) for state in RowState}

    @property
    def refused(self) -> Iterator[Mapping[str, Any]]:
        """Yield the refused rows."""
        rows = zip(self.rows, self.states, strict=True)
        return (json.loads(row) for row, state in rows if state == RowState.REFUSED[0])

    def page(self, show: str, number: int) -> Page[Mapping[str, Any]]:
        """Return a page of the rows with a state, '' for all; changed ones are the first."""
        first = {*self.changed}
        order = sorted(range(len(self.rows)), key=lambda place: place not in first)
        places = [place for place in order if not show or self.states[place] == show[:1]]
        found = page_of(places, number, per_page=ROWS_PER_PAGE)
        rows = [
            json.loads(self.rows[place]) | {"has_changed": place in first} for place in found.rows
        ]
        return Page(rows, found.number, found.pages, found.total)

    def dump(self) -> bytes:
        """Return it compressed."""
        head = {**vars(self), "rows": []}
        return pack("\n".join([json.dumps(head), *self.rows]))

    @classmethod
    def load(cls, packed: bytes) -> "Look":
        """Return a look that was dumped."""
        head, *rows = unpack(packed).split("\n")
        return cls(**{**json.loads(head), "rows": rows})


def pack(text: str) -> bytes:
    """Return a text compressed."""
    return zlib.compress(text.encode(), 1)


def unpack(packed: bytes) -> str:
    """Return a text that `pack` has compressed."""
    return zlib.decompress(packed).decode()
