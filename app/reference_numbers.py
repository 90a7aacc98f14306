"""Numbers that people can say, such as D-0142 for a defect; pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

# Possessive, so that the time for a text grows only as the text does.
_WRITTEN = re.compile(r"\s*+([A-Za-z])\s*+-?\s*+(\d{1,9})\s*+", re.ASCII)


class Series(StrEnum):
    """The numbered things, by the first letter of their numbers."""

    DEFECT = "D"
    REPAIR = "R"
    BOOKING = "B"
    ORDER = "O"


@dataclass(frozen=True)
class ReferenceNumber:
    """A number of a series; its text has four digits or more."""

    series: Series
    number: int

    def __str__(self) -> str:
        return f"{self.series}-{self.number:04}"


def parse_reference(text: str) -> ReferenceNumber | None:
    """Return the number that a text such as 'D-0142' or 'd142' names, None for any other text."""
    written = _WRITTEN.fullmatch(text)
    if written is None or written[1].upper() not in set(Series):
        return None
    return ReferenceNumber(Series(written[1].upper()), int(written[2]))


def parse_number(text: str, series: Series) -> int | None:
    """Return the number of a series that 'D-0142', 'd142' or '142' names, None for another text."""
    plain = text.strip()
    reference = parse_reference(f"{series}{plain}" if plain.isdecimal() else plain)
    return reference.number if reference and reference.series is series else None
